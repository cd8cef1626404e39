"""Tools of the host: a function with type hints becomes a tool that the agent can call."""

from __future__ import annotations

import inspect
import json
import threading
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload

from ._errors import UsageError

Schema = dict[str, Any]
F = TypeVar("F", bound=Callable[..., Any])
SIMPLE: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


class ToolContext:
    """What a running tool may know of its call: give a parameter this type to get it."""

    def __init__(self, call_id: str) -> None:
        self.id = call_id
        """``tc_1``, ``tc_2``, … as in the events."""
        self.cancelled = threading.Event()
        """Set when the answer is no longer needed."""


@dataclass(frozen=True)
class Tool:
    """A tool: what the model reads, what it accepts, and the function (plain or async) that does the work."""

    name: str
    description: str
    schema: Schema
    run: Callable[..., Any]
    context: str | None = None
    """Name of the parameter that gets the :class:`ToolContext`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs)

    def arguments(self, args: dict[str, Any], context: ToolContext) -> dict[str, Any]:
        return args if self.context is None else {**args, self.context: context}


def schema_of(hint: Any, where: str) -> Schema:
    """The JSON Schema of a type hint. Raises TypeError for a type that has none here."""
    if hint is Any:
        return {}
    if hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    origin, args = get_origin(hint), get_args(hint)
    if hint is list or origin is list:
        return {"type": "array", "items": schema_of(args[0], where)} if args else {"type": "array"}
    if hint is dict or (origin is dict and args[0] is str):
        return {"type": "object", "additionalProperties": schema_of(args[1], where)} if args else {"type": "object"}
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one, where) for one in args]}
    raise TypeError(f"{where}: no JSON Schema for {hint!r}; give the tool a schema of its own: @tool(schema={{…}})")


def read_function(run: Callable[..., Any], name: str, description: str | None, schema: Schema | None) -> Tool:
    hints = get_type_hints(run)
    properties: dict[str, Schema] = {}
    required: list[str] = []
    context: str | None = None
    for parameter in inspect.signature(run).parameters.values():
        hint = hints.get(parameter.name, Any)
        if hint is ToolContext:
            context = parameter.name
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            if schema is not None:
                continue
            raise TypeError(f"{name}: parameter {parameter.name} can't be given by name")
        if schema is None:
            properties[parameter.name] = schema_of(hint, f"{name}: {parameter.name}")
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    made: Schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Tool(name, description or inspect.getdoc(run) or name, made if schema is None else schema, run, context)


@overload
def tool(run: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *, name: str | None = None, description: str | None = None, schema: Schema | None = None
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    run: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    schema: Schema | None = None,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Makes a tool of a function: its name, docstring and type hints are what the agent sees.

    Raises TypeError where a hint has no JSON Schema and none is given.
    """

    def make(function: Callable[..., Any]) -> Tool:
        return read_function(function, name or function.__name__, description, schema)

    return make if run is None else make(run)


def by_name(tools: Iterable[Tool | Callable[..., Any]]) -> dict[str, Tool]:
    """Raises UsageError when two have the same name."""
    found: dict[str, Tool] = {}
    for one in tools:
        made = one if isinstance(one, Tool) else tool(one)
        if made.name in found:
            raise UsageError(f'tools: two tools are called "{made.name}"', path="tools")
        found[made.name] = made
    return found


def answer_text(value: object) -> str:
    """A string as it is, None as nothing, anything else as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, dict):
        only = cast("dict[str, Any]", value)
        if list(only) == ["text"] and isinstance(only["text"], str):
            return only["text"]
    return json.dumps(value, ensure_ascii=False)
