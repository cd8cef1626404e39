"""What a turn came to, gathered from its events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._errors import TurnError
from ._events import DoneEvent, ErrorEvent, Event, PatchEvent, ResultEvent, Totals

UNKNOWN: Totals = {"input_tokens": None, "output_tokens": None, "cached_tokens": None, "cost_usd": None}


@dataclass(frozen=True)
class TurnResult:
    """How a turn ended. Unknown numbers are ``None``, never 0."""

    exit_code: int
    stop_reason: str
    output: str | None
    """The agent's last message, or the JSON text with ``output_schema``."""
    structured: Any
    """The parsed answer with ``output_schema``."""
    session_id: str | None
    """For ``resume``."""
    usage: Totals
    duration_ms: int
    patch: PatchEvent | None
    """The change, with ``isolate``."""

    @property
    def ok(self) -> bool:
        return self.exit_code == 0


@dataclass
class Collector:
    """Hears the events of one turn."""

    done: DoneEvent | None = None
    _result: ResultEvent | None = None
    _error: ErrorEvent | None = None
    _patch: PatchEvent | None = None
    _session: str | None = None
    _message: str | None = None
    _pieces: list[str] = field(default_factory=list[str])

    def hear(self, event: Event) -> None:
        if event["type"] == "session":
            self._session = event["session_id"]
        elif event["type"] == "assistant":
            if "parent_tool_use_id" in event or event["text"] == "":
                return
            if event["message_id"] == self._message:
                self._pieces.append(event["text"])
            elif self._message is None or "replaces" in event or event["text"].strip() != "":
                self._message, self._pieces = event["message_id"], [event["text"]]
        elif event["type"] == "result":
            self._result = event
        elif event["type"] == "patch":
            self._patch = event
        elif event["type"] == "error" and event["code"] != "bad-frame":
            self._error = event
        elif event["type"] == "done":
            self.done = event

    def result(self) -> TurnResult:
        """Call it once ``done`` was heard."""
        end = self.done
        output: str | None = None
        if self._result is not None:
            output = self._result.get("output", self._result.get("text"))
        # Left out of `result` where it is long and came in pieces.
        if output is None and self._message is not None:
            output = "".join(self._pieces)
        return TurnResult(
            exit_code=1 if end is None else end["exit_code"],
            stop_reason="error" if end is None else end["stop_reason"],
            output=output,
            structured=None if self._result is None else self._result.get("structured"),
            session_id=self._session,
            usage=UNKNOWN if end is None else end.get("totals", UNKNOWN),
            duration_ms=0 if end is None else end["duration_ms"],
            patch=self._patch,
        )

    def failure(self) -> TurnError | None:
        """Why the turn failed; ``None`` when it did not."""
        result = self.result()
        if self._error is not None:
            error = self._error
            return TurnError(
                error["code"],
                error["message"],
                result=result,
                hint=error.get("hint"),
                reason=error.get("reason"),
                retry_after_ms=error.get("retry_after_ms"),
                resets_at=error.get("resets_at"),
            )
        if result.ok:
            return None
        return TurnError("runner-error", f"the turn ended with {result.stop_reason}", result=result)
