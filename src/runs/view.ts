/** What is open in a run that another process works on, from what it wrote so far. */

import type { RunView } from './ports.js';
import type { RunRecord } from './records.js';
import { tally } from './run-tally.js';
import type { Store } from './store/store.js';

const BATCH = { entries: 500, size: 1024 * 1024 };

export async function distantView(store: Store, run: RunRecord): Promise<RunView> {
  const sums = tally();
  for (let last = 0; ; ) {
    const some = store.events(run.run_id, last, BATCH);
    for (const { seq, event } of some) {
      sums.hear(event);
      last = seq;
    }
    if (some.length === 0) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Its status says whether what was asked is answered: answers are not in the log.
  const questions = run.status === 'waiting_for_approval' ? [...sums.questions.values()] : [];
  return { run, questions, asked: [...sums.asked.values()], calls: [...sums.calls.values()] };
}
