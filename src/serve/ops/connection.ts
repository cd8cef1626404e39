/**
 * The requests of one connection: strictly one after another, except those with an `id`, which run side by side, and ops
 * that reach into a run, which overtake when they name it.
 */

import { setMaxListeners } from 'node:events';
import { UsageError } from '../../contract/error.js';
import { OWNER, type Principal } from '../../contract/principal.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { detailsOf, JOB_CODES, JobError } from '../../jobs/failure.js';
import type { JobService } from '../../jobs/service.js';
import { faultFields } from '../../request/fault-fields.js';
import { emptyMemory } from '../../runs/asking.js';
import { type Given, liveGiven } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Attendance, Caller } from '../../runs/ports.js';
import { RequestError } from '../../runs/request-error.js';
import type { LineSession, Out } from '../listen/lines.js';
import type { OpContext } from './op.js';
import { OPS, OVERTAKING } from './ops.js';
import { type Reply, reply } from './reply.js';
import { type Request, readRequest } from './request.js';

/** Requests that may wait or run at once on one connection; until one is answered, no more are read. */
const MOST = 256;

/** Hears each request with all that was answered, for a trace. */
export interface Trace {
  /** @param surface what the request came through */
  begun(request: string, surface: string): Noted;
}

export interface Noted {
  given: Given;
  line(text: string): void;
  ended(): void;
}

export interface ConnectionOptions {
  core: Core;
  /** Absent: coding jobs are refused. */
  jobs?: JobService | null;
  out: Out;
  trace?: Trace | null;
  /** The transport, for the records of what is begun here; keys of different transports are kept apart. */
  scope: string;
  /** Whom it serves; the owner when absent. */
  principal?: Principal;
  /** Whether `halt` ends the connection (default). */
  halts?: boolean;
  /** Complaints that every answer has in front of its `done`. */
  complaints?: readonly string[];
}

/** Whether it reaches into a run that it names. */
const overtakes = ({ op, id, fields }: Request): boolean =>
  OVERTAKING.has(op) && (id !== null || typeof fields['run_id'] === 'string');

export function connection(options: ConnectionOptions): LineSession {
  const { core, out } = options;
  const memory = emptyMemory();
  const caller: Caller = { principal: options.principal ?? OWNER, surface: options.scope };
  const attached = new Map<Attendance, string>();
  const left = new AbortController();
  // One listener for each run that is read, however many there are.
  setMaxListeners(0, left.signal);
  const working = new Set<Promise<void>>();
  let queue: Promise<void> = Promise.resolve();
  let waiting = 0;
  let roomy: (() => void)[] = [];
  let worst = 0;
  let halting = false;
  let ended = false;
  /** What runs and what waits is to be cancelled. */
  let forced = false;
  let tellHalted: () => void = () => {};
  const halted = new Promise<void>((resolve) => {
    tellHalted = resolve;
  });

  function finish(to: Reply, code: number): void {
    worst = Math.max(worst, code);
    for (const one of options.complaints ?? []) to.error(one);
    to.done(code);
  }
  function explain(to: Reply, error: unknown): number {
    if (error instanceof RequestError) {
      to.error(error.message, error.code ?? (error.exit === 2 ? 'usage' : undefined));
      return error.exit;
    }
    if (error instanceof CoreError) {
      to.error(error.message, error.reason);
      return error.reason === 'bad-request' ? 2 : 1;
    }
    if (error instanceof JobError) {
      to.error(error.message, error.code, detailsOf(error));
      return JOB_CODES[error.code] === 400 ? 2 : 1;
    }
    if (error instanceof UsageError) {
      to.error(error.message, 'usage', faultFields(error));
      return 2;
    }
    to.error(`turnout itself failed: ${error instanceof Error ? error.message : String(error)}`, 'runner-error');
    return 1;
  }
  function attach(run: string, attendance: Attendance): () => void {
    attached.set(attendance, run);
    if (ended) attendance.deaf();
    if (left.signal.aborted) attendance.leave();
    else if (forced) void end(run);
    return () => {
      attached.delete(attendance);
      attendance.leave();
    };
  }
  /** A run that ended meanwhile needs no end. */
  async function end(run: string): Promise<void> {
    try {
      await core.runs.send(run, { type: 'cancel' }, caller);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
    }
  }
  async function idle(): Promise<void> {
    while (working.size > 0) await Promise.all(working);
  }
  async function work(read: Request | { bad: string }, tag: JsonObject, noted: Noted | null) {
    if (left.signal.aborted) return;
    const to = reply(out, tag, left.signal, noted ? (line) => noted.line(line) : undefined);
    let code = 2;
    if ('bad' in read) to.error(read.bad);
    else {
      const op = OPS.get(read.op);
      if (!op) to.error(`unknown op: ${read.op.slice(0, 100)}`);
      else {
        const given: Given = noted?.given ?? liveGiven();
        const { fields, id } = read;
        const context: OpContext = {
          core,
          jobs: options.jobs ?? null,
          fields,
          id,
          reply: to,
          memory,
          given,
          caller,
          attach,
        };
        try {
          code = await op(context);
        } catch (error) {
          code = explain(to, error);
        }
      }
    }
    finish(to, code);
    // An answer that was cut off can't be compared.
    if (!left.signal.aborted) noted?.ended();
    if ('op' in read && read.op === 'halt' && halting) tellHalted();
  }
  function start(read: Request | { bad: string }, tag: JsonObject, noted: Noted | null, after = Promise.resolve()) {
    waiting += 1;
    const task = after.then(() => work(read, tag, noted));
    const counted = task.finally(() => {
      waiting -= 1;
      working.delete(counted);
      if (waiting >= MOST) return;
      for (const resolve of roomy) resolve();
      roomy = [];
    });
    working.add(counted);
    return counted;
  }
  function take(read: Request | { bad: string; id: Request['id'] }, text: string): void {
    const noted = options.trace?.begun(text, options.scope) ?? null;
    const tag: JsonObject = read.id === null ? {} : { id: read.id };
    if ('op' in read && read.op === 'halt') {
      halting = options.halts !== false;
      forced = read.fields['force'] === true;
      if (forced) for (const run of attached.values()) void end(run);
      // Whatever came before it is answered first.
      queue = start(
        read,
        tag,
        noted,
        Promise.all(working).then(() => {}),
      );
      return;
    }
    if (read.id !== null) return void start(read, tag, noted);
    // Without an id its lines could not be told from those of the request it overtakes.
    if ('op' in read && overtakes(read) && waiting > 0) return void start(read, { op: read.op }, noted);
    queue = start(read, tag, noted, queue);
  }

  return {
    halted,
    idle,
    get full() {
      return waiting >= MOST;
    },
    room: () => (waiting < MOST ? Promise.resolve() : new Promise((resolve) => roomy.push(resolve))),
    get worst() {
      return worst;
    },
    accept(line) {
      const text = line.trim();
      if (text === '' || ended) return;
      const read = readRequest(text);
      // What still runs may still be answered.
      if (halting && !('op' in read && overtakes(read))) return;
      take(read, text);
    },
    malformed(message) {
      if (halting || ended) return;
      take({ bad: message, id: null }, '');
    },
    async end() {
      ended = true;
      for (const attendance of attached.keys()) attendance.deaf();
      await idle();
    },
    gone() {
      ended = true;
      left.abort();
      for (const attendance of attached.keys()) attendance.leave();
    },
  };
}
