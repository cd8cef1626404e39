"""Generated from schemas/scan.json by scripts/generate_types.py. Do not edit."""

from __future__ import annotations

import sys

from typing import Literal, TypeAlias, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

AccessMode: TypeAlias = Literal['scoped', 'none', 'read', 'edit', 'full']


Gaps: TypeAlias = list[Literal['read_outside', 'write', 'shell', 'network']]


SandboxMode: TypeAlias = Literal['read-only', 'restricted', 'workspace-write', 'full']


NativeSandbox: TypeAlias = Literal['read-only', 'restricted', 'workspace-write', 'full', 'none', 'turnout', 'monomind']


Approvals: TypeAlias = Literal['on', 'off', 'n/a']


class Report(TypedDict):
    native_sandbox: NativeSandbox
    approvals: Approvals


class Install1(TypedDict):
    kind: Literal['npm']
    packages: list[str]


class Install2(TypedDict):
    kind: Literal['script']
    url: str
    shell: Literal['bash', 'sh']


class Install3(TypedDict):
    kind: Literal['manual']


Install: TypeAlias = Install1 | Install2 | Install3


BrokenRunner = TypedDict(
    'BrokenRunner',
    {
        'runner': str,
        'from': str,
        'code': Literal['load', 'shape', 'taken', 'untrusted', 'config'],
        'reason': str,
    },
)


class Entry(TypedDict):
    id: str
    aliases: NotRequired[list[str]]
    builtin: NotRequired[Literal[True]]
    installed: bool
    binary: str | None
    version: str | None
    version_source: Literal['package.json', 'install-path', 'exec', 'not-probed'] | None
    newer_than_tested: bool | None
    known_bad: NotRequired[str]
    tested_versions: list[str]
    install_hint: str
    install: Install
    login_hint: str | None
    transport: str
    streams_incrementally: bool
    full_access: bool
    access_modes: list[AccessMode]
    confinement: dict[AccessMode, Literal['os', 'program', 'both', 'none']]
    access_gaps: dict[AccessMode, Gaps]
    caller_tools: bool
    caller_tools_with_full_access: bool
    tool_transport: Literal['native', 'mcp', 'prompt', 'none']
    parallel_calls: bool
    tool_result_limit: int | None
    native_sandbox: NativeSandbox
    approvals: Approvals
    asks_questions: bool
    asks_permission: list[AccessMode]
    sandbox_modes: list[SandboxMode]
    sandbox_mode_reports: dict[SandboxMode, Report]
    tool_activity_fidelity: Literal['full', 'start-only', 'none']
    resume: bool
    effort: bool
    max_turns: bool
    reports_cost: bool
    silent_retries: bool
    prompt_in_argv: bool
    settings_loaded: list[str]
    init_target: str | None
    execution_supported: bool
    execution_unsupported_reason: NotRequired[str]
    notes: NotRequired[list[str]]


class Scan(TypedDict):
    v: Literal[1]
    agents: list[Entry]
    broken_runners: NotRequired[list[BrokenRunner]]
