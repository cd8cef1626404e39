/** Streams of lines for the page: every change of every run, and the events of one run. Both go on from a cursor. */

import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import type { RunChange } from '../../runs/records.js';
import { jsonLine } from '../../text/json-line.js';
import { lineStream } from '../listen/line-stream.js';
import type { Out } from '../listen/lines.js';
import type { Exchange } from '../listen/surface.js';
import { cardNow } from './cards.js';

/** Milliseconds of silence after which an empty line is sent, so that a lost connection is noticed. */
const HEARTBEAT_MS = 10_000;
/** Runs in the first line of a feed without a cursor. */
const NEWEST = 200;

function stream(exchange: Exchange, produce: (out: Out, signal: AbortSignal) => Promise<void>): Response {
  const left = new AbortController();
  const { out, body, end } = lineStream(() => left.abort());
  const signal = AbortSignal.any([left.signal, exchange.signal, exchange.ending]);
  const beat = setInterval(() => out.write('\n'), HEARTBEAT_MS);
  void produce(out, signal)
    .then(end, (error: unknown) => {
      // The status went out already: a cut stream says that it is not whole.
      exchange.cut();
      throw error;
    })
    .finally(() => clearInterval(beat));
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' } });
}

const line = (value: unknown): string => `${jsonLine(JSON.stringify(value))}\n`;

/**
 * `{"runs":[…]}` once, unless the caller comes back with a position, then `{"position":…,"run":…}` for each change.
 * @param after the position of the last change that the caller knows
 */
export function watchFeed(core: Core, exchange: Exchange, caller: Caller, after: number | undefined): Response {
  return stream(exchange, async (out, signal) => {
    const changes = core.runs
      .watch({ signal, ...(after === undefined ? {} : { after }) }, caller)
      [Symbol.asyncIterator]();
    // Asked for before the list is read, so that nothing falls between the two.
    let next: Promise<IteratorResult<RunChange>> = changes.next();
    if (after === undefined) {
      const newest = await core.runs.list({ limit: NEWEST }, caller);
      out.write(line({ runs: await Promise.all(newest.map((run) => cardNow(core, run, caller))) }));
    } else out.write('\n');
    for (let one = await next; one.done !== true; one = await next) {
      const { position, run } = one.value;
      out.write(line({ position, run: await cardNow(core, run, caller) }));
      await out.ready();
      next = changes.next();
    }
  });
}

/**
 * `{"seq":…,"event":…}` for each event behind a number, `{"gap":{…}}` where some are no longer kept, and `{"over":true}`
 * behind the last event of a run that is over.
 */
export async function eventFeed(core: Core, exchange: Exchange, caller: Caller, after: number): Promise<Response> {
  const { run_id: id = '' } = exchange.params;
  // Here, so that an unknown run and a wrong cursor still get a status of their own.
  await core.log.page(id, after, { entries: 1, size: 1 }, caller);
  return stream(exchange, async (out, signal) => {
    for await (const one of core.log.follow(id, { after, follow: true, signal }, caller)) {
      out.write(line('gap' in one ? one : one.entry));
      await out.ready();
    }
    if (!signal.aborted) out.write(line({ over: true }));
  });
}
