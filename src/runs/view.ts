/** A run as it is now, with what is open in it; of a run that another process works on, from what it wrote so far. */

import type { PermissionRequestEvent, QuestionEvent, ToolCallEvent } from '../contract/event.js';
import type { LogEntry, RunRecord } from './records.js';
import type { Run } from './run.js';
import { tally } from './run-tally.js';
import type { ReadLimits } from './store/store.js';

/** A run as it is now. */
export interface RunView {
  run: RunRecord;
  /** Permission questions that nobody answered yet, oldest first. */
  questions: PermissionRequestEvent[];
  /** What the agent asks a person, not answered yet, oldest first. */
  asked: QuestionEvent[];
  /** Caller tools that wait for their result. */
  calls: ToolCallEvent[];
}

const BATCH = { entries: 500, size: 1024 * 1024 };

/** A run in which nothing is open. */
export const closedView = (run: RunRecord): RunView => ({ run, questions: [], asked: [], calls: [] });

/** A run that this process works on. */
export const liveView = (run: Run): RunView => ({
  run: run.record,
  questions: run.questions(),
  asked: run.asked(),
  calls: run.calls(),
});

/** A run that is worked on elsewhere. @param events the entries of its log after a number */
export async function distantView(
  events: (after: number, limits: ReadLimits) => LogEntry[] | Promise<LogEntry[]>,
  run: RunRecord,
): Promise<RunView> {
  const sums = tally();
  for (let last = 0; ; ) {
    const some = await events(last, BATCH);
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
