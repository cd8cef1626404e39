/** What one key may have under way, and cost: limits that its owner set. The same on every network surface. */

import type { Principal } from '../contract/principal.js';
import { addKnown } from '../text/json.js';
import { CoreError } from './failure.js';
import type { Runs, Started, Submission } from './ports.js';
import type { RunStatus } from './records.js';

const ACTIVE: readonly RunStatus[] = ['queued', 'running', 'waiting_for_approval', 'stopping'];
/** A run that waits for its caller's tools, or for an answer, hardly works. */
const WAITING_WEIGHT = 0.25;
/** A budget is for so long. */
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_RUNS = 100_000;

export interface KeyLimits {
  /**
   * Starts a run when the key's limits allow it. A run that is known by its idempotency key is answered with in any case.
   * @throws {CoreError} busy, budget
   */
  start(submission: Submission): Promise<Started>;
}

type Ports = Pick<Runs, 'start' | 'seen' | 'list' | 'get'>;

export function keyLimits(runs: Ports, now: () => number = Date.now): KeyLimits {
  /** One after another for each key, so that two at once don't both take the last place. */
  const turns = new Map<string, Promise<unknown>>();

  async function underWay(principal: Principal, caller: Submission['caller'], most: number): Promise<number> {
    const filters = ACTIVE.map((status) => ({
      status,
      principal: principal.name,
      limit: Math.ceil(most / WAITING_WEIGHT) + 1,
    }));
    const found = (await Promise.all(filters.map((filter) => runs.list(filter, caller)))).flat();
    const views = await Promise.all(found.map(({ run_id }) => runs.get(run_id, caller)));
    return views.reduce((sum, { calls, questions, asked }) => {
      return sum + (calls.length + questions.length + asked.length > 0 ? WAITING_WEIGHT : 1);
    }, 0);
  }
  /** What it may still cost; what no runtime reports can't be counted. */
  async function left(principal: Principal, caller: Submission['caller'], budget: number): Promise<number> {
    const filter = { principal: principal.name, since: now() - DAY_MS, limit: MOST_RUNS };
    const cost = (await runs.list(filter, caller)).reduce<number | null>(
      (sum, run) => addKnown(sum, run.cost_usd),
      null,
    );
    return budget - (cost ?? 0);
  }
  async function allowed(submission: Submission): Promise<Started> {
    const { caller, plan, idempotency } = submission;
    const { concurrency, budgetUsd } = caller.principal.limits ?? {};
    if (idempotency !== undefined && (await runs.seen(idempotency, caller)) !== null) return runs.start(submission);
    if (concurrency !== undefined && (await underWay(caller.principal, caller, concurrency)) + 1 > concurrency)
      throw new CoreError(
        'busy',
        `This key may have ${concurrency} ${concurrency === 1 ? 'turn' : 'turns'} under way.`,
      );
    if (budgetUsd === undefined) return runs.start(submission);
    const rest = await left(caller.principal, caller, budgetUsd);
    if (rest <= 0) throw new CoreError('budget', `This key has used its budget of $${budgetUsd} for 24 hours.`);
    const { request } = plan;
    const budget = Math.min(request.budgetUsd ?? rest, rest);
    return runs.start({ ...submission, plan: { ...plan, request: { ...request, budgetUsd: budget } } });
  }
  return {
    start(submission) {
      const { name, limits } = submission.caller.principal;
      if (limits === undefined) return runs.start(submission);
      const before = turns.get(name) ?? Promise.resolve();
      const mine = before.then(() => allowed(submission));
      const settled = mine.then(
        () => {},
        () => {},
      );
      turns.set(name, settled);
      return mine;
    },
  };
}
