/** Writes the trace of a server: one pair a line, private, without credentials. A failed write never stops a session. */

import { randomUUID } from 'node:crypto';
import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../process/make-folder.js';
import { liveGiven } from '../../runs/clock-and-ids.js';
import { obj, parseObject } from '../../text/json.js';
import { redact, secretValues } from '../../text/redact.js';
import type { Trace } from '../ops/connection.js';

export interface Recorder {
  session(): Trace;
  close(): void;
}

/** Values that a request itself brings: variables that look like keys by their names. */
export function secretsOf(request: string): string[] {
  const env = obj(parseObject(request), 'env') ?? {};
  const texts = Object.entries(env).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return secretValues(Object.fromEntries(texts));
}

/** One that was there before us may be open to others. A device keeps its mode. */
function makePrivate(file: number): void {
  const { mode } = fstatSync(file);
  if (process.platform !== 'win32' && (mode & constants.S_IFMT) === constants.S_IFREG && (mode & 0o077) !== 0)
    fchmodSync(file, 0o600);
}

export interface RecorderOptions {
  /** Masked in whatever is written. */
  secrets: readonly string[];
  /** The folder of requests that name none. */
  cwd: string;
  /** Hears of the first write that failed. */
  complain(message: string): void;
}

/** @throws when the file can't be opened */
export function recorder(path: string, { secrets, cwd, complain }: RecorderOptions): Recorder {
  makeFolder(dirname(path));
  const file = openSync(path, 'a', 0o600);
  makePrivate(file);
  const server = randomUUID().slice(0, 8);
  let sessions = 0;
  let requests = 0;
  let lines = 0;
  let failed = false;

  function write(pair: object): void {
    try {
      writeSync(file, `${JSON.stringify(pair)}\n`);
    } catch (error) {
      if (!failed) complain(`the trace can't be written: ${error instanceof Error ? error.message : String(error)}`);
      failed = true;
    }
  }

  return {
    session() {
      sessions += 1;
      const session = `${server}.${sessions}`;
      return {
        begun(request, surface) {
          requests += 1;
          const order = requests;
          const at = lines;
          const given = liveGiven(true);
          const answer: string[] = [];
          return {
            given,
            line(text) {
              lines += 1;
              answer.push(text);
            },
            ended() {
              const all = [...secrets, ...secretsOf(request)];
              const response = redact(answer.join(''), all);
              write({ request: redact(request, all), response, session, surface, order, at, cwd, given: given.taken });
            },
          };
        },
      };
    },
    close: () => closeSync(file),
  };
}
