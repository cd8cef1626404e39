/** What `turnout agent scan --json` tells about each runtime. */

import type {
  AccessGap,
  AccessMode,
  Approvals,
  Confinement,
  NativeSandbox,
  SandboxMode,
  ToolTransport,
  UntoldEnd,
} from './vocabulary.js';

/** How a program is installed, so that a host can offer it. */
export type Install =
  | { kind: 'npm'; packages: string[] }
  | { kind: 'script'; url: string; shell: 'bash' | 'sh' }
  | { kind: 'manual' };

/** One runtime as a scan sees it: whether it is there, and what it can do. */
export interface ScanEntry {
  id: string;
  /** Other names that `--runtime` takes for it; events carry `id`. */
  aliases?: string[];
  builtin?: true;
  installed: boolean;
  /** The program that would be started. */
  binary: string | null;
  version: string | null;
  version_source: 'package.json' | 'install-path' | 'exec' | 'not-probed' | null;
  /** Newer than any version this was tested with; null when either is unknown. */
  newer_than_tested: boolean | null;
  tested_versions: string[];
  /** Set when this very version failed in the lab: what failed. */
  known_bad?: string;
  install_hint: string;
  install: Install;
  login_hint: string | null;
  transport: string;
  streams_incrementally: boolean;
  full_access: boolean;
  access_modes: AccessMode[];
  /** Per mode, what it does not prevent. */
  access_gaps: Partial<Record<AccessMode, AccessGap[]>>;
  /** Per mode, by what it is kept on this machine where nothing else is asked for: `--confine` and the turn decide. */
  confinement: Partial<Record<AccessMode, Confinement['by']>>;
  caller_tools: boolean;
  caller_tools_with_full_access: boolean;
  tool_transport: ToolTransport;
  parallel_calls: boolean;
  /**
   * Characters of a caller tool's answer that reach the model whole; the program itself shortens a longer one, or puts it
   * into a file. null: none is known.
   */
  tool_result_limit: number | null;
  native_sandbox: NativeSandbox;
  approvals: Approvals;
  /** Modes in which permission questions arise (`--approvals stdio`). */
  asks_permission: AccessMode[];
  /** Its own questions to a person reach us (`--questions stdio`). */
  asks_questions: boolean;
  sandbox_modes: SandboxMode[];
  sandbox_mode_reports: Partial<Record<SandboxMode, { native_sandbox: NativeSandbox; approvals: Approvals }>>;
  tool_activity_fidelity: 'full' | 'start-only' | 'none';
  resume: boolean;
  effort: boolean;
  max_turns: boolean;
  reports_cost: boolean;
  silent_retries: boolean;
  /** Stop reasons that the program does not report: such a turn ends as `end_turn`. */
  untold_stop_reasons: UntoldEnd[];
  prompt_in_argv: boolean;
  settings_loaded: string[];
  init_target: string | null;
  execution_supported: boolean;
  execution_unsupported_reason?: string;
  /** Things a person should know: a broken link, a shim, a program that would not answer. */
  notes?: string[];
}

export const BROKEN_RUNNER_CODES = ['load', 'shape', 'taken', 'untrusted', 'config'] as const;

/** A runner of the user's that was left out. */
export interface BrokenRunner {
  /** As it was named: a path or a package; the file itself for `config`. */
  runner: string;
  /** The configuration file that names it, or `--runner`. */
  from: string;
  /**
   * `load`: it can't be found or loaded, throws or hangs; `shape`: it exports no runner; `taken`: its name belongs to another;
   * `untrusted`: a project names it that the user has not trusted; `config`: the file itself is not in order.
   */
  code: (typeof BROKEN_RUNNER_CODES)[number];
  /** For people. */
  reason: string;
}

/** What `turnout agent scan --json` prints. */
export interface Scan {
  v: 1;
  agents: ScanEntry[];
  /** Absent when there are none. */
  broken_runners?: BrokenRunner[];
}
