/** Commands that fronts send to the runs of this worker. */

import type { Receipt } from '../runs/records.js';
import type { Engine } from './engine.js';
import type { WorkedRun } from './worked-run.js';

/** Milliseconds between two looks, should a hint be lost. */
const LOOK_MS = 1000;

/** @returns ends it */
export async function openMailbox(
  engine: Engine,
  worker: string,
  runOf: (id: string) => WorkedRun | null,
  complain: (text: string) => void,
): Promise<{ close(): void }> {
  let after: string | null = null;
  let looking = false;
  let again = false;
  let closed = false;

  async function deliver(): Promise<void> {
    for (;;) {
      const some = await engine.mail(worker, after);
      for (const { run: id, epoch, mail, letter } of some) {
        const run = runOf(id);
        // Letters to a claim of the past have no reader; their sender sees that the run is over.
        if (!run || run.epoch !== epoch || (await engine.receipt(mail)) !== null) continue;
        const receipt: Receipt = run.perform(letter);
        await engine.putReceipt(id, mail, receipt);
      }
      after = some.at(-1)?.place ?? after;
      await engine.taken(
        worker,
        some.map(({ place }) => place),
      );
      if (some.length === 0) return;
    }
  }
  async function look(): Promise<void> {
    again = true;
    if (looking || closed) return;
    looking = true;
    try {
      while (again && !closed) {
        again = false;
        await deliver();
      }
    } catch (error) {
      // Asked again with the next look.
      if (!closed) complain(error instanceof Error ? error.message : String(error));
    } finally {
      looking = false;
    }
  }
  const off = await engine.listen(`mail:${worker}`, () => void look());
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  void look();
  return {
    close() {
      closed = true;
      clearInterval(timer);
      off();
    },
  };
}
