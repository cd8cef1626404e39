/** A turn outside of a server that belongs to an org: it runs as it would alone, and its log is kept for others to read. */

import { OWNER } from '../../contract/principal.js';
import type { ExecOptions } from '../../exec/exec-turn.js';
import { runners as builtin, byId } from '../../registry/registry.js';
import type { TurnPlan } from '../../request/plan.js';
import type { Turn } from '../../turn/loop.js';
import { liveGiven } from '../clock-and-ids.js';
import { CoreError } from '../failure.js';
import { liveRuns } from '../live-runs.js';
import { newRecord } from '../new-record.js';
import type { Caller } from '../ports.js';
import { recover } from '../recover.js';
import { KEEPING, KEYS_MS } from '../retention.js';
import { createRun } from '../run.js';
import { newSession } from '../sessions.js';
import { StoreError } from '../store/store-error.js';
import { openOrgs } from './open.js';

export interface RecordedTurn {
  begin(options: ExecOptions): Turn;
  /** Call it when the turn is over. */
  close(): Promise<void>;
}

export interface RecordOptions {
  plan: TurnPlan;
  /** How the turn would be begun without us. */
  begin(options: ExecOptions): Turn;
  env: NodeJS.ProcessEnv;
  /** Hears what could not be kept. The turn goes on. */
  complain(line: string): void;
}

const CALLER: Caller = { principal: OWNER, surface: 'exec' };
/** A turn of its own waits for nobody. */
const PLACE = { yield() {}, retake() {} };

/** Opens the log first, so that a turn that can't be kept is not begun. @throws StoreError */
export async function recordedTurn({ plan, begin, env, complain }: RecordOptions): Promise<RecordedTurn> {
  const store = await openOrgs(env, 'agent exec', complain);
  const lost = (error: unknown): void => {
    if (!(error instanceof CoreError || error instanceof StoreError)) throw error;
    complain(`the log of the org is not whole: ${error.message}`);
  };
  await recover(store, Date.now()).catch(lost);
  const given = liveGiven();
  const live = liveRuns(store);

  function started(options: ExecOptions): Turn {
    const { request } = plan;
    const { runtime, cwd, prompt, resume } = request;
    const session = newSession({ runtime, cwd, title: prompt, native: resume }, CALLER, given);
    const submission = { caller: CALLER, plan, conversation: { kind: 'new' }, attended: true } as const;
    const record = newRecord(submission, session.session_id, given);
    const known = options.runners ?? builtin;
    const run = createRun({
      record,
      plan,
      store,
      given,
      prepare: (same) => same,
      native: options.session ?? given.id(),
      graceMs: 0,
      canSteer: (id) => byId(id, known)?.steer === true,
      learned({ native, runtime: id }) {
        if (native !== undefined) session.native_id = native;
        if (id !== undefined) session.runtime = id;
        store.putSession(session);
      },
      saved: () => void store.commit().catch(lost),
      ended: ({ updated_at }) => store.putSession({ ...session, updated_at }),
    });
    store.putSession(session);
    store.putRun(record);
    live.add(run);
    const begun: { turn?: Turn } = {};
    const over = run.begin(
      (_plan, hear) => {
        begun.turn = begin({
          ...options,
          emit(event) {
            hear(event);
            options.emit(event);
          },
        });
        return begun.turn;
      },
      PLACE,
      () => {},
    );
    const running = begun.turn;
    if (!running) throw new Error('a run that was not begun');
    const done = async (): Promise<number> => {
      const code = await running.done;
      await over;
      live.remove(run.id);
      await run.log.durable().catch(lost);
      return code;
    };
    return { ...running, done: done() };
  }
  return {
    begin: started,
    async close() {
      try {
        await store.sweep({ now: Date.now(), keysMs: KEYS_MS, ...KEEPING });
        store.close();
      } catch (error) {
        lost(error);
      }
    },
  };
}
