"""What the client raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import TurnResult


class TurnoutError(Exception):
    """Anything that went wrong. ``code`` is one of the protocol's error codes, ``hint`` a command that helps."""

    def __init__(self, code: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class UsageError(TurnoutError):
    """The call is wrong: nothing was started. ``path`` names the option."""

    def __init__(self, message: str, *, hint: str | None = None, path: str | None = None, rule: str | None = None) -> None:
        super().__init__("usage", message, hint=hint)
        self.path = path
        self.rule = rule


class TurnError(TurnoutError):
    """A turn that failed. ``result`` holds what it said and used before."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        result: TurnResult,
        hint: str | None = None,
        reason: str | None = None,
        retry_after_ms: int | None = None,
        resets_at: str | None = None,
    ) -> None:
        super().__init__(code, message, hint=hint)
        self.result = result
        self.reason = reason
        self.retry_after_ms = retry_after_ms
        self.resets_at = resets_at


class ServerError(TurnoutError):
    """The server refused a request. ``status`` is the HTTP status; 200 when the refusal is in the answer itself."""

    def __init__(self, code: str, message: str, *, status: int) -> None:
        super().__init__(code, message)
        self.status = status
