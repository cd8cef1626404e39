"""What SDKs for Python make of our answers. usage: py.py BASE KEY MODEL PROMPTS (JSON with say, said, tool, fail)."""

import json
import sys

import anthropic
import openai
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

base, key, model, prompts = sys.argv[1:5]
prompts = json.loads(prompts)
say, said, tool_prompt, fail = (prompts[name] for name in ("say", "said", "tool", "fail"))


def check(name, work):
    try:
        got = work()
        print(f"pass {name}" if got is True else f"FAIL {name}: {got!r}", flush=True)
    except Exception as error:  # every failure is a line of the report
        print(f"FAIL {name}: {type(error).__name__} {str(error)[:400]}".replace("\n", " "), flush=True)


def holds(text, wanted):
    return True if wanted in str(text) else {"wanted": wanted, "got": text}


messages = [{"role": "user", "content": say}]
client = openai.OpenAI(base_url=f"{base}/v1", api_key=key)


def chat():
    return holds(client.chat.completions.create(model=model, messages=messages).choices[0].message.content, said)


def chat_stream():
    with client.chat.completions.stream(model=model, messages=messages) as stream:
        return holds(stream.get_final_completion().choices[0].message.content, said)


def responses():
    return holds(client.responses.create(model=model, input=say).output_text, said)


def responses_stream():
    with client.responses.stream(model=model, input=say) as stream:
        return holds(stream.get_final_response().output_text, said)


def failure():
    try:
        client.chat.completions.create(model=model, messages=[{"role": "user", "content": fail}])
    except openai.APIStatusError as error:
        return error.status_code in (402, 404, 424, 429) or error.status_code
    return "no error"


check("openai chat", chat)
check("openai chat.stream", chat_stream)
check("openai responses", responses)
check("openai responses.stream", responses_stream)
check("openai: a failure is an error", failure)

claude = anthropic.Anthropic(base_url=base, api_key=key)


def create():
    answer = claude.messages.create(model=model, max_tokens=1000, messages=messages)
    return holds("".join(block.text for block in answer.content), said)


def stream():
    with claude.messages.stream(model=model, max_tokens=1000, messages=messages) as events:
        return holds(events.get_final_text(), said)


check("anthropic messages", create)
check("anthropic messages.stream", stream)


@tool
def add(a: float, b: float) -> str:
    """Adds a and b."""
    return f"{a + b:g}"


for use_responses_api in (False, True):
    llm = ChatOpenAI(model=model, base_url=f"{base}/v1", api_key=key, use_responses_api=use_responses_api)
    name = "LangChain responses" if use_responses_api else "LangChain"
    check(f"{name}: invoke", lambda: holds(llm.invoke(say).text, said))
    check(
        f"{name}: LangGraph react agent",
        lambda: holds(create_react_agent(llm, [add]).invoke({"messages": [("user", tool_prompt)]})["messages"][-1].text, "3"),
    )
