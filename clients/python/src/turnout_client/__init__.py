"""Run any coding agent on your machine through Turnout."""

from ._async import AsyncTurn, AsyncTurnout
from ._errors import ServerError, TurnError, TurnoutError, UsageError
from ._events import (
    AssistantEvent,
    DoneEvent,
    ErrorEvent,
    Event,
    PatchEvent,
    PermissionRequestEvent,
    PlanEvent,
    QuestionEvent,
    ResultEvent,
    SessionEvent,
    StartEvent,
    StatusEvent,
    SubagentEvent,
    ThinkingEvent,
    ToolActivityEndEvent,
    ToolActivityStartEvent,
    ToolCallEvent,
    ToolResultEvent,
    Totals,
    UsageEvent,
)
from ._listing import Model, Models, Sessions, StoredSession
from ._options import Choice, Decision, TurnOptions
from ._program import Handshake
from ._result import TurnResult
from ._scan import Scan
from ._server import Run, Server
from ._sync import Turn, Turnout
from ._tools import Tool, ToolContext, tool

__version__ = "0.1.0"

__all__ = [
    "AssistantEvent",
    "AsyncTurn",
    "AsyncTurnout",
    "Choice",
    "Decision",
    "DoneEvent",
    "ErrorEvent",
    "Event",
    "Handshake",
    "Model",
    "Models",
    "PatchEvent",
    "PermissionRequestEvent",
    "PlanEvent",
    "QuestionEvent",
    "ResultEvent",
    "Run",
    "Scan",
    "Server",
    "ServerError",
    "SessionEvent",
    "Sessions",
    "StartEvent",
    "StatusEvent",
    "StoredSession",
    "SubagentEvent",
    "ThinkingEvent",
    "Tool",
    "ToolActivityEndEvent",
    "ToolActivityStartEvent",
    "ToolCallEvent",
    "ToolContext",
    "ToolResultEvent",
    "Totals",
    "Turn",
    "TurnError",
    "TurnOptions",
    "TurnResult",
    "Turnout",
    "TurnoutError",
    "UsageError",
    "UsageEvent",
    "tool",
]
