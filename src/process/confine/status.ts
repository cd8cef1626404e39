/** What bubblewrap tells on its status descriptor, one JSON object a line. */

import { constants } from 'node:os';
import { num, parseObject } from '../../text/json.js';
import { lineSplitter } from '../../text/lines.js';

export interface WallStatus {
  /** The first process of the namespace, by the host's numbering; killing it ends all others. Null until it is told. */
  inner(): number | null;
  /** Whether the program itself has run and ended; otherwise the walls could not be built. */
  ran(): boolean;
  push(chunk: Buffer): void;
}

export function wallStatus(): WallStatus {
  let inner: number | null = null;
  let ran = false;
  const lines = lineSplitter({
    max: 64 * 1024,
    onLine(text) {
      const line = parseObject(text);
      if (!line) return;
      inner = num(line, 'child-pid') ?? inner;
      if (num(line, 'exit-code') !== undefined) ran = true;
    },
    onDropped: () => undefined,
  });
  return { inner: () => inner, ran: () => ran, push: lines.push };
}

/** Ends that a program does not choose by itself. */
const FATAL = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGKILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP', 'SIGXCPU'] as const;

/** bubblewrap exits with 128 + n where the program inside was ended by signal n. */
export function endInside(code: number | null, signal: string | null): [code: number | null, signal: string | null] {
  const name = code === null ? undefined : FATAL.find((one) => constants.signals[one] === code - 128);
  return name === undefined ? [code, signal] : [null, name];
}
