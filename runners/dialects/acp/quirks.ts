/** How one ACP agent differs from the others. A runner fills in what it needs; everything else is the protocol's default. */

import type { TurnErrorCode } from '../../../src/contract/error.js';
import type { McpServerStatus } from '../../../src/contract/event.js';
import type { AccessMode, Effort, Json } from '../../../src/contract/vocabulary.js';
import type { Outcome, Spent } from '../../../src/runner/action.js';
import type { RpcError } from '../../../src/text/json-rpc.js';
import type { LogReader } from './log.js';
import type { TokenReader } from './tokens.js';

/** What was being asked when an error came back. */
export type Where = 'initialize' | 'open' | 'load' | 'model' | 'prompt';

/** Why a turn failed, as far as the error itself says. */
export interface Failure {
  code: TurnErrorCode;
  /** For people, when the native message is not fit for them. */
  message?: string;
  retryAfterMs?: number;
  /** Milliseconds since 1970, or a date as reported. */
  resetsAt?: number | string;
}

export interface Quirks {
  /** For messages. */
  title: string;
  /**
   * How names of tools from MCP servers are built: `{server}` and `{tool}` stand for the parts, the whole is a call's name
   * or title. A call of one of our servers is not native activity. None: it ignores the servers that a session brings.
   */
  mcpNames: readonly string[];
  /** Server names as the agent writes them into tool names. */
  plainServer?: RegExp;
  /** Finds the native tool's name in a call's id (first group). */
  nameInId?: RegExp;
  /** Finds it in a call's title (first group). */
  nameInTitle?: RegExp;
  /** The title of a shell call is the command itself; the agent gives no input. */
  titleIsCommand?: boolean;
  /** A call is reported as running while its input is still streaming into its content: its start waits for all of it. */
  inputInContent?: boolean;
  /** Finds the command of a shell call in the text that is shown with it (first group); the agent gives no input. */
  shownCommand?: RegExp;
  /** Finds the exit code in a shell call's output (first group), which says it after what the command printed. */
  shownExit?: RegExp;
  /** Questions about whatever comes next, by call id: they name no call (openhands 1.16). */
  looseQuestions?: RegExp;
  /** `session/load` opens an unknown session as a new one, with no history to replay. */
  emptyIsGone?: boolean;
  /** Reads what the session has cost so far from the parameters of a `session/update`. */
  totals?: (params: Json) => Spent | null;
  /** An answer to `session/load` that holds nothing: there is no such session (hermes 0.19). */
  blankIsGone?: boolean;
  /** Error text of a call that the agent's own rules refused. */
  refusedByRule?: RegExp;
  /** Option ids that allow a caller tool for good, narrowest first; none where that would be written to disk. */
  keepAllowing?: readonly string[];
  /** Questions that are not about a tool, by call id: they get the answer that refuses. */
  sideQuestions?: RegExp;
  /** Prompts that begin with one of these are commands of the program; they are sent so that they reach the model. */
  commandMarks?: string;
  /** How a session is continued; the protocol's `session/load` unless said otherwise. */
  continueBy?: 'load' | 'resume';
  /** The id that is sent to continue a session. */
  continueId?: (id: string) => string;
  /** History is still being replayed after the answer to `session/load`. */
  replayLags?: boolean;
  /** A session continues in any directory although it belongs to one: ask the list first. */
  checksDirectory?: boolean;
  /**
   * Mode per mode, set after the session is open; of several the first that is there. A mode that is not there ends the
   * turn when `mode.required`.
   */
  mode?: { ids: Partial<Record<AccessMode, string | readonly string[]>>; required: boolean };
  /** How the model is chosen: on the command line, or through the session. */
  model?: 'argv' | 'session';
  /** Values of the option of category `thought_level`. */
  efforts?: Partial<Record<Effort, string>>;
  /** Methods for `authenticate` that need no person: each is tried when its variable is set and a session needs a login. */
  logins?: readonly { method: string; variable: string }[];
  /** A second prompt is taken up by the running turn. */
  steersByPrompt?: boolean;
  /** Text that is put in front of thoughts. */
  thoughtNoise?: RegExp;
  /** Each thought is a whole one, without a break at its end. */
  wholeThoughts?: boolean;
  /** An answer that was cut off is said again from its beginning, without a mark. */
  repeatsCut?: true;
  /** Message chunks that the program says for itself; they are not the model's words. */
  notModel?: RegExp;
  /** The model's messages have ids; text without one is the program's own, and may be all that is said of a failure. */
  namesItsMessages?: boolean;
  /** A plan is kept through a tool whose input lists `todos` (nanocoder 1.30: `tasks`); the protocol's own updates never come. */
  planFromTodos?: boolean;
  /** Reads the tokens of the answer to `session/prompt`. */
  tokens?: TokenReader;
  /** Costs in `usage_update` are running totals of the session. */
  sessionCost?: boolean;
  /** Reads what the program logs on stderr. */
  log?: () => LogReader;
  /** The log names each MCP server that is not there before the answer that opens the session. */
  logsServers?: true;
  /** The state of one of the session's servers, when a line of stderr or the log reports it: the prompt waits for all that must be ready. */
  serverLine?(line: string): McpServerStatus | undefined;
  /** It announces its retries on stderr, as Gemini CLI does. */
  announcesAttempts?: true;
  /** Classifies an error of a request; undefined leaves it to the protocol's own codes. */
  classify?: (error: RpcError, where: Where) => Failure | undefined;
  /** A stdout line that is not a message but decides the turn, e.g. a login prompt. */
  plainLine?: (line: string) => Extract<Outcome, { ok: false }> | undefined;
  /** What an exit code means when the program exits before it answers. */
  exits?: Readonly<Record<number, TurnErrorCode>>;
}
