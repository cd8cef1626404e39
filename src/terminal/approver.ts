/** Asks a person at a terminal during `turnout run`: permissions by one key, questions of the agent by a line. */

import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import type { Event } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import { askedThings } from './asked.js';
import { painter } from './paint.js';

/** Keys that were pressed before the question could be read answer nothing, in milliseconds. */
const DEAF_MS = 300;
const CTRL_C = '\u0003';

export interface ApproverOptions {
  input: ReadStream;
  /** Shows a line beside the answer. */
  line(text: string): void;
  /** Shows what the person types. */
  echo(text: string): void;
  colours: boolean;
  send(frame: Frame): void;
  /** Ctrl-C: the terminal sends no signal while keys are read one by one. */
  interrupt(): void;
}

export interface Approver {
  hear(event: Event): void;
  /** Gives the terminal back. */
  close(): void;
}

export function approver({ input, line, echo, colours, send, interrupt }: ApproverOptions): Approver {
  const asked = askedThings(send, painter(colours), colours);
  let keys = false;
  let typing: Interface | null = null;
  let listensAt = Number.POSITIVE_INFINITY;

  const stopKeys = () => {
    if (!keys) return;
    keys = false;
    input.off('data', key);
    input.setRawMode(false);
    input.pause();
  };
  const stopTyping = () => {
    const open = typing;
    typing = null;
    open?.close();
  };
  const readKeys = () => {
    stopTyping();
    line(`  ${asked.keys()}`);
    listensAt = performance.now() + DEAF_MS;
    if (keys) return;
    keys = true;
    input.setRawMode(true);
    input.on('data', key);
    input.resume();
  };
  const readLine = () => {
    stopKeys();
    stopTyping();
    let quiet = false;
    const output = new Writable({
      write(chunk: Buffer, _, done) {
        if (!quiet) echo(chunk.toString('utf8'));
        done();
      },
    });
    const open = createInterface({ input, output, terminal: true, historySize: 0 });
    typing = open;
    open.on('SIGINT', interrupt);
    open.question('  answer> ', (text) => {
      stopTyping();
      if (quiet) echo('\n');
      show(asked.answer(text));
    });
    quiet = asked.secret();
  };
  function show(lines: readonly string[]): void {
    for (const text of lines) line(text);
    const now = asked.now();
    if (now === 'permission') readKeys();
    else if (now === 'question') readLine();
    else {
      stopKeys();
      stopTyping();
    }
  }
  function key(bytes: Buffer): void {
    const pressed = [...bytes.toString('utf8').toLowerCase()];
    if (pressed.includes(CTRL_C)) return interrupt();
    if (performance.now() < listensAt) return;
    for (const one of pressed) {
      const lines = asked.press(one);
      if (lines.length > 0) return show(lines);
    }
  }

  return {
    hear(event) {
      const before = asked.now();
      const lines = asked.hear(event);
      if (lines.length > 0 || asked.now() !== before) show(lines);
    },
    close() {
      stopKeys();
      stopTyping();
    },
  };
}
