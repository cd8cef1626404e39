"""Generated from schemas/event.json by scripts/generate_types.py. Do not edit."""

from __future__ import annotations

import sys

from typing import Any, Literal, TypeAlias, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

V: TypeAlias = Literal[1]


Id: TypeAlias = str


Count: TypeAlias = int


KnownCount: TypeAlias = int | None


KnownCost: TypeAlias = float | None


Pid: TypeAlias = int


Cut: TypeAlias = Literal[True]


AccessMode: TypeAlias = Literal['scoped', 'none', 'read', 'edit', 'full']


NativeSandbox: TypeAlias = Literal['read-only', 'restricted', 'workspace-write', 'full', 'none', 'turnout', 'monomind']


SandboxMode: TypeAlias = Literal['read-only', 'restricted', 'workspace-write', 'full']


Approvals: TypeAlias = Literal['on', 'off', 'n/a']


AccessGap: TypeAlias = Literal['read_outside', 'write', 'shell', 'network']


ToolKind: TypeAlias = Literal['shell', 'edit', 'write', 'read', 'search', 'web', 'mcp', 'task', 'todo', 'patch', 'other']


ToolInput: TypeAlias = dict[str, Any] | None


StopReason: TypeAlias = Literal['end_turn', 'max_tokens', 'refusal', 'tool_round_cap', 'max_turns', 'budget', 'error', 'cancelled', 'interrupted', 'timeout']


NoticeCode: TypeAlias = Literal['approvals-ignored', 'bash-prefix-ignored', 'bash-prefix-steerable', 'budget-unchecked', 'effort-ignored', 'line-dropped', 'questions-ignored', 'sandbox-fallback', 'settings-loaded']


ErrorCode: TypeAlias = Literal['auth', 'quota', 'rate-limited', 'missing-binary', 'no-runner', 'budget', 'unsafe', 'unsupported', 'model-unavailable', 'session-not-found', 'context-full', 'mcp-failed', 'output-schema', 'runner-error', 'timeout', 'cancelled', 'interrupted', 'bad-frame', 'usage']


class Credential(TypedDict):
    kind: Literal['api_key', 'login', 'cloud', 'none', 'unknown']
    source: NotRequired[str]


class Confinement(TypedDict):
    by: Literal['os', 'program', 'both', 'none']
    os: NotRequired[Literal['bwrap', 'seatbelt']]
    network: Literal['open', 'proxy', 'none']


class StartEvent(TypedDict):
    v: V
    type: Literal['start']
    runtime: str
    runtime_version: NotRequired[str | None]
    model: NotRequired[str]
    cwd: str
    resume: NotRequired[str]
    pid: Pid
    child_pid: NotRequired[Pid]
    access: AccessMode
    access_gaps: list[AccessGap]
    native_sandbox: NativeSandbox
    approvals: Approvals
    asks_permission: bool
    settings_loaded: list[str]
    credential: Credential
    confinement: Confinement
    sandbox_requested: NotRequired[SandboxMode]
    workspace: NotRequired[str]
    sandbox_applied: NotRequired[SandboxMode]
    streams_incrementally: bool
    warm: NotRequired[bool]


class McpServer(TypedDict):
    name: str
    status: str
    reason: NotRequired[str]


class Retry(TypedDict):
    attempt: int
    max: KnownCount
    delay_ms: KnownCount
    code: ErrorCode | None


class Steer(TypedDict):
    id: str
    delivered: bool


class Question1(TypedDict):
    id: str
    outcome: Literal['answered', 'declined', 'withdrawn', 'timed-out']


Fallback = TypedDict(
    'Fallback',
    {
        'from': str,
        'to': str,
        'code': str,
    },
)


class StatusEvent(TypedDict):
    v: V
    type: Literal['status']
    phase: Literal['initializing', 'ready', 'notice']
    code: NotRequired[NoticeCode]
    message: NotRequired[str]
    message_truncated: NotRequired[Cut]
    mcp_servers: NotRequired[list[McpServer]]
    retry: NotRequired[Retry]
    steer: NotRequired[Steer]
    question: NotRequired[Question1]
    fallback: NotRequired[Fallback]
    runtime_version: NotRequired[str | None]
    child_pid: NotRequired[Pid]
    access_gaps: NotRequired[list[AccessGap]]
    native_sandbox: NotRequired[NativeSandbox]
    approvals: NotRequired[Approvals]
    asks_permission: NotRequired[bool]
    settings_loaded: NotRequired[list[str]]
    credential: NotRequired[Credential]
    streams_incrementally: NotRequired[bool]


class SessionEvent(TypedDict):
    v: V
    type: Literal['session']
    session_id: Id


class Words(TypedDict):
    v: V
    type: str
    text: str
    text_truncated: NotRequired[Cut]
    message_id: str
    replaces: NotRequired[str]
    parent_tool_use_id: NotRequired[str]


class AssistantEvent(TypedDict):
    v: V
    type: Literal['assistant']
    text: str
    text_truncated: NotRequired[Cut]
    message_id: str
    replaces: NotRequired[str]
    parent_tool_use_id: NotRequired[str]


class ThinkingEvent(TypedDict):
    v: V
    type: Literal['thinking']
    text: str
    text_truncated: NotRequired[Cut]
    message_id: str
    replaces: NotRequired[str]
    parent_tool_use_id: NotRequired[str]


class ToolCallEvent(TypedDict):
    v: V
    type: Literal['tool_call']
    id: str
    name: str
    args: dict[str, Any]


class Result1(TypedDict):
    text: str


class ToolResultEvent(TypedDict):
    v: V
    type: Literal['tool_result']
    id: str
    ok: bool
    result: Result1
    text_truncated: NotRequired[Cut]


class ToolActivityStartEvent(TypedDict):
    v: V
    type: Literal['tool_activity']
    phase: Literal['start']
    id: Id
    name: str
    kind: ToolKind
    input: ToolInput
    parent_tool_use_id: str | None


class ToolActivityEndEvent(TypedDict):
    v: V
    type: Literal['tool_activity']
    phase: Literal['end']
    id: Id
    name: str
    ok: bool
    output: str
    output_truncated: bool
    duration_ms: Count
    denied: NotRequired[bool]
    cancelled: NotRequired[bool]
    exit_code: NotRequired[int]


class Usage1(TypedDict):
    total_tokens: NotRequired[Count]
    tool_uses: NotRequired[Count]
    duration_ms: NotRequired[Count]


class SubagentEvent(TypedDict):
    v: V
    type: Literal['subagent']
    phase: Literal['started', 'progress', 'finished']
    id: Id
    tool_use_id: str
    subagent_type: NotRequired[str]
    description: NotRequired[str]
    prompt: NotRequired[str]
    summary: NotRequired[str]
    usage: NotRequired[Usage1]
    last_tool: NotRequired[str]
    status: NotRequired[Literal['completed', 'failed', 'stopped']]


class Entry(TypedDict):
    content: str
    status: Literal['pending', 'in_progress', 'completed']


class PlanEvent(TypedDict):
    v: V
    type: Literal['plan']
    entries: list[Entry]


class File(TypedDict):
    path: str
    status: Literal['added', 'modified', 'deleted']
    added: int | None
    removed: int | None
    binary: NotRequired[bool]


class PatchEvent(TypedDict):
    v: V
    type: Literal['patch']
    workspace: str
    base: str
    files: list[File]
    digest: str
    path: str
    truncated: NotRequired[Literal[True]]


class PermissionRequestEvent(TypedDict):
    v: V
    type: Literal['permission_request']
    id: str
    tool_use_id: NotRequired[str]
    name: str
    kind: ToolKind
    input: ToolInput
    choices: list[Literal['allow_once', 'allow_session', 'deny']]


class Choice(TypedDict):
    value: str
    label: NotRequired[str]
    description: NotRequired[str]


class Question2(TypedDict):
    id: Id
    question: str
    header: NotRequired[str]
    choices: NotRequired[list[Choice]]
    multi_select: NotRequired[Literal[True]]
    other: NotRequired[Literal[True]]
    secret: NotRequired[Literal[True]]
    required: NotRequired[Literal[True]]


class QuestionEvent(TypedDict):
    v: V
    type: Literal['question']
    id: str
    tool_use_id: NotRequired[str]
    source: Literal['agent', 'mcp']
    title: NotRequired[str]
    questions: list[Question2]
    url: NotRequired[str]
    timeout_ms: NotRequired[Count]


class UsageEvent(TypedDict):
    v: V
    type: Literal['usage']
    input_tokens: KnownCount
    output_tokens: KnownCount
    cached_tokens: NotRequired[KnownCount]
    cost_usd: KnownCost


class ModelUsage(TypedDict):
    input: Count
    output: Count
    cache_read: Count
    cache_creation: Count


class AgentLaunches(TypedDict):
    total: Count
    review: Count


class ResultEvent(TypedDict):
    v: V
    type: Literal['result']
    subtype: Literal['success', 'error']
    runtime: NotRequired[str]
    is_error: bool
    stop_reason: StopReason
    text: NotRequired[str]
    output: NotRequired[str]
    text_omitted: NotRequired[Literal[True]]
    text_truncated: NotRequired[Cut]
    output_truncated: NotRequired[Cut]
    structured: NotRequired[Any]
    input_tokens: KnownCount
    output_tokens: KnownCount
    cost_usd: KnownCost
    model_usage: NotRequired[dict[str, ModelUsage]]
    unexpected_models: NotRequired[list[str]]
    effort: NotRequired[str]
    agent_launches: NotRequired[AgentLaunches]
    peak_context_tokens: NotRequired[Count]
    context_warning: NotRequired[Literal[True]]


class Unread(TypedDict):
    count: Count
    last: str


class ErrorEvent(TypedDict):
    v: V
    type: Literal['error']
    code: ErrorCode
    message: str
    message_truncated: NotRequired[Cut]
    fatal: bool
    reason: NotRequired[Literal['deadline', 'idle', 'startup']]
    hint: NotRequired[str]
    retry_after_ms: NotRequired[Count]
    resets_at: NotRequired[str]
    unread: NotRequired[Unread]


class Totals(TypedDict):
    input_tokens: KnownCount
    output_tokens: KnownCount
    cached_tokens: KnownCount
    cost_usd: KnownCost


class DoneEvent(TypedDict):
    v: V
    type: Literal['done']
    exit_code: int
    stop_reason: StopReason
    duration_ms: Count
    totals: NotRequired[Totals]


Event: TypeAlias = StartEvent | StatusEvent | SessionEvent | AssistantEvent | ThinkingEvent | ToolCallEvent | ToolResultEvent | ToolActivityStartEvent | ToolActivityEndEvent | SubagentEvent | PlanEvent | PatchEvent | PermissionRequestEvent | QuestionEvent | UsageEvent | ResultEvent | ErrorEvent | DoneEvent
