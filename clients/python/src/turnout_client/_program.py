"""Finds an installed turnout and runs its short commands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, cast

from ._errors import TurnoutError, UsageError

INSTALL = "npm install -g turnout"
PROTOCOL = 1
WINDOWS = sys.platform == "win32"


class Handshake(TypedDict):
    """What a turnout says of itself."""

    v: int
    name: str
    version: str
    protocol: int
    rev: int
    capabilities: list[str]


def spawn_options() -> dict[str, Any]:
    """A group of its own: Ctrl-C in a terminal reaches Python alone, which then cancels the turn."""
    if WINDOWS:
        return {"creationflags": 0x08000000 | 0x00000200}  # CREATE_NO_WINDOW, CREATE_NEW_PROCESS_GROUP
    return {"start_new_session": True}


class Program:
    """An installed turnout: how it is started."""

    def __init__(self, path: str | os.PathLike[str] | None, env: Mapping[str, str] | None) -> None:
        self.env = dict(os.environ if env is None else env)
        wanted = os.fspath(path) if path is not None else self.env.get("TURNOUT_BIN") or "turnout"
        found = shutil.which(wanted, path=self.env.get("PATH"))
        # A script of Node need not be executable.
        if found is None and wanted.endswith((".js", ".mjs")) and os.path.isfile(wanted):
            found = wanted
        if found is None:
            what = "turnout was not found" if wanted == "turnout" else f"turnout was not found at {wanted}"
            raise TurnoutError(
                "missing-binary", f"{what}. Install it: {INSTALL}. Or set TURNOUT_BIN to its path.", hint=INSTALL
            )
        self.path = found
        self.argv = self._argv(found)

    def _argv(self, found: str) -> list[str]:
        script = found
        if WINDOWS and found.lower().endswith((".cmd", ".bat")):
            # cmd.exe would read arguments once more: start what npm's shim starts.
            script = str(Path(found).parent / "node_modules" / "turnout" / "bin" / "turnout.js")
            if not os.path.isfile(script):
                raise TurnoutError("missing-binary", f"{found} is not npm's shim of turnout. Install it: {INSTALL}", hint=INSTALL)
        if not script.endswith((".js", ".mjs")) or (not WINDOWS and os.access(script, os.X_OK)):
            return [script]
        node = shutil.which("node", path=self.env.get("PATH"))
        if node is None:
            raise TurnoutError("missing-binary", f"{script} needs Node.js, and there is no node on PATH")
        return [node, script]

    def run(self, args: Sequence[str], seconds: float) -> tuple[int, str, str]:
        """Runs a short command. Raises TurnoutError when it can't be started or does not end."""
        try:
            ended = subprocess.run(
                [*self.argv, *args],
                env=self.env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
                **spawn_options(),
            )
        except subprocess.TimeoutExpired as error:
            raise TurnoutError("runner-error", f"{self.path} did not answer within {seconds:g} s") from error
        except OSError as error:
            raise TurnoutError("missing-binary", f"{self.path} can't be started: {error.strerror}", hint=INSTALL) from error
        return ended.returncode, ended.stdout, ended.stderr

    def ask(self, args: Sequence[str], seconds: float) -> dict[str, Any]:
        """Runs a command that prints one JSON document. Raises TurnoutError or UsageError."""
        code, stdout, stderr = self.run(args, seconds)
        document = parse_object(stdout)
        error: object = None if document is None else document.get("error")
        if isinstance(error, dict):
            said = cast("dict[str, Any]", error)
            raise TurnoutError(str(said.get("code")), str(said.get("message")), hint=said.get("hint"))
        if document is not None and code == 0:
            return document
        usage = usage_of(stderr)
        if usage is not None:
            raise usage
        raise TurnoutError("runner-error", f"turnout {' '.join(args[:2])} failed (exit code {code}): {stderr.strip()[-500:]}")

    def shake_hands(self, requires: Sequence[str]) -> Handshake:
        """Raises TurnoutError (unsupported): not turnout, another protocol, or a capability is missing."""
        code, stdout, stderr = self.run(["--version", "--json"], 15)
        answer = parse_object(stdout)
        hint = f"{INSTALL}@latest"

        def refuse(what: str) -> TurnoutError:
            return TurnoutError("unsupported", f"{self.path} {what}. Update it: {hint}", hint=hint)

        if code != 0:
            raise refuse(f"failed with exit code {code}: {stderr.strip()[-500:]}")
        if answer is None or answer.get("name") != "turnout":
            raise refuse("does not answer as turnout does")
        version = answer.get("version")
        if answer.get("v") != 1 or answer.get("protocol") != PROTOCOL:
            raise refuse(f"({version}) speaks protocol {answer.get('protocol')}, this client {PROTOCOL}")
        missing = [one for one in ("agent-exec", *requires) if one not in answer.get("capabilities", [])]
        if missing:
            raise refuse(f"({version}) lacks what this program needs: {', '.join(missing)}")
        return cast(Handshake, answer)


def parse_object(text: str) -> dict[str, Any] | None:
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def usage_of(stderr: str) -> UsageError | None:
    """The usage error that turnout printed, with options named as here."""
    for line in stderr.splitlines():
        said = parse_object(line)
        if said is None or said.get("code") != "usage":
            continue
        path, message = said.get("path"), str(said.get("message", "wrong usage"))
        option = path.removeprefix("--").replace("-", "_") if isinstance(path, str) else None
        if isinstance(path, str) and option is not None and message.startswith(f"{path}: "):
            message = option + message[len(path) :]
        return UsageError(message, hint=said.get("hint"), path=option, rule=said.get("rule"))
    return None
