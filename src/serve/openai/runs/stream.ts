/** `GET /v1/runs/ID/events`: from any point, for any number of readers, also when the run is over. */

import type { Core } from '../../../runs/core.js';
import type { Caller } from '../../../runs/ports.js';
import type { RunRecord } from '../../../runs/records.js';
import { eventStream } from '../../listen/event-stream.js';
import type { Exchange } from '../../listen/surface.js';
import { lastEvent, type RunEvent, runEvents } from './events.js';
import { seconds } from './status.js';
import type { Telling, Told } from './told.js';

export interface EventReading {
  run: RunRecord;
  caller: Caller;
  /** The last entry of the log that the reader has. */
  after: number;
}

const keyOf = (told: Told): string => JSON.stringify([told.after, told.at, told.event, told.fields]);

export function runEventStream(
  core: Core,
  telling: Telling,
  exchange: Exchange,
  { run, caller, after }: EventReading,
): Response {
  const { run_id } = run;
  const signal = AbortSignal.any([exchange.signal, exchange.ending]);
  return eventStream(exchange, async (stream) => {
    const write = runEvents(run);
    const known = new Set<string>();
    let waiting: Told[] = [];
    let seen = 0;
    // What is read from the log was said at a time that the log does not hold; what comes now is said now.
    const send = (event: RunEvent, { at, id }: { at: number | null; id?: number }) => {
      const time = at === null ? {} : { timestamp: seconds(at) };
      const data = JSON.stringify({ ...event, run_id, ...time });
      stream.send({ data, ...(id === undefined ? {} : { id: `${id}` }) });
    };
    const flush = (upTo: number) => {
      for (const told of waiting.filter((one) => one.after < upTo && one.after >= after))
        send({ event: told.event, ...told.fields }, { at: told.at });
      waiting = waiting.filter((one) => one.after >= upTo);
    };
    const hear = (told: Told) => {
      if (known.has(keyOf(told))) return;
      known.add(keyOf(told));
      waiting.push(told);
      // It is due as soon as the entry that it follows is out.
      if (seen >= run.last_seq) flush(seen + 1);
    };
    const leave = telling.listen(run_id, hear);
    try {
      for (const told of await telling.told(run_id)) hear(told);
      for await (const one of core.log.follow(run_id, { after: 0, follow: true, signal }, caller)) {
        if ('gap' in one) {
          seen = one.gap.to;
          if (seen > after) send({ event: 'gap', from: one.gap.from, to: seen }, { at: null, id: seen });
          continue;
        }
        const { seq, event } = one.entry;
        flush(seq);
        const events = write.hear(event);
        if (event.type === 'done') events.push(lastEvent(await core.runs.ended(run_id, caller)));
        const at = seq > run.last_seq ? Date.now() : null;
        // The number comes with the last event of an entry: whoever comes back with it has had them all.
        events.forEach((shown, index) => {
          if (seq > after) send(shown, { at, ...(index === events.length - 1 ? { id: seq } : {}) });
        });
        seen = seq;
        await stream.ready();
        if (stream.closed) return;
      }
      if (!signal.aborted) stream.comment('stream closed');
    } finally {
      leave();
    }
  });
}
