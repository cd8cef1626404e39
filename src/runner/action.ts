/** What a conversation hears and what it answers with. The turn loop is the only interpreter of actions. */

import type { TurnErrorCode } from '../contract/error.js';
import type { McpServerStatus, ModelUsage, PlanEntry, SubagentUsage } from '../contract/event.js';
import type { Answers, QuestionEvent } from '../contract/question.js';
import type { Choice, Json, JsonObject, NoticeCode, StopReason, ToolKind } from '../contract/vocabulary.js';
import type { Invocation } from './runner.js';

/** Why the loop asks a conversation to end early. */
export type StopCause = 'cancelled' | 'timeout' | 'budget' | 'max_turns' | 'error';

/**
 * What a runtime is doing before it works on the prompt. Each is quick by nature, so each has a deadline of its own
 * (`--startup-timeout`).
 */
export type Phase = 'hello' | 'login' | 'session' | 'settings' | 'servers' | 'prompt';

/** What a conversation hears: lines of the program, answers of the host, and its end. */
export type Heard =
  /**
   * The program is there: begin. Comes once per process, right after the spawn succeeded, and first of all to the
   * conversation of a further turn on a program that was kept (`converse` was given its state).
   */
  | { type: 'spawned' }
  /** A native line of stdout, without its newline (and without a CR before it). */
  | { type: 'line'; text: string }
  | { type: 'stderr'; text: string }
  /** A JSON-RPC message that our MCP server core wants to send into the runtime's own pipe (answer to an `mcp` action). */
  | { type: 'mcp'; channel: string; message: JsonObject }
  /** The answer to a `call`. */
  | { type: 'answer'; key: string; ok: boolean; text: string }
  /** The answer to an `ask`; `message` goes to the model where the runtime passes one on. */
  | { type: 'decision'; key: string; choice: Choice; message: string }
  /** The answers to an `inquire`; null: nobody answers. */
  | { type: 'answers'; key: string; answers: Answers | null }
  | { type: 'steer'; id: string; text: string }
  /**
   * End early: write what asks the runtime to stop. Comes at most once. A conversation that answers with `finish` has
   * nothing to ask with, and the process is ended at once.
   */
  | { type: 'stop'; cause: StopCause }
  /** The time of a `wake` action is over. */
  | { type: 'woken' }
  /** The process is gone; `files` has the text of what the invocation named in `collect` (null: not there). */
  | { type: 'exit'; code: number | null; signal: string | null; files: Readonly<Record<string, string | null>> };

/** Tokens and cost; unknown is null. `input` includes cached, `output` includes reasoning. */
export interface Spent {
  input: number | null;
  output: number | null;
  cached?: number | null;
  costUsd: number | null;
}

/**
 * What a runtime's number covers: `delta` since the last report; `turn`, `process` and `session` are running totals of
 * that scope (for `session` a `baseline` action or the first report's `baseline` says what was spent before this turn).
 */
export type SpendScope = 'delta' | 'turn' | 'process' | 'session';

/** A permission question of the runtime about one of its own tools. */
export interface Question {
  toolUseId?: string;
  name: string;
  kind: ToolKind;
  /** Canonical input (see `docs/protocol.md`). */
  input: JsonObject | null;
}

/** What the agent, or one of its MCP servers, asks a person. */
export interface Inquiry extends Pick<QuestionEvent, 'source' | 'title' | 'questions' | 'url'> {
  toolUseId?: string;
  /** After so long the runtime goes on without an answer. */
  timeoutMs?: number;
}

/** Text, thinking and everything else that a conversation may say by itself. */
export type Say =
  | { type: 'session'; session_id: string }
  | {
      type: 'assistant' | 'thinking';
      text: string;
      message_id: string;
      replaces?: string;
      parent_tool_use_id?: string;
    }
  | {
      type: 'tool_activity';
      phase: 'start';
      id: string;
      name: string;
      kind: ToolKind;
      input: JsonObject | null;
      parent_tool_use_id?: string | null;
    }
  | {
      type: 'tool_activity';
      phase: 'end';
      id: string;
      ok: boolean;
      output: string;
      denied?: boolean;
      cancelled?: boolean;
      exit_code?: number;
    }
  | {
      type: 'subagent';
      phase: 'started' | 'progress' | 'finished';
      id: string;
      tool_use_id: string;
      subagent_type?: string;
      description?: string;
      prompt?: string;
      summary?: string;
      usage?: SubagentUsage;
      last_tool?: string;
      status?: 'completed' | 'failed' | 'stopped';
    }
  | { type: 'plan'; entries: PlanEntry[] }
  | { type: 'notice'; code: NoticeCode; message: string }
  | { type: 'ready'; mcpServers: McpServerStatus[] };

/** How the turn ended, as far as the runtime tells. */
export type Outcome =
  | {
      ok: true;
      stopReason: Extract<StopReason, 'end_turn' | 'max_tokens' | 'refusal' | 'tool_round_cap' | 'max_turns'>;
      /** The runtime's own final text, where it gives one that is not the last message. */
      text?: string;
      structured?: Json;
      modelUsage?: Record<string, ModelUsage>;
      effort?: string;
      peakContextTokens?: number;
    }
  | {
      ok: false;
      code: TurnErrorCode;
      /** For people; the loop adds login or install hints and the tail of stderr. */
      message: string;
      retryAfterMs?: number;
      /** When the limit ends: milliseconds since 1970, or a date as it was told. */
      resetsAt?: number | string;
    };

/** What a conversation wants done; the turn loop does it in order. */
export type Action =
  | { do: 'say'; event: Say }
  /** One JSON value for the runtime's stdin; it becomes a line that every reader takes as one. */
  | { do: 'write'; line: string }
  /** Bytes for stdin as they are. */
  | { do: 'feed'; text: string }
  | { do: 'end-stdin' }
  /** A JSON-RPC message from the runtime for our MCP server core, over the runtime's own pipe. */
  | { do: 'mcp'; channel: string; message: JsonObject }
  /** A caller tool is wanted: answered with `answer` of the same key. */
  | { do: 'call'; key: string; name: string; args: JsonObject }
  /** A native permission question: answered with `decision` of the same key. */
  | { do: 'ask'; key: string; question: Question }
  /** A question to a person: answered with `answers` of the same key. */
  | { do: 'inquire'; key: string; inquiry: Inquiry }
  /** The runtime no longer waits for this call or question. */
  | { do: 'withdraw'; key: string }
  | { do: 'spend'; scope: SpendScope; spent: Spent }
  /** A running total that was reached before this turn began. */
  | { do: 'baseline'; scope: SpendScope; spent: Spent }
  /** A model message of the main agent that asks for tools has begun (for `--max-turns` where ids tell messages apart). */
  | { do: 'round'; id: string }
  /** The model that really answered. */
  | { do: 'model'; id: string }
  | {
      do: 'retrying';
      attempt: number;
      max: number | null;
      delayMs: number | null;
      code: TurnErrorCode | null;
      /** For people, while the runtime tries again. */
      message: string;
      /** What went wrong, for an error that ends the turn instead of another try; `message` when absent. */
      why?: string;
    }
  | { do: 'steered'; id: string; delivered: boolean }
  /** Wants to be woken in so many milliseconds: to ask again what can only be asked. */
  | { do: 'wake'; afterMs: number }
  /** This process has done its part: its exit is no end, another follows once the open calls are answered. */
  | { do: 'between' }
  /** Start another process of the same turn, once the current one is gone. */
  | { do: 'spawn'; invocation: Invocation }
  /** What is waited for now; `null` once the runtime has taken the prompt, or where it does not acknowledge one. */
  | { do: 'phase'; phase: Phase | null }
  /** A native line nobody knows: kept for diagnosis, never fatal. Objects inside of it are heard as lines of their own. */
  | { do: 'unread'; text: string }
  /**
   * The end-of-turn mark. Nothing said later counts. `living` is set when the program can take another prompt: nothing
   * is owed in either direction, and the mark is tied to this turn's prompt. It holds what `converse` of the next turn
   * must know of the program; a recording keeps it.
   */
  | { do: 'finish'; outcome: Outcome; living?: JsonObject };

/**
 * A state machine for one turn. Never throws, never looks at a clock, a file or the environment. While its program is
 * kept between two turns, it goes on hearing lines: what it writes is written; anything it says means that the program
 * works by itself, and ends it.
 */
export interface Conversation {
  hear(heard: Heard): Action[];
}
