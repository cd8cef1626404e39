"""Writes src/turnout_client/_events.py and _scan.py from schemas/*.json. Needs: pip install datamodel-code-generator"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SCHEMAS = HERE.parent.parent / "schemas"
FLAGS = [
    "--input-file-type=jsonschema",
    "--output-model-type=typing.TypedDict",
    "--target-python-version=3.10",
    "--use-union-operator",
    "--enum-field-as-literal=all",
    "--disable-timestamp",
    "--formatters=builtin",
]
IMPORT = """if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired
"""


def generate(schema: str) -> str:
    argv = [sys.executable, "-m", "datamodel_code_generator", f"--input={SCHEMAS / schema}", *FLAGS]
    text = subprocess.run(argv, check=True, capture_output=True, encoding="utf-8").stdout
    text = re.sub(r"\A(#.*\n)+", f'"""Generated from schemas/{schema} by scripts/generate_types.py. Do not edit."""\n', text)
    text = text.replace("from __future__ import annotations\n", "from __future__ import annotations\n\nimport sys\n", 1)
    return text.replace("from typing_extensions import NotRequired\n", IMPORT, 1)


def events() -> str:
    text = generate("event.json")
    union = re.search(r"TurnoutEventV1: TypeAlias = ([^\n(]+|\([^)]*\))", text)
    assert union, "the union of events is missing"
    for name in re.findall(r"\w+", union[1]):
        text = re.sub(rf"(?<!['\w]){name}(?!['\w])", f"{name}Event", text)
    return text.replace("TurnoutEventV1", "Event")


for name, text in {"_events.py": events(), "_scan.py": generate("scan.json").replace("TurnoutScanV1", "Scan")}.items():
    (HERE / "src" / "turnout_client" / name).write_text(text, encoding="utf-8")
