/** What keeps programs alive between the turns of a session, as a turn sees it; `src/session` does it. */

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { JsonObject } from '../contract/vocabulary.js';
import type { Conversation } from '../runner/action.js';
import type { Machine } from '../runner/machine.js';
import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';
import type { Child, ChildHandlers, Tap } from '../turn/world.js';
import type { PreparedTools } from './prepare-tools.js';

/** A program between two turns, and all that must live as long as it does. */
export interface Living {
  runtime: string;
  /** The program's own id of the session. */
  session: string;
  /** What it was started with: a turn that asks for anything else needs another program. */
  digest: string;
  child: Child;
  /** Points what the program prints to whoever listens now. */
  listen(handlers: ChildHandlers): void;
  /** Of the last turn: hears what the program says while it is idle. */
  conversation: Conversation;
  /** What that turn said of the program. */
  state: JsonObject;
  tools: PreparedTools;
  /** Who is told of what comes over the socket of the caller's tools. */
  heardBy: { tap?: Tap | undefined };
  /** How many turns it has had. */
  turns: number;
  /** Closes sockets and removes files, once the program is gone. */
  dispose(): Promise<void>;
}

export interface Keeper {
  /**
   * The program that holds a session, if it was started as this turn needs it. Another one that holds the session is
   * ended first, so that two never write to it.
   */
  take(wanted: { runtime: string; session: string; digest: string }): Promise<Living | null>;
  /** @returns whether it is kept; else the turn ends it */
  keep(living: Living): boolean;
}

/** Whether a turn's program may live on. Tools in the prompt and repaired answers are made of several processes. */
export function keepable(runner: Runner, request: TurnRequest, machine: Machine): boolean {
  const { warm } = runner;
  if (warm === undefined || !runner.resume || request.outputSchema !== null || request.broker) return false;
  if (request.toolsOn && runner.tools(request, machine) === 'prompt') return false;
  return warm.unfit?.(request) !== true;
}

/** Of one turn alone, on every runtime. */
const ONCE: readonly (keyof TurnRequest)[] = ['prompt', 'images', 'resume', 'commands'];

/**
 * What a program is started with, as a digest: the program itself, its environment and login, and the request without
 * what may differ from turn to turn.
 */
export function digestOf(
  runner: Runner,
  request: TurnRequest,
  machine: Machine,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const changes = new Set<string>([...ONCE, ...(runner.warm?.live ?? [])]);
  const fixed = Object.entries(request).filter(([name, value]) => !changes.has(name) && value !== undefined);
  const { program, credential } = machine;
  const parts = {
    runtime: runner.id,
    program: { ...program, changed: changedAt(program.real) },
    credential,
    env: Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)),
    request: fixed.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function changedAt(path: string): number | null {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}
