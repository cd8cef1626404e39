/** Asks a person at a terminal for permission, one question after another, each answered by one key. */

import type { ReadStream } from 'node:tty';
import type { Event, PermissionRequestEvent } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import { toolLabel } from '../view/tool-label.js';
import { KEYS, questionLines } from './question-text.js';

/** Keys that were pressed before the question could be read answer nothing, in milliseconds. */
const DEAF_MS = 300;
const CTRL_C = '\u0003';

export interface ApproverOptions {
  input: ReadStream;
  /** Shows a line beside the answer. */
  line(text: string): void;
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

export function approver({ input, line, colours, send, interrupt }: ApproverOptions): Approver {
  const waiting: PermissionRequestEvent[] = [];
  let cwd = '';
  let open = false;
  let listensAt = Number.POSITIVE_INFINITY;

  const release = () => {
    if (!open) return;
    open = false;
    input.off('data', key);
    input.setRawMode(false);
    input.pause();
  };
  const show = () => {
    const [event] = waiting;
    if (!event) return release();
    const { name, kind, input: given } = event;
    for (const text of questionLines(
      { name, kind, input: given, label: toolLabel(event, cwd) },
      event.choices,
      colours,
    )) {
      line(text);
    }
    listensAt = performance.now() + DEAF_MS;
    if (open) return;
    open = true;
    input.setRawMode(true);
    input.on('data', key);
    input.resume();
  };
  function key(bytes: Buffer): void {
    const pressed = [...bytes.toString('utf8').toLowerCase()];
    if (pressed.includes(CTRL_C)) return interrupt();
    const [event] = waiting;
    if (!event || performance.now() < listensAt) return;
    const [found] = pressed.flatMap((one) =>
      KEYS.filter(({ key, choice }) => key === one && event.choices.includes(choice)),
    );
    if (!found) return;
    waiting.shift();
    line(`  ${found.done}`);
    send({ v: 1, type: 'permission_result', id: event.id, choice: found.choice });
    show();
  }
  /** The runtime went on without an answer. */
  const withdraw = (tool: string | undefined) => {
    const at = waiting.findIndex((one) => one.tool_use_id !== undefined && one.tool_use_id === tool);
    if (at < 0) return;
    waiting.splice(at, 1);
    if (at === 0) show();
  };

  return {
    hear(event) {
      if (event.type === 'start') cwd = event.cwd;
      if (event.type === 'permission_request' && waiting.push(event) === 1) show();
      if (event.type === 'tool_activity' && event.phase === 'end') withdraw(event.id);
      if (event.type === 'result' || event.type === 'error' || event.type === 'done') {
        waiting.length = 0;
        release();
      }
    },
    close: release,
  };
}
