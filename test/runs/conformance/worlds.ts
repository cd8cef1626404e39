/** A fresh world for each test of the ports, and what the tests need of it. */

import type { Event, QuestionEvent } from '../../../src/contract/event.js';
import { CoreError } from '../../../src/runs/failure.js';
import type { Caller, Dispatch, Lifetime, RunLog, Runs, Sessions, Submission } from '../../../src/runs/ports.js';
import type { LogEntry, RunRecord, RunStatus } from '../../../src/runs/records.js';
import { type FakeTurn, plan } from '../fake-turn.js';

export interface Ports extends Lifetime {
  runs: Runs;
  log: RunLog;
  sessions: Sessions;
  dispatch: Pick<Dispatch, 'load'>;
}

export interface World {
  ports: Ports;
  /** The turns that were begun, in order. */
  turns: FakeTurn[];
  /** Another process on the same store; null where there can be none. */
  beside: (() => Promise<Ports>) | null;
  close(): Promise<void>;
}

export interface WorldOptions {
  concurrency?: number;
  queue?: number;
  graceMs?: number;
}

export type Make = (options?: WorldOptions) => Promise<World>;
/** Registers one test. */
export type Test = (name: string, work: () => Promise<void>) => void;

/** Begins a turn of a new session, unless told otherwise. */
type Submit = (prompt?: string, how?: Partial<Submission>) => Promise<RunRecord>;

export type On = (work: (world: World & { submit: Submit }) => Promise<void>, options?: WorldOptions) => Promise<void>;

export const OWNER: Caller = { principal: { name: 'owner', kind: 'owner' }, surface: 'test' };
export const named = (name: string): Caller => ({ principal: { name, kind: 'key' }, surface: 'test' });

export const question: Event = {
  v: 1,
  type: 'permission_request',
  id: 'pr_1',
  tool_use_id: 't1',
  name: 'shell',
  kind: 'shell',
  input: { command: 'make' },
  choices: ['allow_once', 'deny'],
};

export const asks: QuestionEvent = {
  v: 1,
  type: 'question',
  id: 'q_1',
  source: 'agent',
  questions: [{ id: 'colour', question: 'Which colour?', choices: [{ value: 'red' }, { value: 'green' }] }],
};

/** Why something was refused; `none` when it was not. */
export async function reason(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CoreError) return error.reason;
    throw error;
  }
  return 'none';
}

/** Waits for what another process or a timer brings; a test that waits in vain is ended by the runner. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export const status = async (ports: Ports, { run_id }: RunRecord): Promise<RunStatus> =>
  (await ports.runs.get(run_id, OWNER)).run.status;

/** Resolves once a run has that status: what happens elsewhere is seen a moment later. */
export const reaches = (ports: Ports, run: RunRecord, wanted: RunStatus): Promise<void> =>
  until(async () => (await status(ports, run)) === wanted);

/** To the end of the run. */
export async function entries(ports: Ports, id: string, after = 0): Promise<LogEntry[]> {
  const all: LogEntry[] = [];
  for await (const one of ports.log.follow(id, { after, follow: true }, OWNER)) if ('entry' in one) all.push(one.entry);
  return all;
}

/** Worlds that are closed when the work in them is over. */
export function worlds(make: Make): On {
  return async (work, options) => {
    const world = await make(options);
    const submit: Submit = async (prompt, how = {}) => {
      const plain = { caller: OWNER, plan: plan(prompt), conversation: { kind: 'new' }, attended: false } as const;
      return (await world.ports.runs.start({ ...plain, ...how })).run;
    };
    try {
      await work({ ...world, submit });
    } finally {
      world.ports.cancelAll('shutdown');
      for (const turn of world.turns) turn.end(130);
      await world.ports.drain();
      await world.close();
    }
  };
}
