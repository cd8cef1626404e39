/** One run as it is read: its events, gathered and shown once a frame. */

import { type ReadonlySignal, signal } from '@preact/signals';
import type { Event } from '../contract/event.js';
import { advance, emptyTurn, type Heard, type TurnView } from '../view/turn.js';
import { keepReading, type Link } from './connection.js';

export interface LiveRun {
  view: ReadonlySignal<TurnView>;
  /** Everything that was heard, for the scrubber and for copying. */
  log: readonly Heard[];
  over: ReadonlySignal<boolean>;
  link: ReadonlySignal<Link>;
  failed: ReadonlySignal<string | null>;
  stop(): void;
}

type Line = { seq: number; event: Event } | { gap: { from: number; to: number } } | { over: true };

export function liveRun(id: string): LiveRun {
  const view = signal(emptyTurn);
  const over = signal(false);
  const link = signal<Link>('connecting');
  const failed = signal<string | null>(null);
  const left = new AbortController();
  const log: Heard[] = [];
  let last = 0;
  let gathered: Heard[] = [];
  let due = false;

  const show = () => {
    due = false;
    view.value = advance(view.value, gathered);
    gathered = [];
  };
  const hear = (line: Line): boolean => {
    if ('over' in line) {
      over.value = true;
      return true;
    }
    const seq = 'gap' in line ? line.gap.to : line.seq;
    if (seq <= last) return false;
    last = seq;
    log.push(line);
    gathered.push(line);
    if (!due) requestAnimationFrame(show);
    due = true;
    return false;
  };
  void keepReading(
    () => `/runs/${encodeURIComponent(id)}/events?since=${last}`,
    (line) => hear(line as Line),
    left.signal,
    (now) => {
      link.value = now;
    },
  ).catch((error: unknown) => {
    failed.value = error instanceof Error ? error.message : String(error);
  });
  return { view, log, over, link, failed, stop: () => left.abort() };
}
