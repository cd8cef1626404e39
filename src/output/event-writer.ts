/** Events → stdout. The only thing that touches stdout during a turn. */

import type { Event } from '../contract/event.js';
import { eventLine } from '../text/event-line.js';

/** Bytes waiting for the reader at which the runtime is paused, and at which it goes on. Four times as much took 30 MiB. */
const HIGH_WATER = 256 * 1024;
const LOW_WATER = 64 * 1024;
const PIECE = 64 * 1024;
const { byteLength } = Buffer;

/** What the writer needs of `process.stdout` (a pipe, a file, a terminal or a socket). */
export interface Sink {
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface WriterHooks {
  /** Stdout takes nothing more: the reader is gone, the disk is full. Comes at most once; later events are dropped. */
  onBroken?(error: Error): void;
  /** More than 256 KiB wait for the reader: stop the runtime's output until `onResume`. */
  onPause?(): void;
  onResume?(): void;
}

export interface EventWriter {
  write(event: Event): void;
  /** Bytes that were written but not yet taken. */
  readonly pending: number;
  readonly broken: boolean;
  /** Resolves when nothing is pending any more, or stdout broke. */
  drained(): Promise<void>;
  /**
   * Waits for the reader, for at most `ms`; without `ms` as long as it takes.
   * @returns whether everything was taken
   */
  flush(ms?: number): Promise<boolean>;
}

/**
 * A writer that counts what the reader has not taken. Node loses what is pending on a pipe at `process.exit`, so a
 * program that uses it ends by `flush`, then exit.
 * @param format an event as text; the line of the contract when absent
 */
export function eventWriter(
  sink: Sink,
  hooks: WriterHooks = {},
  format: (event: Event) => string = eventLine,
): EventWriter {
  let pending = 0;
  let broken = false;
  let paused = false;
  let waiting: (() => void)[] = [];

  function settle(): void {
    const ready = waiting;
    waiting = [];
    for (const resolve of ready) resolve();
  }

  function fail(error: Error): void {
    if (broken) return;
    broken = true;
    pending = 0;
    queue = [];
    settle();
    hooks.onBroken?.(error);
  }

  function taken(bytes: number): void {
    if (broken) return;
    pending -= bytes;
    if (paused && pending <= LOW_WATER) {
      paused = false;
      hooks.onResume?.();
    }
    if (pending === 0) settle();
  }

  function drained(): Promise<void> {
    return pending === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
  }

  // A stream reports a failed write to its callback and as an event; without a listener the event would end us.
  sink.on('error', fail);

  /** What came while a write was under way leaves in larger pieces: a million small writes cost more than the events. */
  let queue: { lines: string[]; bytes: number }[] = [];
  let writing = false;

  function send(text: string, bytes: number): void {
    writing = true;
    try {
      sink.write(text, (error) => {
        if (error) return fail(error);
        taken(bytes);
        writing = false;
        const next = broken ? undefined : queue.shift();
        if (next) send(next.lines.join(''), next.bytes);
      });
    } catch (error) {
      // A file is written at once and may throw (disk full).
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function later(line: string, bytes: number): void {
    const last = queue.at(-1);
    if (last === undefined || last.bytes >= PIECE) queue.push({ lines: [line], bytes });
    else {
      last.lines.push(line);
      last.bytes += bytes;
    }
  }

  return {
    write(event) {
      if (broken) return;
      const line = format(event);
      if (line === '') return;
      const bytes = byteLength(line);
      pending += bytes;
      if (writing) later(line, bytes);
      else send(line, bytes);
      if (!broken && !paused && pending > HIGH_WATER) {
        paused = true;
        hooks.onPause?.();
      }
    },
    get pending() {
      return pending;
    },
    get broken() {
      return broken;
    },
    drained,
    async flush(ms) {
      if (pending > 0) {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>((resolve) => {
          if (ms !== undefined) timer = setTimeout(resolve, ms);
        });
        await Promise.race([drained(), late]);
        clearTimeout(timer);
      }
      return pending === 0 && !broken;
    },
  };
}
