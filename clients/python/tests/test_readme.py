"""The README's programs, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from .common import ENV, TURNOUT
from .test_server import TOKEN, Served

HERE = Path(__file__).resolve().parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(encoding="utf-8"), re.S)


def run(program: str) -> str:
    env = {**ENV, "TURNOUT_BIN": TURNOUT, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", program], env=env, check=True, capture_output=True, encoding="utf-8").stdout


class Readme(Served):
    def test_each_program_prints_what_it_promises(self) -> None:
        sync, asynchronous, server = BLOCKS
        said = run(sync)
        self.assertIn("hello", said)
        self.assertIn("5", said)
        self.assertIn("permission_request", run(asynchronous))
        here = server.replace("http://127.0.0.1:9090", self.url).replace("s3cret", TOKEN)
        self.assertIn("['completed'", run(here))


del Served  # Its own tests run in their module.

if __name__ == "__main__":
    unittest.main()
