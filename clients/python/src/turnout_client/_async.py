"""The client for asyncio. Reading happens in a thread, so it works on every event loop, Windows and Jupyter included."""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
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

# Events read ahead of the loop; then the agent is held back.
AHEAD = 64


async def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A coroutine function on the loop, any other in a thread."""
    if inspect.iscoroutinefunction(function):
        return await function(*args, **kwargs)
    value = await asyncio.to_thread(function, *args, **kwargs)
    return await value if inspect.isawaitable(value) else value


class Reader:
    """Carries events from a thread to the loop, and holds the thread back while the loop is behind."""

    def __init__(self, process: ExecProcess) -> None:
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(AHEAD)
        self._queue: asyncio.Queue[Event | BaseException | None] = asyncio.Queue()
        self._over = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        event: Event | BaseException | None = None
        while True:
            self._room.acquire()
            try:
                event = self._process.read()
            except BaseException as error:
                event = error
            try:
                self._loop.call_soon_threadsafe(self._queue.put_nowait, event)
            except RuntimeError:
                # The loop was closed with the turn still running.
                self._process.cancel()
                while not self._process.over:
                    self._process.read()
                return
            if event is None or isinstance(event, BaseException):
                return

    async def next(self) -> Event | None:
        if self._over:
            return None
        event = await self._queue.get()
        self._room.release()
        if event is None or isinstance(event, BaseException):
            self._over = True
            if event is not None:
                raise event
            return None
        return event


class AsyncTurn:
    """The events of a turn, read once: ``async for event in turn``. Leaving the ``async with`` block ends the turn."""

    def __init__(self, program: Program, prompt: str, options: TurnOptions) -> None:
        self._options = options
        self._prepared = PreparedTurn(prompt, options)
        self._collected = Collector()
        self._steered = 0
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._calls: dict[str, ToolContext] = {}
        self._process = ExecProcess(program, self._prepared)
        self._reader = Reader(self._process)

    async def __aenter__(self) -> AsyncTurn:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def __aiter__(self) -> AsyncIterator[Event]:
        try:
            while (event := await self._next()) is not None:
                yield event
        finally:
            await self.aclose()

    async def _next(self) -> Event | None:
        event = await self._reader.next()
        if event is not None:
            self._collected.hear(event)
            self._react(event)
        return event

    @property
    def over(self) -> bool:
        return self._process.over

    async def aclose(self) -> None:
        """Ends the turn if it is not over, and waits until nothing of it runs."""
        if self._collected.done is None:
            self._process.cancel()
        while await self._next() is not None:
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

    async def result(self, *, check: bool = True) -> TurnResult:
        """How the turn ended; runs it to its end. Raises TurnError when it failed, unless ``check`` is false."""
        while await self._next() is not None:
            pass
        failure = self._collected.failure() if check else None
        if failure is not None:
            raise failure
        return self._collected.result()

    def _react(self, event: Event) -> None:
        if event["type"] == "tool_call":
            self._start(self._call(event), event["id"])
        elif event["type"] == "permission_request":
            self._start(self._decide(event), event["id"])
        elif event["type"] == "question":
            self._start(self._answer(event), event["id"])
        elif event["type"] == "tool_result":
            self._drop(event["id"])
        elif event["type"] == "done":
            for waiting in list(self._tasks.values()):
                self._drop(waiting)

    def _start(self, work: Coroutine[Any, Any, None], waiting: str) -> None:
        task = asyncio.create_task(work)
        self._tasks[task] = waiting
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

    def _drop(self, waiting: str) -> None:
        """Nobody needs the answer any more: async handlers are cancelled, others see it in their context."""
        context = self._calls.pop(waiting, None)
        if context is not None:
            context.cancelled.set()
        for task, one in self._tasks.items():
            if one == waiting:
                task.cancel()

    async def _call(self, event: ToolCallEvent) -> None:
        context = self._calls[event["id"]] = ToolContext(event["id"])
        try:
            one = self._prepared.tools[event["name"]]
            text, ok = answer_text(await call(one.run, **one.arguments(event["args"], context))), True
        except Exception as error:
            text, ok = str(error) or type(error).__name__, False
        if self._calls.pop(event["id"], None) is not None:
            self._process.send(tool_frame(event["id"], ok, text))

    async def _decide(self, event: PermissionRequestEvent) -> None:
        handler = self._options.get("on_permission")
        try:
            decision: object = "deny" if handler is None else await call(handler, event)
        except Exception as error:
            decision = ("deny", str(error))
        self._process.send(decision_frame(event["id"], decision))

    async def _answer(self, event: QuestionEvent) -> None:
        handler = self._options.get("on_question")
        try:
            answers = None if handler is None else await call(handler, event)
        except Exception:
            # Declined first: the agent waits for it. asyncio logs what a task raises.
            self._process.send(answers_frame(event["id"], None))
            raise
        self._process.send(answers_frame(event["id"], answers))


class AsyncTurnout:
    """An installed turnout, found and asked for its handshake by ``async with AsyncTurnout() as turnout``."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        env: Mapping[str, str] | None = None,
        requires: Sequence[str] = (),
    ) -> None:
        """Raises TurnoutError (missing-binary) when there is none."""
        self._program = Program(path, env)
        self._lister = Lister(self._program)
        self._requires = requires
        self._handshake: Handshake | None = None
        self._turns: list[AsyncTurn] = []
        self.path = self._program.path

    async def __aenter__(self) -> AsyncTurnout:
        """Raises TurnoutError (unsupported) when it is too old."""
        await self.handshake()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends the turns that are still running."""
        turns, self._turns = self._turns, []
        for turn in turns:
            await turn.aclose()

    async def handshake(self) -> Handshake:
        """What the turnout says of itself."""
        if self._handshake is not None:
            return self._handshake
        answer = await asyncio.to_thread(self._program.shake_hands, self._requires)
        self._handshake = answer
        return answer

    def stream(self, prompt: str, **options: Unpack[TurnOptions]) -> AsyncTurn:
        """Begins a turn. Raises UsageError for a wrong option; one that only turnout sees, at the first read."""
        if "runtime" not in options:
            raise UsageError("runtime: missing; use an id from scan(), or auto", path="runtime")
        self._turns = [turn for turn in self._turns if not turn.over]
        turn = AsyncTurn(self._program, prompt, options)
        self._turns.append(turn)
        return turn

    async def exec(self, prompt: str, **options: Unpack[TurnOptions]) -> TurnResult:
        """Runs a turn to its end. Raises TurnError when it fails."""
        async with self.stream(prompt, **options) as turn:
            return await turn.result()

    async def scan(self, *, all: bool = False, installed: bool = False, probe: bool = False) -> Scan:
        """Which runtimes there are and what they can do. Starts nothing without ``probe``."""
        return await asyncio.to_thread(self._lister.scan, all=all, installed=installed, probe=probe)

    async def models(self, runtime: str) -> Models:
        """The models that a runtime offers. Starts it. Raises TurnoutError when it can't be asked."""
        return await asyncio.to_thread(self._lister.models, runtime)

    async def sessions(self, runtime: str, *, cwd: str | os.PathLike[str] = ".") -> Sessions:
        """The sessions of a runtime in a folder, newest first: their ids are for ``resume``."""
        return await asyncio.to_thread(self._lister.sessions, runtime, cwd)
