"""Runs of a real server."""

from __future__ import annotations

import http.server
import re
import subprocess
import threading
import unittest

from turnout_client import Server, ServerError
from turnout_client._program import Program

from .common import ENV, TURNOUT

TOKEN = "a-token-of-the-tests"


class Served(unittest.TestCase):
    child: subprocess.Popen[bytes]
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        argv = [*Program(TURNOUT, ENV).argv, "agent", "serve", "--transport", "http", "--port", "0", "--store", "memory"]
        cls.child = subprocess.Popen(argv, env={**ENV, "TURNOUT_TOKEN": TOKEN}, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        assert cls.child.stderr is not None
        for line in cls.child.stderr:
            if found := re.search(rb"http://[\d.]+:\d+", line):
                cls.url = found[0].decode()
                cls.server = Server(cls.url, token=TOKEN)
                return
        raise AssertionError("the server did not start")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.child.terminate()
        cls.child.wait(20)
        assert cls.child.stderr is not None
        cls.child.stderr.close()

    def test_a_run_its_events_and_the_lists(self) -> None:
        with self.server.run("say hi", runtime="demo") as run:
            events = [event["type"] for event in run]
        self.assertEqual((events[0], events[-1]), ("start", "done"))
        assert run.result is not None
        self.assertEqual((run.result["text"], run.seq), ("hi", len(events)))
        again = list(self.server.events(run.run_id, since=2))
        self.assertEqual([seq for seq, _ in again], list(range(3, len(events) + 1)))
        self.assertIn(run.run_id, [one["run_id"] if "run_id" in one else one["id"] for one in self.server.runs()])
        self.assertTrue(self.server.sessions())
        self.assertIn("demo", [one["id"] for one in self.server.scan(all=True)])
        self.assertIn("demo-1", [one["id"] for one in self.server.models("demo")])

    def test_tools_and_permissions_are_answered(self) -> None:
        tools = [{"name": "add", "description": "Adds."}]
        with self.server.run('tool add {"a":2}', runtime="demo", tools=tools) as run:
            for event in run:
                if event["type"] == "tool_call":
                    run.tool_result(event["id"], "five")
        assert run.result is not None
        self.assertIn("five", run.result["text"])
        with self.server.run("ask", runtime="demo", approvals="ask") as run:
            for event in run:
                if event["type"] == "permission_request":
                    run.approve("allow_once", request_id=event["id"])
        assert run.result is not None
        self.assertIn("allow_once", run.result["text"])

    def test_cancel_and_refusals(self) -> None:
        with self.server.run("hang", runtime="demo") as run:
            for event in run:
                if event["type"] == "assistant":
                    run.cancel()
        assert run.result is not None
        self.assertEqual(run.result["status"], "cancelled")
        with self.assertRaisesRegex(ServerError, "unknown op"):
            self.server.call("dance")
        with self.assertRaises(ServerError) as wrong:
            self.server.run("hello", runtime="demo", access="everything")
        self.assertEqual(wrong.exception.status, 200)
        with self.assertRaises(ServerError) as denied:
            Server(self.url, token="another").runs()
        self.assertEqual(denied.exception.status, 401)

    def test_a_follower_goes_on_after_a_lost_connection(self) -> None:
        """The first answer breaks off after two events; the next request asks for what follows."""
        asked: list[bytes] = []

        class Breaks(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()
                for seq in (1, 2) if len(asked) == 1 else (3,):
                    self.wfile.write(b'{"kind":"event","seq":%d,"event":{"v":1,"type":"assistant"}}\n' % seq)
                if len(asked) > 1:
                    self.wfile.write(b'{"kind":"done","exit_code":0}\n')

            def log_message(self, *_: object) -> None:
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Breaks) as broken:
            threading.Thread(target=broken.serve_forever, daemon=True).start()
            follower = Server(f"http://127.0.0.1:{broken.server_address[1]}").events("run_1")
            self.assertEqual([seq for seq, _ in follower], [1, 2, 3])
            broken.shutdown()
        self.assertIn(b'"since": 2', asked[1])
