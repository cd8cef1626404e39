/** A conversation of a person with a runtime: turn after turn on a program that is kept alive, by session, across runtimes. */

import type { Event } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import type { AccessMode, Effort } from '../contract/vocabulary.js';
import { askingPerson } from '../exec/asks-person.js';
import { keepSession } from '../exec/last-session.js';
import { ownArgv } from '../exec/own-argv.js';
import { runKeeper } from '../exec/run-history.js';
import { VERSION } from '../exec/version.js';
import type { ExecPlan } from '../request/from-argv.js';
import type { ImageFile } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';
import { warmPool } from '../session/pool.js';
import { addKnown } from '../text/json.js';
import type { Turn } from '../turn/loop.js';
import { beginTurn } from '../workspace/begin.js';
import { type Said, withHandOver } from './hand-over.js';

/** What the person may change between two turns. */
export interface Settings {
  runtime: string;
  model: string | null;
  access: AccessMode;
  effort: Effort | null;
}

export interface Prompt {
  /** As it was typed. */
  text: string;
  /** With the files that it names. */
  whole: string;
  images: readonly ImageFile[];
  /** One of the runtime's own commands. */
  command: boolean;
}

export interface ChatSession {
  settings(): Settings;
  /** Another runtime is given what was said so far with the next prompt. */
  change(change: Partial<Settings>): void;
  /** The runtime's id of the session; null before the first turn, and after `begin`. */
  id(): string | null;
  /** Tokens and cost so far; unknown is null. */
  spent(): { tokens: number | null; cost: number | null };
  /** Begins another session, or continues one that there is. */
  begin(session: string | null): void;
  /** Runs one turn to its end. @returns its exit code; failures are events */
  send(prompt: Prompt, hear: (event: Event) => void): Promise<number>;
  working(): boolean;
  frame(frame: Frame): void;
  cancel(): void;
  /** Ends the turn and the program. */
  close(): Promise<void>;
}

export interface ChatOptions {
  plan: ExecPlan;
  runners: readonly Runner[];
  ambient: NodeJS.ProcessEnv;
  /** Whether turns are kept for `turnout history`. */
  history: boolean;
  /** Whether the person is asked; else what the mode does not allow is denied. */
  asks: boolean;
  note(message: string): void;
}

export function chatSession({ plan, runners, ambient, history, asks, note }: ChatOptions): ChatSession {
  const pool = warmPool();
  const { request } = plan;
  let settings: Settings = {
    runtime: request.runtime,
    model: request.model,
    access: request.access,
    effort: request.effort,
  };
  let session = request.resume;
  /** Of this conversation, whoever answered. */
  let said: Said[] = [];
  let handOver = false;
  let turn: Turn | null = null;
  let spent: { tokens: number | null; cost: number | null } = { tokens: null, cost: null };

  const heard = (event: Event): void => {
    switch (event.type) {
      case 'start':
        // `auto` has found one: the session is its own.
        settings = { ...settings, runtime: event.runtime };
        return;
      case 'status':
        if (event.fallback) settings = { ...settings, runtime: event.fallback.to };
        return;
      case 'session':
        session = event.session_id;
        handOver = false;
        keepSession({ cwd: request.cwd, runtime: settings.runtime, session }, ambient);
        return;
      case 'done': {
        const { input_tokens, output_tokens, cost_usd } = event.totals ?? {};
        const used = addKnown(input_tokens, output_tokens);
        spent = { tokens: addKnown(spent.tokens, used), cost: addKnown(spent.cost, cost_usd) };
        return;
      }
      default:
    }
  };

  return {
    settings: () => settings,
    id: () => session,
    spent: () => spent,
    change(change) {
      const other = change.runtime !== undefined && change.runtime !== settings.runtime;
      // A model belongs to its runtime.
      settings = { ...settings, ...(other ? { model: null } : {}), ...change };
      if (!other) return;
      if (session !== null) void pool.drop(settings.runtime, session);
      session = null;
      handOver = said.length > 0;
    },
    begin(id) {
      session = id;
      said = [];
      handOver = false;
    },
    async send(prompt, hear) {
      const { runtime } = settings;
      const keeper = history
        ? runKeeper(
            { way: 'chat', cwd: request.cwd, prompt: prompt.text, runtime, model: settings.model },
            ambient,
            note,
          )
        : null;
      let answer = '';
      turn = beginTurn({
        request: {
          ...request,
          ...settings,
          resume: session,
          prompt: handOver ? withHandOver(said, prompt.whole) : prompt.whole,
          images: [...(request.images ?? []), ...prompt.images],
          ...(prompt.command ? { commands: true as const } : {}),
        },
        limits: plan.limits,
        env: plan.env,
        ambient,
        allowRoot: plan.allowRoot,
        turnout: ownArgv(),
        version: VERSION,
        runners,
        keeper: pool,
        ...(asks ? { adapt: askingPerson } : {}),
        emit(event) {
          heard(event);
          if (event.type === 'assistant' && event.parent_tool_use_id === undefined) answer += event.text;
          keeper?.hear(event);
          hear(event);
        },
      });
      try {
        return await turn.done;
      } finally {
        turn = null;
        said.push({ who: 'user', text: prompt.text }, { who: settings.runtime, text: answer });
      }
    },
    working: () => turn !== null,
    frame: (frame) => turn?.frame(frame),
    cancel: () => turn?.cancel(),
    async close() {
      turn?.cancel();
      await turn?.done;
      await pool.close();
    },
  };
}
