"""What is installed, which models there are and which sessions."""

from __future__ import annotations

import os
import sys
from typing import Any, TypedDict, cast

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

from ._program import Program
from ._scan import Scan

SECONDS = 60.0


class Model(TypedDict):
    """A model of a runtime; ``id`` is for ``model``."""

    id: str
    label: NotRequired[str]
    default: NotRequired[bool]
    resolved_id: NotRequired[str]
    alias_of: NotRequired[str]
    aliases: NotRequired[list[str]]


class Models(TypedDict):
    """``supported`` is false where a runtime can't list its models."""

    v: int
    runtime: str
    supported: bool
    models: list[Model]


class StoredSession(TypedDict):
    """A session that a runtime keeps; ``id`` is for ``resume``."""

    id: str
    title: NotRequired[str | None]
    cwd: NotRequired[str | None]
    time: NotRequired[str | None]


class Sessions(TypedDict):
    """``supported`` is false where a runtime's sessions can't be listed."""

    v: int
    runtime: str
    supported: bool
    cwd: str
    sessions: list[StoredSession]


class Lister:
    """The commands that look at the machine."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def scan(self, **wanted: bool) -> Scan:
        flags = [f"--{name}" for name, on in wanted.items() if on]
        return cast(Scan, self._ask(["agent", "scan", "--json", *flags]))

    def models(self, runtime: str) -> Models:
        return cast(Models, self._ask(["agent", "models", f"--runtime={runtime}", "--json"]))

    def sessions(self, runtime: str, cwd: str | os.PathLike[str]) -> Sessions:
        where = f"--cwd={os.path.abspath(cwd)}"
        return cast(Sessions, self._ask(["agent", "sessions", f"--runtime={runtime}", where, "--json"]))

    def _ask(self, args: list[str]) -> dict[str, Any]:
        return self._program.ask(args, SECONDS)
