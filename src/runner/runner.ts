/** A runner: our adapter for one runtime. Data plus three pure functions. This is a public API for third parties. */

import type { ErrorCode } from '../contract/error.js';
import type { Install } from '../contract/scan.js';
import type {
  AccessGap,
  AccessMode,
  Approvals,
  JsonObject,
  NativeSandbox,
  SandboxMode,
  ToolTransport,
  UntoldEnd,
} from '../contract/vocabulary.js';
import type { Conversation } from './action.js';
import type { Brokered } from './broker.js';
import type { ConfineRow } from './confine-row.js';
import type { CredentialSource } from './credential.js';
import type { ModelQuery, QuotaQuery, SessionSource } from './listing.js';
import type { Machine } from './machine.js';
import type { TurnRequest } from './request.js';

/** An argument or variable: text, or the path of one of the invocation's temporary files (with text around it). */
export type Arg = string | { file: string; before?: string; after?: string };

/** How a program is started: argv, environment and what it gets on stdin. */
export interface Invocation {
  /** Program first. */
  argv: readonly Arg[];
  /** Set (or, with null, removed) in the runtime's environment. `--env` of the caller wins. */
  env: Readonly<Record<string, Arg | null>>;
  /** `hold`: a pipe kept open for `write`; `end`: a pipe closed after `feed`/`end-stdin`; `null`: /dev/null. */
  stdin: 'hold' | 'end' | 'null';
  /** `file`: stdout goes to a private file that is read as it grows, for programs that print one big JSON and exit. */
  stdout: 'pipe' | 'file';
  /** Temporary files (0600 in a private 0700 folder, removed on every path): key → text. `name` is the file's base name. */
  files?: Readonly<Record<string, { name: string; text: string }>>;
  /** Keys of files (temporary or named here by path) whose text the exit brings back. */
  collect?: Readonly<Record<string, Arg>>;
  /** The key of a temporary file into which the program writes its log: lines that match are heard as stderr, at once. */
  log?: { file: string; lines: RegExp };
  /** Where it runs; the request's cwd when absent. */
  cwd?: string;
}

/** Why a request is not run. Nothing is spawned. */
export interface Refusal {
  refuse: Extract<ErrorCode, 'unsupported' | 'unsafe' | 'auth' | 'missing-binary'>;
  message: string;
  hint?: string;
}

/** What a mode means on this runtime. */
export interface AccessReport {
  native_sandbox: NativeSandbox;
  approvals: Approvals;
  /** Its permission questions reach us, so that a host can answer them. */
  asks?: true;
  /** What is not prevented although the mode's name suggests it. */
  gaps: readonly AccessGap[];
}

/** Everything Turnout knows about one agent program: data, how it is started, and how it is talked to. */
export interface Runner {
  /** The `--runtime` value. */
  id: string;
  /** Other names callers use for it. */
  aliases?: readonly string[];
  /** For people. */
  title: string;
  builtin?: true;
  /** Program names, best first, without extension. Empty for the built-in runtime. */
  bins: readonly string[];
  /** Name of the override variable when it is not `<ID>_CLI_BIN`; both count. */
  binVariables?: readonly string[];
  /** npm (or PyPI) package names whose metadata tells the version without running anything. */
  packages: readonly string[];
  /** More places to look for the program; `~` is the home folder. */
  places?: readonly string[];
  install: Install;
  /** The command that installs it. */
  installHint: string;
  /** The command that logs in, null where there is none. */
  loginHint: string | null;
  /** Files that a login leaves behind, and its configuration; `~` is the home folder, a first `$NAME` a variable. For `doctor`. */
  loginTraces?: readonly string[];
  configFiles?: readonly string[];
  /** Where it takes its credential from, first choice first; its keys, then `loginTraces`, when absent. */
  credentials?: readonly CredentialSource[];
  testedVersions: readonly string[];
  transport: string;
  streamsIncrementally: boolean;
  toolActivity: 'full' | 'start-only' | 'none';
  /** Whether its conversation says `subagent` itself; else they are made from calls of kind `task`. */
  tellsSubagents?: boolean;
  /** Modes it can run at and what each really means; a missing mode is refused. */
  access: Readonly<Partial<Record<AccessMode, AccessReport>>>;
  /** Native sandbox modes `--sandbox` can ask for. `full` is always accepted: today's default. */
  sandbox: Readonly<Partial<Record<SandboxMode, { native_sandbox: NativeSandbox; approvals: Approvals }>>>;
  /** What it needs inside the confinement of the operating system; without it, there is none around it. */
  confine?: ConfineRow;
  /** How it is pointed at an endpoint of ours that holds its key back; absent: it can't be. */
  brokered?: Brokered;
  toolTransport: ToolTransport;
  /** Whether its transport takes tool names of any characters; else they get an alias where needed. */
  anyToolName?: boolean;
  /** Whether it asks for several caller tools at once. */
  parallelCalls: boolean;
  /** How many characters of a caller tool's answer surely reach its model, where it shortens longer ones itself. */
  toolResultLimit?: number;
  resume: boolean;
  effort: boolean;
  /** Whether it counts rounds itself (then a default of 25 holds). */
  maxTurns: boolean;
  reportsCost: boolean;
  /** Milliseconds that each phase before the prompt may take by default, where 30 s are too few. */
  startupMs?: number;
  /** Whether it retries without saying so and without a cap of ours. */
  silentRetries: boolean;
  /** Ends that it reports like a whole answer: one that was cut at its length, or that the provider kept back. */
  untoldEnds?: readonly UntoldEnd[];
  promptInArgv: boolean;
  /** Tool permission can be decided command by command (`--allow-bash-prefix`). */
  decidesPerCommand: boolean;
  steer: boolean;
  /** User configuration that is loaded even at `--settings none`. */
  settingsLoaded: readonly string[];
  /** Variables that tell the program it runs inside another agent. `*` at the end matches any rest. */
  nesting: readonly string[];
  /** Lines of a running log on stderr that are no complaint: kept out of error messages. */
  chatter?: RegExp;
  /** Provider keys this runtime owns; `all` for programs that speak to any provider. */
  keys: readonly string[] | 'all';
  /** Set when it is known but can't be run. */
  unsupported?: string;
  /** How `--probe` asks for the version, where it stands in a line printed, and variables that keep it from updating itself. */
  version?: { args: readonly string[]; pattern: RegExp; env?: Readonly<Record<string, string>> };
  /** Its own questions to a person reach us, so that a host can answer them (`--questions stdio`). */
  asksQuestions?: true;
  /** Whether it sees to `outputSchema` itself, natively or in words; else the prompt asks for it. */
  asksForSchema?: true;
  /** Whether it takes `images`. */
  images?: true;
  /** What a prompt may begin with, for clients that offer it: `/name`, with what may follow. */
  commands?: readonly { name: string; description: string; hint?: string }[];
  /** It can be kept alive between the turns of a session; absent where each turn needs a process of its own. */
  warm?: {
    /** What may differ from turn to turn on a living program, beside the prompt and its pictures. */
    live: readonly (keyof TurnRequest)[];
    /** Requests whose program must not be kept, e.g. because its own budget counts the process. */
    unfit?(request: TurnRequest): boolean;
  };
  /** Where its names are narrower (or, for sessions, wider) than what every runtime takes (`caller-values.ts`). */
  values?: { model?: RegExp; session?: RegExp; reservedServers?: readonly string[] };
  /** How it lists its models; absent where it can't. */
  models?: ModelQuery;
  /** How it tells what is left of its plan without spending any of it; absent where it can't. */
  quota?: QuotaQuery;
  /** Whether it tells the real status of its MCP servers before its model begins (`--require-mcp`). */
  tellsServers?: true;
  /** How its sessions of a working directory are listed; absent where they can't be. */
  sessions?(cwd: string): SessionSource;

  tools(request: TurnRequest, machine: Machine): ToolTransport;
  invoke(request: TurnRequest, machine: Machine): Invocation | Refusal;
  /** @param living what the last turn of a program that was kept said of it; absent when a process is started */
  converse(request: TurnRequest, machine: Machine, living?: JsonObject): Conversation;
}

/** Whether the answer of `invoke` is a refusal. */
export function isRefusal(answer: Invocation | Refusal): answer is Refusal {
  return 'refuse' in answer;
}
