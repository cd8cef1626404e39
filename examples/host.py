# A host in Python: hands one tool to an agent, runs it when asked, prints the answer.
#   python3 examples/host.py demo 'tool add {"a":2,"b":3}'
import json, os, subprocess, sys, tempfile

runtime = sys.argv[1] if len(sys.argv) > 1 else "demo"
prompt = sys.argv[2] if len(sys.argv) > 2 else 'tool add {"a":2,"b":3}'
turnout = os.environ.get("TURNOUT", "turnout").split(" ")
handlers = {"add": lambda a, b: str(a + b)}
number = {"type": "number"}
schema = {"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]}

with tempfile.TemporaryDirectory() as folder:
    tools = os.path.join(folder, "tools.json")
    with open(tools, "w", encoding="utf-8") as file:
        json.dump([{"name": "add", "description": "Adds two numbers.", "schema": schema}], file)
    argv = [*turnout, "agent", "exec", "--runtime", runtime, "--prompt", prompt,
            "--tools", "stdio", "--tools-file", tools]
    child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    exit_code = 1
    for line in child.stdout:
        event = json.loads(line)
        if event["type"] == "tool_call":
            try:
                ok, text = True, handlers[event["name"]](**event["args"])
            except Exception as error:
                ok, text = False, str(error)
            frame = {"v": 1, "type": "tool_result", "id": event["id"], "ok": ok, "result": {"text": text}}
            child.stdin.write(json.dumps(frame).encode() + b"\n")
            child.stdin.flush()
        elif event["type"] == "assistant":
            print(event["text"], end="", flush=True)
        elif event["type"] == "error":
            print(f"{event['code']}: {event['message']}", file=sys.stderr)
        elif event["type"] == "done":
            exit_code = event["exit_code"]
    print()
sys.exit(exit_code)
