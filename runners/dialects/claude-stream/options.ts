/** What differs between the programs that speak this format, and between their turns. */

import type { TurnErrorCode } from '../../../src/contract/error.js';
import type { JsonObject, ToolKind } from '../../../src/contract/vocabulary.js';
import type { Outcome } from '../../../src/runner/action.js';
import type { ImageFile } from '../../../src/runner/request.js';

/** What is known about a turn that failed. Model text is never part of it. */
export interface Evidence {
  /** HTTP status of the model service. */
  status: number | null;
  /** The program's own word for what went wrong. */
  kind: string | null;
  /** Text the program marked as an error. */
  message: string;
  /** The account's plan refuses more for now. */
  planExhausted: boolean;
}

export interface Failure {
  code: TurnErrorCode;
  message: string;
}

/** One program. The figures in comments are of the version that was looked at. */
export interface StreamProgram {
  /** For people. */
  title: string;
  /** Kinds of its tools that no other runtime has. */
  kinds: Readonly<Record<string, ToolKind>>;
  /** The tool through which it returns an answer to a schema: not native work. */
  outputTool: string;
  /**
   * `result`: the end of a turn reports its sum by model, the stream what each call cost so far;
   * `messages`: only whole messages report it, one model call each, with cached tokens counted as input.
   */
  usage: 'result' | 'messages';
  /** It repeats each frame that it was sent, marked as a repetition, when a turn takes it up. */
  echoes?: true;
  /** Whole messages come block by block, each with an id of its own. */
  idPerBlock?: boolean;
  /** How text begins that it prints as if the model had said it when it failed. */
  errorText?: RegExp;
  /** What a caller's tool needs in the list besides its definition. */
  offer?(tool: JsonObject): JsonObject;
  /** Exit code of a shell command, where the result reports it. */
  exitCode(result: { text: string; failed: boolean; detail: JsonObject | undefined }): number | undefined;
  /** The code and words of a turn that failed. */
  failure(evidence: Evidence): Failure;
  /** How a turn ended whose process left without telling; null when stderr says nothing known. */
  lastWords(stderr: readonly string[]): Outcome | null;
  /** A line of stderr whose one group is the HTTP status behind a retry. */
  retryStatus?: RegExp;
  /** It announces retries on stderr too, as Gemini CLI does. */
  announcesAttempts?: true;
  /** Result of a call that a rule of the program refused, where nothing else marks it. */
  refusedText?: RegExp;
  /** Only its prompt announces a subagent that the turn waits for. */
  promptBeginsAgent?: true;
  /** Result of the call that starts an agent when the agent works on behind it. */
  background?: RegExp;
}

/** One turn of a program. */
export interface StreamTurn {
  prompt: string;
  images?: readonly ImageFile[];
  /** A prompt that begins with a slash may be a command of the program. */
  commands: boolean;
  /** More fields of the `initialize` request. */
  hello: JsonObject;
  /** Name of the MCP server with the caller's tools; null without. */
  server: string | null;
  /** That server is ours to answer for, inside the pipe. */
  serverInPipe: boolean;
  /** Servers the caller brought: their tools need no question. */
  trusted: readonly string[];
  /** The prompt waits until no MCP server is being connected any more. */
  asksServers?: boolean;
  /** No control requests: the prompt is the one frame on stdin, or was an argument, and only signals end a turn. */
  oneWay?: 'frame' | 'argument';
  /** Full access: every question is answered with yes. */
  allowAll: boolean;
  /** The id that the program ties the end of our turn to, where it does so (`user_message_uuids`); absent where not. */
  uuid?: string;
  /** What the turn before said of the program, when it was kept. */
  living?: JsonObject;
  /** A further `user` frame reaches the model at its next step and is echoed when it does. */
  steer: boolean;
  /** Whether a person answers what the program asks. */
  questions?: boolean;
}

/** What every part of a conversation knows. */
export interface StreamContext {
  program: StreamProgram;
  turn: StreamTurn;
}
