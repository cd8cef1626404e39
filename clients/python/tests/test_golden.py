"""The golden streams that the clients of all languages read, and the events' types against the schema."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, get_origin

from turnout_client import Turnout, TurnoutError, _events
from turnout_client._events import NotRequired

if sys.version_info >= (3, 11):
    from typing import get_type_hints
else:
    from typing_extensions import get_type_hints

from .common import FAKE, GOLDEN, HELLO, ROOT, expected, played


class Golden(unittest.TestCase):
    def test_every_golden_stream_comes_to_what_is_expected(self) -> None:
        names = {path.stem for path in GOLDEN.glob("*.ndjson")}
        self.assertEqual(names, set(expected()))
        for name, wanted in expected().items():
            with self.subTest(name), Turnout(FAKE, env=played(GOLDEN / f"{name}.ndjson", wanted["exit_code"])) as turnout:
                turn = turnout.stream("anything", runtime="demo")
                events = list(turn)
                result = turn.result(check=False)
                failure = None
                try:
                    turn.result()
                except TurnoutError as error:
                    failure = error.code
                got = {
                    "events": len(events),
                    "exit_code": result.exit_code,
                    "stop_reason": result.stop_reason,
                    "output": result.output,
                    "error": failure,
                    "session_id": result.session_id,
                    "tools": [event["name"] for event in events if event["type"] == "tool_call"],
                    "usage": result.usage,
                }
                self.assertEqual(got, wanted)

    def test_an_unknown_event_and_unknown_fields_pass_through(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            stream = Path(folder, "stream.ndjson")
            done = {"v": 1, "type": "done", "exit_code": 0, "stop_reason": "end_turn", "duration_ms": 1, "new": [1]}
            news = {"v": 1, "type": "news", "x": "y" * 900_000}
            stream.write_text(f"{json.dumps(news)}\nnot json\n{json.dumps(done)}\n", encoding="utf-8")
            with Turnout(FAKE, env=played(stream)) as turnout:
                self.assertEqual(list(turnout.stream("x", runtime="demo")), [news, done])

    def test_a_stream_that_breaks_off_ends_in_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            stream = Path(folder, "stream.ndjson")
            stream.write_text('{"v":1,"type":"assistant","text":"half","message_id":"m1"}\n', encoding="utf-8")
            with Turnout(FAKE, env=played(stream, 3)) as turnout:
                turn = turnout.stream("x", runtime="demo")
                self.assertEqual([event["type"] for event in turn], ["assistant", "error", "done"])
                self.assertIn("exit code 3", str(turn._collected.failure()))

    def test_a_program_that_is_not_turnout_or_too_old_is_refused(self) -> None:
        for hello, words in (
            ({**HELLO, "protocol": 2}, "speaks protocol 2"),
            ({**HELLO, "capabilities": []}, "agent-exec"),
            ({**HELLO, "name": "other"}, "does not answer as turnout does"),
        ):
            with self.assertRaisesRegex(TurnoutError, words) as caught:
                Turnout(FAKE, env=played("/dev/null", hello=hello))
            self.assertEqual(caught.exception.code, "unsupported")

    def test_the_types_are_those_of_the_schema(self) -> None:
        schema: dict[str, Any] = json.loads((ROOT / "schemas" / "event.json").read_text(encoding="utf-8"))
        for one in schema["oneOf"]:
            name = one["$ref"].rsplit("/", 1)[1]
            kind = getattr(_events, f"{name.title().replace('_', '')}Event")
            described = schema["$defs"][name]
            if "$ref" in described:
                described = schema["$defs"][described["$ref"].rsplit("/", 1)[1]]
            self.assertEqual(set(get_type_hints(kind)), set(described["properties"]), name)
            hints = get_type_hints(kind, include_extras=True)
            required = {key for key, hint in hints.items() if get_origin(hint) is not NotRequired}
            self.assertEqual(required, set(described["required"]), name)
