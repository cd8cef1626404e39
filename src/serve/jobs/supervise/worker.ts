/** One worker of a supervisor: a process that speaks MCP on its pipes, and how it is asked and ended. */

import { spawn } from 'node:child_process';
import type { JsonObject } from '../../../contract/vocabulary.js';
import { commandOf } from '../../../process/system-program.js';
import { isObject, parseObject } from '../../../text/json.js';
import { lineSplitter } from '../../../text/lines.js';

export type Id = string | number;

/** Milliseconds. */
export interface Deadlines {
  /** Of each answer. */
  answer: number;
  /** Of the first one of a fresh worker. */
  first: number;
  /** From the end of its stdin to TERM, and from there to KILL. */
  leave: number;
}

export interface Worker {
  /** @returns its answer, with the id it was asked with @throws Error the worker can't be used any more */
  ask(message: JsonObject, id: Id): Promise<JsonObject>;
  tell(message: JsonObject): void;
  /** How many requests wait. */
  pending(): number;
  isUsable(): boolean;
  /** Resolves when its process is gone. */
  end(): Promise<void>;
}

interface Waiting {
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
  late: NodeJS.Timeout;
}

export function idOf(message: JsonObject): Id | null {
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Bytes of a message. */
export const MOST_MESSAGE = 256 * 1024;

/**
 * @param argv program first
 * @param heard notifications and requests of the worker
 */
export function startWorker(
  argv: readonly string[],
  deadlines: Deadlines,
  heard: (message: JsonObject) => void,
): Worker {
  const [program = '', ...args] = argv;
  const child = spawn(commandOf(program, process.env), args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  const waiting = new Map<Id, Waiting>();
  let hasAnswered = false;
  let broken: string | null = null;
  let settle: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    settle = resolve;
  });

  function fail(why: string): void {
    broken ??= why;
    for (const { reject, late } of waiting.values()) {
      clearTimeout(late);
      reject(new Error(why));
    }
    waiting.clear();
    // It may be in the middle of anything: nothing is asked again.
    if (child.exitCode === null) child.kill('SIGKILL');
  }
  const lines = lineSplitter({
    max: MOST_MESSAGE,
    onLine(line) {
      if (line.trim() === '') return;
      const message = parseObject(line);
      if (message === undefined) return fail('the worker printed something that is not a message');
      const id = idOf(message);
      const one = id === null ? undefined : waiting.get(id);
      if (id === null || one === undefined || typeof message['method'] === 'string') return heard(message);
      waiting.delete(id);
      clearTimeout(one.late);
      hasAnswered = true;
      one.resolve(message);
    },
    onDropped: () => fail('the worker printed a message that is too large'),
  });
  child.stdout.on('data', lines.push);
  child.stdin.on('error', () => fail('the worker does not read any more'));
  child.on('error', (error) => fail(`the worker could not be started: ${error.message}`));
  child.on('close', () => {
    fail('the worker has ended');
    settle();
  });
  const write = (message: JsonObject) => void child.stdin.write(`${JSON.stringify(message)}\n`);

  return {
    ask(message, id) {
      if (broken !== null) return Promise.reject(new Error(broken));
      return new Promise((resolve, reject) => {
        const wait = hasAnswered ? deadlines.answer : deadlines.first;
        const late = setTimeout(() => fail(`the worker did not answer within ${wait / 1000} s`), wait);
        waiting.set(id, { resolve, reject, late });
        write({ ...message, id });
      });
    },
    tell(message) {
      if (broken === null) write(message);
    },
    pending: () => waiting.size,
    isUsable: () => broken === null,
    async end() {
      child.stdin.end();
      const term = setTimeout(() => child.kill('SIGTERM'), deadlines.leave);
      const kill = setTimeout(() => child.kill('SIGKILL'), 2 * deadlines.leave);
      await gone;
      clearTimeout(term);
      clearTimeout(kill);
    },
  };
}

/** What must be the same for a host that does not know that its server was replaced. */
export function contractOf(initialized: JsonObject, tools: JsonObject): string {
  const result = initialized['result'];
  const { serverInfo, ...rest } = isObject(result) ? result : {};
  const name = isObject(serverInfo) ? serverInfo['name'] : undefined;
  return JSON.stringify([rest, name ?? null, tools['result'] ?? null]);
}
