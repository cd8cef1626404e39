/** Caller tools that are being run by the host: ids, checks, time limits, and the one answer each call gets. */

import type { ToolCallEvent, ToolResultEvent } from '../contract/event.js';
import { LIMITS } from '../contract/limits.js';
import type { JsonObject, NoticeCode } from '../contract/vocabulary.js';
import { fitJson } from './clamp.js';

/** Hands the text to the agent; `ok` false marks a tool error. */
type Answer = (ok: boolean, text: string) => void;

export interface Toolbox {
  /** Declared name of an alias; undefined for a tool nobody declared. */
  declared(name: string): string | undefined;
  names(): string[];
  /** What is wrong with the arguments, null when nothing is. */
  violation(declared: string, args: JsonObject): string | null;
}

export interface Calls {
  /** @returns the id of the call, null when it was answered at once */
  begin(key: string, name: string, args: JsonObject, answer: Answer): string | null;
  /** @returns false for an unknown or settled id */
  settle(id: string, ok: boolean, text: string): boolean;
  /** The agent no longer waits: the host is told to stop. */
  withdraw(key: string): void;
  /** The turn is being ended: whatever closes a call from now on, the host reads this text. */
  ending(text: string): void;
  /** Every open and later call fails with this text. */
  close(text: string): void;
  open(): number;
  any(): boolean;
  /** The open call an id names. */
  isOpen(id: string): boolean;
}

export function calls(options: {
  toolbox: Toolbox;
  timeoutMs: number;
  after(ms: number, run: () => void): () => void;
  emit(event: ToolCallEvent | ToolResultEvent): void;
  notice(code: NoticeCode, message: string): void;
}): Calls {
  const { toolbox, emit } = options;
  const open = new Map<string, { key: string; answer: Answer; forget: () => void }>();
  let next = 1;
  let closed: string | null = null;
  let end: string | null = null;

  const echo = (id: string, ok: boolean, text: string) => {
    const { text: shown, cut } = fitJson(text, LIMITS.toolResultEcho);
    emit({ v: 1, type: 'tool_result', id, ok, result: { text: shown }, ...(cut ? { text_truncated: true } : {}) });
  };
  const settle = (id: string, ok: boolean, text: string): boolean => {
    const call = open.get(id);
    if (!call) return false;
    open.delete(id);
    call.forget();
    echo(id, ok, text);
    call.answer(ok, text);
    return true;
  };

  return {
    begin(key, name, args, answer) {
      const declared = toolbox.declared(name);
      if (declared === undefined) {
        answer(false, `ERROR: unknown tool ${name}; available: ${toolbox.names().join(', ') || 'none'}`);
        return null;
      }
      if (closed !== null) {
        answer(false, closed);
        return null;
      }
      if (Buffer.byteLength(JSON.stringify(args)) > LIMITS.toolCallArgs) {
        options.notice(
          'arguments-too-large',
          `${declared} was called with arguments that are too large; the agent was told`,
        );
        answer(false, 'ERROR: arguments too large');
        return null;
      }
      const violation = toolbox.violation(declared, args);
      if (violation !== null) {
        answer(false, `ERROR: ${violation}`);
        return null;
      }
      const id = `tc_${next++}`;
      const forget =
        options.timeoutMs > 0
          ? options.after(options.timeoutMs, () => settle(id, false, 'ERROR: tool timeout'))
          : () => {};
      open.set(id, { key, answer, forget });
      emit({ v: 1, type: 'tool_call', id, name: declared, args });
      return id;
    },
    settle,
    withdraw(key) {
      for (const [id, call] of open) {
        if (call.key !== key) continue;
        open.delete(id);
        call.forget();
        echo(id, false, end ?? 'ERROR: the agent no longer waits for this call');
      }
    },
    ending(text) {
      end ??= text;
    },
    close(text) {
      closed = end ?? text;
      for (const id of [...open.keys()]) settle(id, false, closed);
    },
    open: () => open.size,
    any: () => next > 1,
    isOpen: (id) => open.has(id),
  };
}
