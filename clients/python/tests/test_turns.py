"""Turns of the demo runtime through the real turnout."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Literal

from turnout_client import AsyncTurnout, Event, ToolContext, TurnError, Turnout, TurnoutError, UsageError, tool

from .common import ENV, MARK, TURNOUT, leftovers


@tool
def add(a: int, b: int = 1) -> int:
    """Adds two numbers."""
    return a + b


def new() -> Turnout:
    return Turnout(TURNOUT, env=ENV)


class Sync(unittest.TestCase):
    def test_exec_returns_the_answer_and_what_it_used(self) -> None:
        with new() as turnout:
            result = turnout.exec("say grüße", runtime="demo")
            self.assertEqual((result.output, result.ok, result.exit_code), ("grüße", True, 0))
            self.assertIsInstance(result.usage["input_tokens"], int)
            again = turnout.exec("say again", runtime="demo", resume=result.session_id or "")
            self.assertEqual(again.session_id, result.session_id)

    def test_tools_run_here_and_what_they_raise_reaches_the_agent(self) -> None:
        @tool
        def breaks() -> str:
            """Raises."""
            raise ValueError("no such record")

        with new() as turnout:
            self.assertIn("5", turnout.exec('tool add {"a":2,"b":3}', runtime="demo", tools=[add]).output or "")
            with turnout.stream("tool breaks {}", runtime="demo", tools=[breaks]) as turn:
                results = [event for event in turn if event["type"] == "tool_result"]
            self.assertEqual([(one["ok"], "no such record" in one["result"]["text"]) for one in results], [(False, True)])

    def test_a_tool_sees_that_its_answer_is_no_longer_needed(self) -> None:
        seen = threading.Event()

        def waits(context: ToolContext) -> str:
            """Waits."""
            if context.cancelled.wait(20):
                seen.set()
            return "late"

        with new() as turnout, turnout.stream("tool waits {}", runtime="demo", tools=[waits]) as turn:
            for event in turn:
                if event["type"] == "tool_call":
                    turn.cancel()
        self.assertEqual(turn.result(check=False).exit_code, 130)
        self.assertTrue(seen.wait(10))

    def test_permissions_and_questions_are_answered(self) -> None:
        with new() as turnout:
            allowed = turnout.exec("ask", runtime="demo", on_permission=lambda event: "allow_once")
            self.assertIn("allow_once", allowed.output or "")
            denied = turnout.exec("ask", runtime="demo", on_permission=lambda event: ("deny", "not today"))
            self.assertIn("not today", denied.output or "")
            wrong = turnout.exec("ask", runtime="demo", on_permission=lambda event: "yes")
            self.assertIn("the host answered 'yes'", wrong.output or "")

    def test_a_failed_turn_raises_with_what_was_said(self) -> None:
        with new() as turnout:
            with self.assertRaises(TurnError) as caught:
                turnout.exec("auth", runtime="demo")
            self.assertEqual(caught.exception.code, "auth")
            self.assertEqual(caught.exception.result.exit_code, 1)
            with self.assertRaises(TurnError) as late:
                turnout.exec("hang", runtime="demo", timeout=0.5)
            self.assertEqual((late.exception.code, late.exception.reason), ("timeout", "deadline"))

    def test_wrong_options_are_usage_errors_that_name_them(self) -> None:
        with new() as turnout:
            for options, path in (
                ({"runtime": "demo", "acces": "edit"}, "acces"),
                ({}, "runtime"),
                ({"runtime": "demo", "max_turns": 0}, "max_turns"),
                ({"runtime": "demo", "cwd": "/no/such/folder"}, "cwd"),
                ({"runtime": "demo", "allow_bash_prefix": ["a,b"]}, "allow_bash_prefix"),
            ):
                with self.subTest(path), self.assertRaises(UsageError) as caught:
                    turnout.exec("hello", **options)  # type: ignore[arg-type]
                self.assertEqual(caught.exception.path, path)
        with self.assertRaises(TurnoutError) as missing:
            Turnout("/no/such/turnout")
        self.assertEqual(missing.exception.code, "missing-binary")

    def test_everything_of_a_turn_goes_over_in_private_files_that_are_removed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            before, tempfile.tempdir = tempfile.tempdir, folder
            try:
                with new() as turnout:
                    big = "x" * 300_000
                    kept = turnout.exec(f"say {big}", runtime="demo", system="be kind", env={"A": "1", "B": "1\n2"})
                    self.assertEqual(len(kept.output or ""), 300_000)
                    env = turnout.exec("env B", runtime="demo", env={"B": "1\n2"})
                    self.assertIn("1\n2", env.output or "")
            finally:
                tempfile.tempdir = before
            self.assertEqual(os.listdir(folder), [])

    def test_leaving_the_loop_ends_the_turn_and_leaves_no_process(self) -> None:
        with new() as turnout:
            for event in turnout.stream("hang", runtime="demo"):
                if event["type"] == "assistant":
                    break
            with turnout.stream("hang hard", runtime="demo") as turn:
                turn.cancel()
            self.assertEqual(turn.result(check=False).stop_reason, "cancelled")
        self.assertEqual(leftovers(), [])

    def test_guidance_reaches_the_agent(self) -> None:
        steered_already = threading.Event()

        @tool
        def wait() -> str:
            """Waits."""
            steered_already.wait(20)
            return "waited"

        with new() as turnout, turnout.stream("tool wait {} then say The end.", runtime="demo", tools=[wait]) as turn:
            steered: list[Event] = []
            for event in turn:
                if event["type"] == "tool_call":
                    turn.steer("be brief")
                    steered_already.set()
                if event["type"] == "status" and "steer" in event:
                    steered.append(event)
        self.assertEqual(len(steered), 1)

    def test_structured_answers_and_listings(self) -> None:
        with new() as turnout:
            schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
            result = turnout.exec('json {"a":2}', runtime="demo", output_schema=schema)
            self.assertEqual(result.structured, {"a": 2})
            self.assertIn("demo", [agent["id"] for agent in turnout.scan(all=True)["agents"]])
            self.assertIn("demo-1", [model["id"] for model in turnout.models("demo")["models"]])
            self.assertIn(result.session_id, [one["id"] for one in turnout.sessions("demo")["sessions"]])
            with self.assertRaises(TurnoutError):
                turnout.models("no-such-runtime")

    @unittest.skipUnless(sys.platform == "linux", "needs /proc")
    def test_nothing_outlives_a_killed_program(self) -> None:
        script = f"""
from turnout_client import Turnout
for event in Turnout({TURNOUT!r}).stream("hang hard", runtime="demo"):
    print(event["type"], flush=True)
"""
        path = str(Path(__file__).resolve().parents[1] / "src")
        env = {**ENV, "PYTHONPATH": path}
        child = subprocess.Popen([sys.executable, "-c", script], env=env, stdout=subprocess.PIPE)
        assert child.stdout is not None
        while child.stdout.readline().strip() != b"assistant":
            self.assertIsNone(child.poll())
        self.assertTrue(any(MARK in one or "turnout" in one for one in leftovers()))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        deadline = time.monotonic() + 10
        while leftovers() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(leftovers(), [])


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_turns_side_by_side_with_plain_and_async_tools(self) -> None:
        async def double(n: int) -> int:
            """Doubles."""
            await asyncio.sleep(0)
            return 2 * n

        async with AsyncTurnout(TURNOUT, env=ENV) as turnout:
            first, second = await asyncio.gather(
                turnout.exec('tool double {"n":21}', runtime="demo", tools=[double]),
                turnout.exec('tool add {"a":2}', runtime="demo", tools=[add]),
            )
            self.assertIn("42", first.output or "")
            self.assertIn("3", second.output or "")
            self.assertIn("agent-exec", (await turnout.handshake())["capabilities"])
            self.assertTrue((await turnout.models("demo"))["supported"])

    async def test_async_handlers_and_errors(self) -> None:
        async def allow(event: object) -> str:
            return "allow_once"

        async with AsyncTurnout(TURNOUT, env=ENV) as turnout:
            self.assertIn("allow_once", (await turnout.exec("ask", runtime="demo", on_permission=allow)).output or "")
            with self.assertRaises(UsageError):
                await turnout.exec("hello", runtime="demo", cwd="/no/such/folder")
            with self.assertRaises(TurnError):
                await turnout.exec("auth", runtime="demo")

    async def test_a_cancelled_task_ends_its_turn(self) -> None:
        async with AsyncTurnout(TURNOUT, env=ENV) as turnout:
            begun = asyncio.Event()

            async def watch() -> None:
                async with turnout.stream("hang hard", runtime="demo") as turn:
                    async for event in turn:
                        if event["type"] == "assistant":
                            begun.set()

            task = asyncio.create_task(watch())
            await asyncio.wait_for(begun.wait(), 30)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
        self.assertEqual(leftovers(), [])


class Tools(unittest.TestCase):
    def test_hints_become_a_schema(self) -> None:
        @tool
        def find(text: str, kinds: list[Literal["a", "b"]], limit: int | None = None, *, context: ToolContext) -> None:
            """Finds."""

        self.assertEqual(
            find.schema,
            {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "kinds": {"type": "array", "items": {"enum": ["a", "b"]}},
                    "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                },
                "required": ["text", "kinds"],
                "additionalProperties": False,
            },
        )
        with self.assertRaisesRegex(TypeError, "no JSON Schema"):
            tool(lambda_with(complex))


def lambda_with(hint: type) -> object:
    def run(value: object) -> None:
        """Takes what has no schema."""

    run.__annotations__["value"] = hint
    return run
