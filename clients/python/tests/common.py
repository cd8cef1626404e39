"""What the tests share: the turnout under test, a HOME of its own, and golden streams."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "fixtures" / "contract"
TURNOUT = os.environ.get("TURNOUT", str(ROOT / "bin" / "turnout.js"))
FAKE = ROOT / "fixtures" / "bin" / "speaks-as-turnout.js"
HOME = tempfile.mkdtemp(prefix="turnout-python-")
MARK = f"python-{os.getpid()}"
ENV = {
    "PATH": os.environ["PATH"],
    "HOME": HOME,
    "XDG_STATE_HOME": HOME,
    "TURNOUT_CONFINE": "none",
    "TURNOUT_TEST_MARK": MARK,
}
HELLO = {"v": 1, "name": "turnout", "version": "9.9.9", "protocol": 1, "rev": 30, "capabilities": ["agent-exec"]}


def played(stream: str | Path, exit_code: int = 0, hello: dict[str, Any] = HELLO) -> dict[str, str]:
    """The environment in which FAKE prints that file."""
    return {**ENV, "FAKE_HELLO": json.dumps(hello), "FAKE_STREAM": str(stream), "FAKE_EXIT": str(exit_code)}


def expected() -> dict[str, dict[str, Any]]:
    return json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))


def leftovers() -> list[str]:
    """Command lines of processes that carry our mark; Linux alone has /proc."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"TURNOUT_TEST_MARK={MARK}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found
