"""The options of a turn, and the command line that means the same."""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

from ._errors import UsageError
from ._events import PermissionRequestEvent, QuestionEvent
from ._tools import Schema, Tool, by_name

__all__ = ["Choice", "Decision", "PreparedTurn", "TurnOptions", "Unpack"]

Choice = Literal["allow_once", "allow_session", "deny"]
Decision = Choice | tuple[Choice, str]
"""A choice, or a choice with what the agent reads about a denial."""
Answers = Mapping[str, str | list[str] | None]
StrPath = str | os.PathLike[str]


class TurnOptions(TypedDict, total=False):
    """Options of a turn, named as the flags of ``turnout agent exec``. Times are seconds, 0 for no limit."""

    runtime: str
    model: str
    effort: Literal["off", "low", "medium", "high", "xhigh", "max"]
    system: str
    cwd: StrPath
    resume: str
    access: Literal["scoped", "none", "read", "edit", "full"]
    allow_root: bool
    confine: Literal["auto", "os", "none"]
    isolate: Literal["none", "clone", "worktree"]
    sandbox: Literal["read-only", "restricted", "workspace-write", "full"]
    sandbox_fallback: Literal["fail", "strictest", "run"]
    allow_bash_prefix: Sequence[str]
    settings: Sequence[Literal["user", "project", "local"]]
    require_mcp: Sequence[str]
    mcp_servers: Mapping[str, Any]
    max_turns: int
    max_tool_calls: int
    budget_usd: float
    budget_tokens: int
    timeout: float
    idle_timeout: float
    startup_timeout: float
    tool_timeout: float
    wait_for_quota: float
    output_schema: Schema
    images: Sequence[StrPath | bytes]
    """Paths, or the bytes of PNG, JPEG, GIF or WebP files."""
    files: Sequence[StrPath]
    env: Mapping[str, str]
    record: StrPath
    keep: bool
    org: str
    role: str
    tools: Iterable[Tool | Callable[..., Any]]
    on_permission: Callable[[PermissionRequestEvent], Any]
    """Answers permission questions: a :data:`Decision`, or an awaitable of one with the async client."""
    on_question: Callable[[QuestionEvent], Any]
    """Answers the agent's questions: by the id of each, or None to decline; or an awaitable of that."""


TEXT = ("runtime", "model", "effort", "resume", "access", "confine", "isolate", "sandbox", "sandbox_fallback", "org", "role")
COUNTS = ("max_turns", "max_tool_calls", "budget_tokens", "budget_usd")
SECONDS = ("timeout", "idle_timeout", "startup_timeout", "tool_timeout", "wait_for_quota")
TOGGLES = ("allow_root", "keep")
LISTS = ("allow_bash_prefix", "settings", "require_mcp")
PATHS = ("record",)
OTHERS = (
    "system", "cwd", "mcp_servers", "output_schema", "images", "files", "env", "tools", "on_permission", "on_question",
)  # fmt: skip
KNOWN = frozenset([*TEXT, *COUNTS, *SECONDS, *TOGGLES, *LISTS, *PATHS, *OTHERS])


def flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def csv(name: str, values: Sequence[str]) -> str:
    for value in values:
        if "," in value:
            raise UsageError(f"{name}: an item can't contain a comma: {value!r}", path=name)
    return ",".join(values)


class PreparedTurn:
    """Arguments, private files and the first frame of a turn. ``close`` removes the files."""

    def __init__(self, prompt: str, options: TurnOptions) -> None:
        """Raises UsageError for what no flag can carry."""
        given: dict[str, Any] = {key: value for key, value in options.items() if value is not None}
        unknown = [key for key in given if key not in KNOWN]
        if unknown:
            raise UsageError(f"unknown option: {unknown[0]}", path=unknown[0])
        if prompt == "":
            raise UsageError("prompt: must not be empty", path="prompt")
        self.tools = by_name(given.get("tools", ()))
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        paths, inline = self._images(given.get("images", ()))
        self.frame: dict[str, Any] = {"v": 1, "type": "prompt", "text": prompt}
        if inline:
            self.frame["images"] = inline
        try:
            self.argv = self._argv(given, paths)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def _file(self, name: str, text: str) -> str:
        if self._folder is None:
            # 0700 by mkdtemp; files in it are ours alone.
            self._folder = tempfile.TemporaryDirectory(prefix="turnout-client-", ignore_cleanup_errors=True)
        path = Path(self._folder.name, name)
        path.write_text(text, encoding="utf-8")
        return str(path)

    @staticmethod
    def _images(images: Sequence[StrPath | bytes]) -> tuple[list[str], list[dict[str, str]]]:
        paths: list[str] = []
        inline: list[dict[str, str]] = []
        for image in images:
            if isinstance(image, bytes):
                inline.append({"data": base64.b64encode(image).decode("ascii")})
            else:
                paths.append(os.path.abspath(image))
        return paths, inline

    def _env(self, env: Mapping[str, str]) -> list[str]:
        # A file of variables has one on a line.
        lines = {name: value for name, value in env.items() if "\n" not in value and "\r" not in value}
        argv = [f"--env={name}={value}" for name, value in env.items() if name not in lines]
        if lines:
            argv.append(f"--env-file={self._file('env', ''.join(f'{n}={v}{chr(10)}' for n, v in lines.items()))}")
        return argv

    def _argv(self, given: Mapping[str, Any], images: Sequence[str]) -> list[str]:
        # Joined by "=", so that no value is taken for a flag.
        argv = [f"--cwd={os.path.abspath(given.get('cwd', '.'))}", "--prompt-frame"]
        argv += [f"{flag(name)}={given[name]}" for name in (*TEXT, *COUNTS) if name in given]
        argv += [f"{flag(name)}={given[name]:.3f}s" for name in SECONDS if name in given]
        argv += [flag(name) for name in TOGGLES if given.get(name)]
        argv += [f"{flag(name)}={csv(name, given[name])}" for name in LISTS if given.get(name)]
        argv += [f"{flag(name)}={os.path.abspath(given[name])}" for name in PATHS if name in given]
        argv += [f"--image={path}" for path in images]
        argv += [f"--file={os.path.abspath(path)}" for path in given.get("files", ())]
        argv += self._env(given.get("env", {}))
        if "system" in given:
            argv.append(f"--system-file={self._file('system', given['system'])}")
        if "output_schema" in given:
            argv.append(f"--output-schema={self._file('schema.json', json.dumps(given['output_schema']))}")
        if given.get("mcp_servers"):
            text = json.dumps({"mcpServers": given["mcp_servers"]})
            argv.append(f"--mcp-config={self._file('mcp.json', text)}")
        if self.tools:
            listed = [{"name": t.name, "description": t.description, "schema": t.schema} for t in self.tools.values()]
            argv += ["--tools=stdio", f"--tools-file={self._file('tools.json', json.dumps(listed))}"]
        if "on_permission" in given:
            argv.append("--approvals=stdio")
        if "on_question" in given:
            argv.append("--questions=stdio")
        return argv
