"""Frames that answer what the agent asks."""

from __future__ import annotations

from typing import Any, cast

from ._options import Answers

CHOICES = ("allow_once", "allow_session", "deny")


def tool_frame(call: str, ok: bool, text: str) -> dict[str, Any]:
    return {"v": 1, "type": "tool_result", "id": call, "ok": ok, "result": {"text": text}}


def decision_frame(request: str, decision: object) -> dict[str, Any]:
    """What is not a decision denies, and the agent reads why."""
    choice: object = decision
    message: str | None = None
    if isinstance(decision, tuple) and len(pair := cast("tuple[object, ...]", decision)) == 2:
        choice, message = pair[0], str(pair[1])
    if choice not in CHOICES:
        choice, message = "deny", f"the host answered {choice!r}; expected one of {', '.join(CHOICES)}"
    frame: dict[str, Any] = {"v": 1, "type": "permission_result", "id": request, "choice": choice}
    return frame if message is None else {**frame, "message": message}


def answers_frame(question: str, answers: Answers | None) -> dict[str, Any]:
    return {"v": 1, "type": "question_result", "id": question, "answers": dict(answers or {})}
