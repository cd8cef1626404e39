/** Changes of all runs of a cluster. */

import type { Caller, WatchOptions } from '../runs/ports.js';
import type { RunChange, RunRecord } from '../runs/records.js';
import { sees } from '../runs/sight.js';
import type { Engine } from './engine.js';
import { ear } from './wait.js';

const BATCH = 200;

/** See Runs.watch. */
export async function* watch(engine: Engine, options: WatchOptions, caller: Caller): AsyncGenerator<RunChange> {
  const { signal, session } = options;
  const wanted = (run: RunRecord) => sees(caller, run) && (session === undefined || run.session_id === session);
  const heard = await ear(engine, ['changes'], signal);
  try {
    let after = options.after ?? (await engine.lastChange());
    while (!signal?.aborted) {
      const some = await engine.changes(after, BATCH);
      for (const change of some) {
        if (signal?.aborted) return;
        after = change.position;
        if (wanted(change.run)) yield change;
      }
      if (some.length === 0) await heard.next();
    }
  } finally {
    heard.close();
  }
}
