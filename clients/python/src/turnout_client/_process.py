"""One `turnout agent exec` as a process: lines from its stdout, frames to its stdin, and a way to end it."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from typing import Any, cast

from ._errors import TurnoutError
from ._events import DoneEvent, ErrorEvent, Event
from ._options import PreparedTurn
from ._program import INSTALL, WINDOWS, Program, parse_object, spawn_options, usage_of

# It promises to be gone 4 s after a cancel.
TERM_AFTER = 5.0
KILL_AFTER = 1.5
STDERR_KEPT = 64 * 1024


class ExecProcess:
    """Reading is blocking and done by one thread at a time; frames may be sent from any thread."""

    def __init__(self, program: Program, turn: PreparedTurn) -> None:
        """Starts it. Raises TurnoutError when it can't be started."""
        self._turn = turn
        self._frames: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._stderr = b""
        self._timers: list[threading.Timer] = []
        self._cancels = 0
        self._begun = False
        self._ended = False
        self._broken = False
        self.over = False
        try:
            self._child = subprocess.Popen(
                [*program.argv, "agent", "exec", *turn.argv],
                env=program.env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **spawn_options(),
            )
        except OSError as error:
            turn.close()
            message = f"{program.path} can't be started: {error.strerror}"
            raise TurnoutError("missing-binary", message, hint=INSTALL) from error
        self._ears = threading.Thread(target=self._read_stderr, daemon=True)
        self._ears.start()
        # A prompt may be longer than a pipe holds; so a thread writes.
        self.send(turn.frame)
        threading.Thread(target=self._write, daemon=True).start()

    def _read_stderr(self) -> None:
        assert self._child.stderr is not None
        with self._child.stderr as pipe:
            while chunk := os.read(pipe.fileno(), 65536):
                self._stderr = (self._stderr + chunk)[-STDERR_KEPT:]

    def _write(self) -> None:
        assert self._child.stdin is not None
        try:
            with self._child.stdin as pipe:
                while (frame := self._frames.get()) is not None:
                    pipe.write(json.dumps(frame).encode("ascii") + b"\n")
                    pipe.flush()
        except OSError:
            pass  # It has gone, and needs no frames any more; its stdout tells the rest.

    def send(self, frame: dict[str, Any]) -> None:
        """In the order of the calls; returns at once."""
        self._frames.put(frame)

    def cancel(self) -> None:
        """Asks; ends the process after 5 s, kills it after 1.5 more. A second call asks not to wait."""
        if self.over:
            return
        self._cancels += 1
        self.send({"v": 1, "type": "cancel"})
        if self._cancels == 1:
            self._later(TERM_AFTER, signal.SIGTERM)
            self._later(TERM_AFTER + KILL_AFTER, None)

    def _later(self, seconds: float, name: int | None) -> None:
        timer = threading.Timer(seconds, self._signal, args=(name,))
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def _signal(self, name: int | None) -> None:
        if self._child.poll() is not None:
            return
        if WINDOWS:
            self._child.kill()
            return
        try:
            os.killpg(self._child.pid, signal.SIGKILL if name is None else name)
        except ProcessLookupError:
            pass  # Gone already.

    def read(self) -> Event | None:
        """The next event, None after the last. Raises UsageError or TurnoutError where no event came."""
        assert self._child.stdout is not None
        while not self.over:
            line = b"" if self._ended else self._child.stdout.readline()
            if line == b"":
                return self._finish()
            event = parse_object(line.decode("utf-8", "replace"))
            if event is None or event.get("v") != 1 or not isinstance(event.get("type"), str):
                continue
            if not self._begun:
                self._begun = True
                # Whatever it says first, it has read the files by then.
                self._turn.close()
            self._ended = event["type"] == "done"
            return cast(Event, event)
        return None

    def _finish(self) -> Event | None:
        """It closed its stdout: waits for the process, and ends a stream that was cut off."""
        if self._ended:
            self._close()
            return None
        code = self._child.wait()
        self._ears.join(1)
        stderr = self._stderr.decode("utf-8", "replace").strip()
        failure = usage_of(stderr) if code == 2 and not self._begun else None
        if failure is not None:
            self._close()
            raise failure
        tail = f"\n{stderr}" if stderr else ""
        message = f"turnout ended (exit code {code}) before the turn was over{tail}"
        if not self._begun:
            self._close()
            raise TurnoutError("runner-error", message)
        if self._broken:
            self._ended = True
            done: DoneEvent = {"v": 1, "type": "done", "exit_code": 1, "stop_reason": "error", "duration_ms": 0}
            return done
        self._broken = True
        error: ErrorEvent = {"v": 1, "type": "error", "code": "runner-error", "message": message, "fatal": False}
        return error

    def _close(self) -> None:
        self.over = True
        self._turn.close()
        self._frames.put(None)
        if self._child.stdout is not None:
            self._child.stdout.close()
        self._child.wait()
        self._ears.join(1)
        for timer in self._timers:
            timer.cancel()
