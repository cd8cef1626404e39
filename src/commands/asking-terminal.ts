/** Permission questions of `turnout run`, asked at the terminal that the person sits at. */

import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Event } from '../contract/event.js';
import { askingPerson } from '../exec/asks-person.js';
import type { Turn } from '../turn/loop.js';
import type { RunOptions } from './run-plan.js';
import type { TextOutput } from './text-output.js';

/** Where keys come from: stdin, or the terminal itself when something else is piped in. Null where no person can see a question. */
export function askingTerminal(): ReadStream | null {
  if (process.stderr.isTTY !== true) return null;
  if (process.stdin.isTTY) return process.stdin;
  if (process.platform === 'win32') return null;
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    // A process without a terminal, such as one of a job scheduler.
    return null;
  }
}

interface Asking extends Required<Pick<RunOptions, 'adapt' | 'attach'>> {
  hear(event: Event): void;
}

export async function askPerson(input: ReadStream, { line, echo, colours }: TextOutput): Promise<Asking> {
  const { approver } = await import('../terminal/approver.js');
  let turn: Turn | null = null;
  const { hear, close } = approver({
    input,
    line,
    echo,
    colours,
    send: (frame) => turn?.frame(frame),
    interrupt: () => void process.emit('SIGINT', 'SIGINT'),
  });
  process.on('exit', close);
  return {
    adapt: askingPerson,
    hear,
    attach(begun) {
      turn = begun;
    },
  };
}
