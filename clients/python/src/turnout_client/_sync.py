"""The client for plain Python."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from ._errors import UsageError
from ._events import Event, PermissionRequestEvent, QuestionEvent, ToolCallEvent
from ._listing import Lister, Models, Sessions
from ._options import PreparedTurn, TurnOptions, Unpack
from ._process import ExecProcess
from ._program import Handshake, Program
from ._replies import answers_frame, decision_frame, tool_frame
from ._result import Collector, TurnResult
from ._scan import Scan
from ._tools import ToolContext, answer_text


class Turn:
    """The events of a turn, read once: ``for event in turn``. Leaving the loop or the ``with`` block ends the turn."""

    def __init__(self, program: Program, prompt: str, options: TurnOptions) -> None:
        self._options = options
        self._prepared = PreparedTurn(prompt, options)
        self._collected = Collector()
        self._steered = 0
        self._calls: dict[str, ToolContext] = {}
        self._process = ExecProcess(program, self._prepared)

    def __enter__(self) -> Turn:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Event]:
        try:
            while (event := self._next()) is not None:
                yield event
        finally:
            self.close()

    def _next(self) -> Event | None:
        event = self._process.read()
        if event is None:
            return None
        self._collected.hear(event)
        self._react(event)
        return event

    @property
    def over(self) -> bool:
        return self._process.over

    def close(self) -> None:
        """Ends the turn if it is not over, and waits until nothing of it runs."""
        if not self._process.over:
            if self._collected.done is None:
                self._process.cancel()
            while self._next() is not None:
                pass

    def cancel(self) -> None:
        """Ends the turn; go on reading until its ``done``. A second call waits no longer for the agent to go by itself."""
        self._process.cancel()

    def steer(self, text: str) -> str:
        """Guidance for the running agent. Returns an id: a ``status`` event with ``steer`` says whether it was taken."""
        self._steered += 1
        steer = f"s{self._steered}"
        self._process.send({"v": 1, "type": "steer", "id": steer, "text": text})
        return steer

    def result(self, *, check: bool = True) -> TurnResult:
        """How the turn ended; runs it to its end. Raises TurnError when it failed, unless ``check`` is false."""
        while self._next() is not None:
            pass
        failure = self._collected.failure() if check else None
        if failure is not None:
            raise failure
        return self._collected.result()

    def _react(self, event: Event) -> None:
        if event["type"] == "tool_call":
            self._start(self._call, event)
        elif event["type"] == "permission_request":
            self._start(self._decide, event)
        elif event["type"] == "question":
            self._start(self._answer, event)
        elif event["type"] == "tool_result" and event["id"] in self._calls:
            self._calls.pop(event["id"]).cancelled.set()
        elif event["type"] == "done":
            for context in self._calls.values():
                context.cancelled.set()

    def _start(self, work: Callable[[Any], None], event: Event) -> None:
        threading.Thread(target=work, args=(event,), daemon=True).start()

    def _call(self, event: ToolCallEvent) -> None:
        context = self._calls[event["id"]] = ToolContext(event["id"])
        try:
            one = self._prepared.tools[event["name"]]
            text, ok = answer_text(one.run(**one.arguments(event["args"], context))), True
        except Exception as error:
            text, ok = str(error) or type(error).__name__, False
        if self._calls.pop(event["id"], None) is not None:
            self._process.send(tool_frame(event["id"], ok, text))

    def _decide(self, event: PermissionRequestEvent) -> None:
        handler = self._options.get("on_permission")
        try:
            decision = "deny" if handler is None else handler(event)
        except Exception as error:
            decision = ("deny", str(error))
        self._process.send(decision_frame(event["id"], decision))

    def _answer(self, event: QuestionEvent) -> None:
        handler = self._options.get("on_question")
        try:
            answers = None if handler is None else handler(event)
        except Exception:
            # Declined first: the agent waits for it. Python prints what a thread raises.
            self._process.send(answers_frame(event["id"], None))
            raise
        self._process.send(answers_frame(event["id"], answers))


class Turnout:
    """An installed turnout. Raises TurnoutError (missing-binary) when there is none, (unsupported) when it is too old."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        env: Mapping[str, str] | None = None,
        requires: Sequence[str] = (),
    ) -> None:
        """``path`` wins over ``TURNOUT_BIN`` and PATH; ``env`` is the environment of turnout and of all it starts."""
        self._program = Program(path, env)
        self._lister = Lister(self._program)
        self.path = self._program.path
        self.handshake: Handshake = self._program.shake_hands(requires)
        self._turns: list[Turn] = []

    def __enter__(self) -> Turnout:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the turns that are still running."""
        turns, self._turns = self._turns, []
        for turn in turns:
            turn.close()

    def stream(self, prompt: str, **options: Unpack[TurnOptions]) -> Turn:
        """Begins a turn. Raises UsageError for a wrong option; one that only turnout sees, at the first read."""
        if "runtime" not in options:
            raise UsageError("runtime: missing; use an id from scan(), or auto", path="runtime")
        self._turns = [turn for turn in self._turns if not turn.over]
        turn = Turn(self._program, prompt, options)
        self._turns.append(turn)
        return turn

    def exec(self, prompt: str, **options: Unpack[TurnOptions]) -> TurnResult:
        """Runs a turn to its end. Raises TurnError when it fails."""
        with self.stream(prompt, **options) as turn:
            return turn.result()

    def scan(self, *, all: bool = False, installed: bool = False, probe: bool = False) -> Scan:
        """Which runtimes there are and what they can do. Starts nothing without ``probe``."""
        return self._lister.scan(all=all, installed=installed, probe=probe)

    def models(self, runtime: str) -> Models:
        """The models that a runtime offers. Starts it. Raises TurnoutError when it can't be asked."""
        return self._lister.models(runtime)

    def sessions(self, runtime: str, *, cwd: str | os.PathLike[str] = ".") -> Sessions:
        """The sessions of a runtime in a folder, newest first: their ids are for ``resume``."""
        return self._lister.sessions(runtime, cwd)
