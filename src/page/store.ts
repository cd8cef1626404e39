/** What every view shares: the runs as they are now, who we are, and what the person chose. */

import { batch, computed, effect, signal } from '@preact/signals';
import { call } from './api.js';
import { link, offlineSince } from './connection.js';
import type { Card, Me, Runtime } from './model.js';
import { type FeedLine, followTogether } from './shared-feed.js';

export const me = signal<Me | null>(null);
/** null until the first list is there. */
export const runs = signal<ReadonlyMap<string, Card> | null>(null);
export const runtimes = signal<readonly Runtime[] | null>(null);

export const newestFirst = computed(() =>
  [...(runs.value?.values() ?? [])].sort((a, b) => b.created_at - a.created_at),
);
export const waiting = computed(() =>
  newestFirst.value.filter(({ questions, asked }) => questions.length + asked.length > 0),
);

/** The newest run of each session, the session that was used last first. */
export const sessions = computed(() => {
  const seen = new Map<string, Card>();
  for (const run of newestFirst.value) if (!seen.has(run.session_id)) seen.set(run.session_id, run);
  return [...seen.values()];
});

/** Changes that came in one moment are shown in one. */
let changed = new Map<string, Card>();
let due = false;

function show(): void {
  due = false;
  runs.value = new Map([...(runs.value ?? []), ...changed]);
  changed = new Map();
}

function take(line: FeedLine): void {
  if (line.runs) runs.value = new Map(line.runs.map((run) => [run.run_id, run]));
  if (!line.run) return;
  changed.set(line.run.run_id, line.run);
  if (!due) queueMicrotask(show);
  due = true;
}

/** Keeps `runs` and `link` true until the signal. @throws {ApiError} the server refuses this visit */
export const follow = (left: AbortSignal): Promise<void> =>
  followTogether(
    {
      runs: () => runs.value && [...runs.value.values()],
      take,
      link: (now) =>
        batch(() => {
          link.value = now;
          if (now === 'live') offlineSince.value = null;
          else offlineSince.value ??= Date.now();
        }),
    },
    left,
  );

export async function lookAround(): Promise<void> {
  me.value = await call<Me>('GET', '/me');
  runtimes.value = (await call<{ agents: Runtime[] }>('GET', '/runtimes')).agents;
}

/** What needs a person is seen from other tabs, too. */
effect(() => {
  const count = waiting.value.length;
  document.title = count > 0 ? `(${count}) Turnout` : 'Turnout';
});
