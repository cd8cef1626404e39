/** The words that events, frames and flags share. Plain lists, so that schemas, help texts and checks read the same data. */

/** The access modes, from the least to the most that an agent may do. */
export const ACCESS_MODES = ['scoped', 'none', 'read', 'edit', 'full'] as const;
/** How much a runtime may do with its own tools (`--access`). */
export type AccessMode = (typeof ACCESS_MODES)[number];

/** Who may keep an access mode: the operating system where it can, it alone, or the program alone. */
export const CONFINES = ['auto', 'os', 'none'] as const;
/** Who may keep an access mode (`--confine`). */
export type Confine = (typeof CONFINES)[number];

export const KEEPERS = ['os', 'program', 'both', 'none'] as const;
/** By what an access mode is kept. */
export interface Confinement {
  /** The operating system around the whole program; the program's own sandbox or rules and our answers; both; nothing. */
  by: (typeof KEEPERS)[number];
  os?: 'bwrap' | 'seatbelt';
  /** What the program can reach. */
  network: 'open' | 'proxy' | 'none';
}

/** Where a turn works: in its folder, or in a private copy. */
export const ISOLATIONS = ['none', 'clone', 'worktree'] as const;
/** Where a turn works (`--isolate`). */
export type Isolation = (typeof ISOLATIONS)[number];

/** A runtime's own confinements, from the tightest to none. */
export const SANDBOX_MODES = ['read-only', 'restricted', 'workspace-write', 'full'] as const;
/** A runtime's own confinement (`--sandbox`). */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

export const SANDBOX_FALLBACKS = ['fail', 'strictest', 'run'] as const;
/** What happens where a runtime lacks the sandbox mode asked for (`--sandbox-fallback`). */
export type SandboxFallback = (typeof SANDBOX_FALLBACKS)[number];

/**
 * What stands between the model and a write, as `start` and scan report it. `turnout`: what the program does not class
 * as reading is decided by us, call by call; `restricted`: the program's own rules; `full`: it has a sandbox, which is off.
 * `monomind`: no native tool is offered; said under that name alone.
 */
export type NativeSandbox = SandboxMode | 'none' | 'turnout' | 'monomind';
/** Whether the program's own approval rules decide about its calls; `n/a` where they come to us instead. */
export type Approvals = 'on' | 'off' | 'n/a';

export const UNTOLD_ENDS = ['max_tokens', 'refusal'] as const;
/** A stop reason that a runtime may not report. */
export type UntoldEnd = (typeof UNTOLD_ENDS)[number];

export const CREDENTIAL_KINDS = ['api_key', 'login', 'cloud', 'none', 'unknown'] as const;
/** What a turn is paid with, as far as files and names of variables tell. Never the secret itself. */
export interface Credential {
  kind: (typeof CREDENTIAL_KINDS)[number];
  /** The variable or the file that decides. */
  source?: string;
}

/** What a mode does not prevent although its name suggests it. */
export type AccessGap = 'read_outside' | 'write' | 'shell' | 'network';

/** How hard a model may think, from the least to the most. */
export const EFFORTS = ['off', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
/** How hard the model may think (`--effort`). */
export type Effort = (typeof EFFORTS)[number];

export const SETTINGS_SOURCES = ['user', 'project', 'local'] as const;
/** Whose settings files a runtime loads (`--settings`). */
export type SettingsSource = (typeof SETTINGS_SOURCES)[number];

/** What a notice can be about: a program acts on this word, its sentence is for people. */
export const NOTICE_CODES = [
  'approvals-ignored',
  'arguments-too-large',
  'audit-failed',
  'bash-prefix-ignored',
  'bash-prefix-steerable',
  'budget-unchecked',
  'effort-ignored',
  'fallback',
  'frame-ignored',
  'line-dropped',
  'login-not-kept',
  'max-turns-partial',
  'mcp-server-ignored',
  'model-changed',
  'model-ignored',
  'other-turn',
  'patch-missing',
  'question-declined',
  'question-settled',
  'questions-ignored',
  'quota-wait',
  'recording-failed',
  'retrying',
  'runtime-message',
  'sandbox-fallback',
  'schema-unchecked',
  'session-not-kept',
  'settings-loaded',
  'steer',
  'system-ignored',
  'text-left-out',
  'tools-not-listed',
] as const;
/** What a notice is about. Every notice has one. */
export type NoticeCode = (typeof NOTICE_CODES)[number];

/** The kinds that native tools are sorted into. */
export const TOOL_KINDS = [
  'shell',
  'edit',
  'write',
  'read',
  'search',
  'web',
  'mcp',
  'task',
  'todo',
  'patch',
  'other',
] as const;
/** What a native tool does, whatever its vendor calls it. */
export type ToolKind = (typeof TOOL_KINDS)[number];

/** The answers to a permission question. */
export const CHOICES = ['allow_once', 'allow_session', 'deny'] as const;
/** An answer to a permission question. */
export type Choice = (typeof CHOICES)[number];

/** How caller tools reach the agent. */
export type ToolTransport = 'native' | 'mcp' | 'prompt' | 'none';

/** Why a turn ended. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'refusal'
  | 'tool_round_cap'
  | 'max_turns'
  | 'budget'
  | 'error'
  | 'cancelled'
  /** The process that ran the turn ended before the turn did. Only in the log of a server. */
  | 'interrupted'
  | 'timeout';

/** A value that came from or goes to JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };
