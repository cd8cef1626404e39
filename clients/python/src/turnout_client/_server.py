"""A running `turnout agent serve --transport http`: its runs, their events, and what they ask."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, cast
from urllib.parse import urlsplit

from ._errors import ServerError, TurnoutError
from ._events import Event
from ._program import parse_object

# Waits before a follower that lost its connection tries again, in seconds.
AGAIN = (0.2, 0.5, 1.0, 2.0, 4.0)


class Reply:
    """The lines of one answer, streamed. Close it to hang up."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response

    def __enter__(self) -> Reply:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._response.close()
        self._connection.close()

    def lines(self) -> Iterator[dict[str, Any]]:
        """Raises ConnectionError when the answer ends before its `done`."""
        try:
            while line := self._response.readline():
                said = parse_object(line.decode("utf-8", "replace"))
                if said is None:
                    continue
                yield said
                if said.get("kind") == "done":
                    return
        except (http.client.HTTPException, TimeoutError) as error:
            raise ConnectionError(f"the answer broke off: {error}") from error
        raise ConnectionError("the answer ended before its last line")


class Run:
    """A turn on the server: iterate over its events; ``result`` is the server's summary once they have ended."""

    def __init__(self, server: Server, reply: Reply) -> None:
        self._server = server
        self._reply = reply
        self._lines = reply.lines()
        self.result: dict[str, Any] | None = None
        self.seq = 0
        """Number of the last event that was read: the cursor for :meth:`Server.events`."""
        first = next(self._lines)
        if first.get("kind") != "progress":
            failure(first, self._lines)
        self.run_id = str(first.get("run_id"))
        self.session_id = first.get("session_id")

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Hangs up: unless it was detached, the run ends with its caller."""
        self._reply.close()

    def __iter__(self) -> Iterator[Event]:
        """Raises ServerError for a refusal. After a ConnectionError, go on with ``server.events(run_id, since=seq)``."""
        for line in self._lines:
            if line.get("kind") == "event":
                self.seq = int(line["seq"])
                yield cast(Event, line["event"])
            elif line.get("kind") == "result":
                self.result = line
            elif line.get("kind") == "error":
                raise_error(line)

    def tool_result(self, call_id: str, result: object, *, ok: bool = True) -> None:
        """Answers a `tool_call` event."""
        self._server.call("tool_result", run_id=self.run_id, call_id=call_id, result=result, ok=ok)

    def approve(self, choice: str, *, request_id: str | None = None, message: str | None = None) -> None:
        """Answers a `permission_request` event: allow_once, allow_session or deny; the oldest when no id is given."""
        self._server.call("approve", run_id=self.run_id, choice=choice, request_id=request_id, message=message)

    def answer(self, answers: Mapping[str, Any], *, question_id: str | None = None) -> None:
        """Answers a `question` event; an empty mapping declines."""
        self._server.call("answer", run_id=self.run_id, answers=dict(answers), question_id=question_id)

    def steer(self, text: str) -> None:
        """Guidance for the running agent."""
        self._server.call("steer", run_id=self.run_id, text=text)

    def cancel(self) -> None:
        """Ends the run; go on reading until its last event."""
        self._server.call("cancel", run_id=self.run_id)


class Server:
    """A server's address and token. Each call is a request of its own, so threads may share one. `docs/server.md` lists all keys."""

    def __init__(self, url: str = "http://127.0.0.1:9090", *, token: str | None = None, timeout: float | None = 60) -> None:
        """``timeout`` in seconds: the longest wait for one line of an answer; streams of events wait without limit."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"not an http or https address: {url!r}")
        self._kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host, self._port, self._base = parts.hostname, parts.port, parts.path.rstrip("/")
        self._token = token
        self._timeout = timeout

    def _post(self, request: Mapping[str, Any], timeout: float | None) -> Reply:
        connection = self._kind(self._host, self._port, timeout=timeout)
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        body = json.dumps({key: value for key, value in request.items() if value is not None})
        try:
            connection.request("POST", f"{self._base}/v1/agent", body=body.encode("utf-8"), headers=headers)
            response = connection.getresponse()
            if response.status == 200:
                return Reply(connection, response)
            said = parse_object(response.read(65536).decode("utf-8", "replace")) or {}
        except (http.client.HTTPException, TimeoutError) as error:
            connection.close()
            raise ConnectionError(f"no answer from {self._host}: {error}") from error
        except OSError:
            connection.close()
            raise
        connection.close()
        raise ServerError(str(said.get("code", "http")), str(said.get("message", response.reason)), status=response.status)

    def call(self, op: str, **keys: Any) -> dict[str, Any]:
        """One op that is not a stream. Returns its `result`. Raises ServerError for a refusal."""
        with self._post({"op": op, **keys}, self._timeout) as reply:
            result: dict[str, Any] = {}
            for line in reply.lines():
                if line.get("kind") == "error":
                    raise_error(line)
                if line.get("kind") == "result":
                    result = {key: value for key, value in line.items() if key != "kind"}
            return result

    def run(self, prompt: str, *, runtime: str, **keys: Any) -> Run:
        """Begins a turn: `server.run("…", runtime="claude", access="edit", tools=[…], session="last", detach=True)`."""
        return Run(self, self._post({"op": "exec", "runtime": runtime, "prompt": prompt, **keys}, None))

    def events(self, run_id: str, *, since: int = 0, follow: bool = True) -> Iterator[tuple[int, Event]]:
        """Numbered events of a run after ``since``; with ``follow`` until it ends, through lost connections."""
        failed = 0
        while True:
            try:
                with self._post({"op": "events", "run_id": run_id, "since": since, "follow": follow}, None) as reply:
                    for line in reply.lines():
                        if line.get("kind") == "error":
                            raise_error(line)
                        if line.get("kind") == "gap":
                            since = int(line["to"])
                        if line.get("kind") == "event":
                            since, failed = int(line["seq"]), 0
                            yield since, cast(Event, line["event"])
                    return
            except (ConnectionError, OSError):
                if not follow or failed >= len(AGAIN):
                    raise
                time.sleep(AGAIN[failed])
                failed += 1

    def runs(self, **keys: Any) -> list[dict[str, Any]]:
        """Runs, newest first: `limit`, `status`, `session`, `since="24h"`."""
        return cast("list[dict[str, Any]]", self.call("runs", **keys).get("runs", []))

    def sessions(self, **keys: Any) -> list[dict[str, Any]]:
        """Sessions, newest first: `limit`, `cwd`, `since`."""
        return cast("list[dict[str, Any]]", self.call("sessions", **keys).get("sessions", []))

    def scan(self, **keys: Any) -> Sequence[dict[str, Any]]:
        """The runtimes of the server's machine: `all`, `installed`, `probe`."""
        return cast("list[dict[str, Any]]", self.call("scan", **keys).get("agents", []))

    def models(self, runtime: str) -> list[dict[str, Any]]:
        """The models that a runtime offers."""
        return cast("list[dict[str, Any]]", self.call("models", runtime=runtime).get("models", []))


def raise_error(line: Mapping[str, Any]) -> None:
    raise ServerError(str(line.get("code", "usage")), str(line.get("message", "refused")), status=200)


def failure(first: dict[str, Any], rest: Iterator[dict[str, Any]]) -> None:
    """A run that did not begin: the error is in the first lines."""
    for line in (first, *rest):
        if line.get("kind") == "error":
            raise_error(line)
    raise TurnoutError("runner-error", "the server did not begin a run")
