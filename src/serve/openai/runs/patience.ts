/** What an agent asks is not left open for ever: without an answer it counts as no. */

import type { Core } from '../../../runs/core.js';
import { CoreError } from '../../../runs/failure.js';
import type { Caller } from '../../../runs/ports.js';
import type { Command } from '../../../runs/records.js';

/** Milliseconds. */
export const PATIENCE_MS = 300_000;

/** Follows a run to its end. @throws {CoreError} the log can't be read */
export async function answerLate(core: Core, caller: Caller, run: string, patienceMs: number): Promise<void> {
  const timers = new Map<string, NodeJS.Timeout>();
  const later = (id: string, command: Command) => {
    const say = () =>
      void core.runs.send(run, command, caller).catch((error: unknown) => {
        // It was answered meanwhile, or the run is over.
        if (!(error instanceof CoreError)) throw error;
      });
    timers.set(id, setTimeout(say, patienceMs).unref());
  };
  try {
    for await (const one of core.log.follow(run, { after: 0, follow: true }, caller)) {
      if ('gap' in one) continue;
      const { event } = one.entry;
      if (event.type === 'permission_request')
        later(event.id, {
          type: 'approve',
          choice: 'deny',
          request: event.id,
          message: 'Nobody answered in time.',
        });
      if (event.type === 'question') later(event.id, { type: 'answer', answers: {}, question: event.id });
    }
  } finally {
    for (const timer of timers.values()) clearTimeout(timer);
  }
}
