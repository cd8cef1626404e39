/** Runs as the page lists them: what fits a row, and what waits for an answer. */

import type { PermissionRequestEvent, QuestionEvent } from '../../contract/event.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Caller } from '../../runs/ports.js';
import type { RunRecord } from '../../runs/records.js';

/** Characters of a prompt or an error in a list. */
const MOST = 240;

const cut = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST)}…` : text);

/** A run without its texts. `src/page/model.ts` names the same fields. */
export type Card = Omit<RunRecord, 'text' | 'pending_steer' | 'principal' | 'metadata'> & {
  /** Tools that wait for a person's permission. */
  questions: PermissionRequestEvent[];
  /** What the agent itself asks a person. */
  asked: QuestionEvent[];
};

type Waiting = Pick<Card, 'questions' | 'asked'>;
const NOTHING: Waiting = { questions: [], asked: [] };

function cardOf(run: RunRecord, { questions, asked }: Waiting): Card {
  const { text: _text, pending_steer: _steer, principal: _principal, metadata: _metadata, ...card } = run;
  const error = run.error === null ? null : { ...run.error, message: cut(run.error.message) };
  return { ...card, prompt: cut(run.prompt), error, questions, asked };
}

/** With its questions, which only a run that waits has. */
export async function cardNow(core: Core, run: RunRecord, caller: Caller): Promise<Card> {
  if (run.status !== 'waiting_for_approval') return cardOf(run, NOTHING);
  try {
    const now = await core.runs.get(run.run_id, caller);
    return cardOf(now.run, now);
  } catch (error) {
    // It was removed in the meantime: the list shows it as it was.
    if (error instanceof CoreError && error.reason === 'not-found') return cardOf(run, NOTHING);
    throw error;
  }
}
