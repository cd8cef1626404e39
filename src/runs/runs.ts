/** All runs of one store, as this process sees them. */

import { liveGiven } from './clock-and-ids.js';
import type { LocalDispatch } from './dispatch.js';
import { CoreError } from './failure.js';
import { continued } from './history.js';
import { keyOf } from './idempotency.js';
import { type LiveRuns, perform } from './live-runs.js';
import { newRecord } from './new-record.js';
import type { StartTurn } from './plan.js';
import type { Caller, Runs, Started, Submission } from './ports.js';
import { type Command, isOver, type Receipt, type RunRecord, type SessionRecord } from './records.js';
import { recover } from './recover.js';
import { createRun, type Run } from './run.js';
import { forkOf, needSessionFor, openedBy } from './sessions.js';
import { sees } from './sight.js';
import type { Store } from './store/store.js';
import { closedView, distantView, liveView } from './view.js';
import { watch } from './watch.js';

export interface RunsOptions {
  store: Store;
  live: LiveRuns;
  dispatch: LocalDispatch;
  start: StartTurn;
  canSteer(runtime: string): boolean;
  sameRuntime(a: string, b: string): boolean;
  /** How long a run with an idempotency key goes on when nobody waits for it any more, milliseconds. */
  graceMs: number;
}

/** Milliseconds: how long another process may take to answer a command, and between two looks. */
const ANSWER_MS = 10_000;
const LOOK_MS = 25;

export function runs(options: RunsOptions): Runs {
  const { store, live, dispatch } = options;

  const recordOf = (id: string): RunRecord | null => live.get(id)?.record ?? store.run(id);
  /** @throws {CoreError} not-found */
  function need(id: string, caller: Caller): RunRecord {
    const found = recordOf(id);
    if (!found || !sees(caller, found)) throw new CoreError('not-found', `there is no run ${id}`);
    return found;
  }
  /** @throws {CoreError} conflict */
  function seen(idempotency: NonNullable<Submission['idempotency']>, caller: Caller): RunRecord | null {
    const { key, fingerprint } = keyOf(idempotency, caller);
    const found = store.key(key);
    const run = found ? recordOf(found.run_id) : null;
    if (!found || !run) return null;
    if (found.fingerprint !== fingerprint)
      throw new CoreError('conflict', 'this idempotency key was used for another request');
    // Who lost the connection asked for an answer, not for the end.
    return run.ended_by === 'disconnect' ? null : run;
  }
  /** The session of a submission: an existing one as it is, a new one not yet put anywhere. */
  function sessionOf(submission: Submission): SessionRecord {
    const { conversation, caller, given = liveGiven() } = submission;
    switch (conversation.kind) {
      case 'continue':
        return needSessionFor(store, conversation.id, caller);
      case 'fork':
        return forkOf(store, needSessionFor(store, conversation.id, caller), caller, given);
      case 'new':
        return openedBy(submission, conversation);
      default: {
        const never: never = conversation;
        return never;
      }
    }
  }
  function change(id: string, what: Partial<SessionRecord>): void {
    const found = store.session(id);
    if (found) store.putSession({ ...found, ...what });
  }
  /** Watchers hear of it once it is durable; a store that can't be written says so itself. */
  function saved(): void {
    store.commit().then(live.changed, () => {});
  }
  function make(submission: Submission, session: SessionRecord): Run {
    const { plan, given = liveGiven(), tap, caller, idempotency, history = [] } = submission;
    const record = newRecord(submission, session.session_id, given);
    const { run_id, session_id } = record;
    return createRun({
      plan,
      given,
      store,
      record,
      native: given.id(),
      graceMs: idempotency ? options.graceMs : 0,
      ...(tap ? { tap } : {}),
      canSteer: options.canSteer,
      prepare: (asked) => {
        const of = { run: run_id, session: session_id };
        return { ...asked, request: continued(store, asked.request, of, history, options.sameRuntime) };
      },
      learned: ({ native, runtime }) =>
        change(session_id, {
          ...(native === undefined ? {} : { native_id: native }),
          ...(runtime === undefined ? {} : { runtime }),
        }),
      saved,
      ended(run) {
        change(session_id, { updated_at: run.ended_at ?? run.updated_at });
        if (!idempotency) return;
        // Kept from the end of the run on.
        const { key, fingerprint } = keyOf(idempotency, caller);
        if (store.key(key)?.run_id === run_id) store.putKey(key, { fingerprint, run_id, at: run.updated_at });
      },
    });
  }
  /** What is attended when nobody waits any more ends. */
  const attended = (run: Run | null, { attended: asked }: Submission) => {
    if (!asked) run?.attendants.detach();
    return run && asked && !isOver(run.record.status) ? run.attendants.attend() : null;
  };

  /** @param before the run that its key stood for @returns false when another process was first with the key */
  function put(record: RunRecord, key: ReturnType<typeof keyOf> | null, before: string | null): boolean {
    const value = key && { fingerprint: key.fingerprint, run_id: record.run_id, at: record.created_at };
    if (key && value && store.shared) return store.putKeyed(key.key, value, before, record);
    if (key && value) store.putKey(key.key, value);
    store.putRun(record);
    return true;
  }

  async function start(submission: Submission): Promise<Started> {
    const { caller, idempotency, release, whenBusy = 'queue', whenFull = 'queue' } = submission;
    // Another process that died may have left the session busy.
    if (store.shared) await recover(store, Date.now());
    // From here to the commit nothing is waited for: nobody else's request can come in between.
    const key = idempotency ? keyOf(idempotency, caller) : null;
    const before = key ? (store.key(key.key)?.run_id ?? null) : null;
    const known = idempotency ? seen(idempotency, caller) : null;
    if (known) {
      await store.commit();
      await release?.();
      return { run: known, replayed: true, attendance: attended(live.get(known.run_id), submission) };
    }
    const session = sessionOf(submission);
    const run = make(submission, session);
    const { id } = run;
    dispatch.take({ run_id: id, session_id: session.session_id, caller }, { whenBusy, whenFull });
    const isNew = submission.conversation.kind !== 'continue';
    const { record } = run;
    if (!put(record, key, before)) {
      dispatch.drop(id);
      run.attendants.close();
      return start(submission);
    }
    if (isNew) store.putSession(session);
    live.add(run);
    const attendance = attended(run, submission);
    if (release) void live.gone(id).then(release);
    try {
      await store.commit();
    } catch (error) {
      dispatch.drop(id);
      run.attendants.close();
      store.takeBack({ run: id, ...(isNew ? { session: session.session_id } : {}), ...(key ? { key: key.key } : {}) });
      live.remove(id);
      throw error;
    }
    live.changed();
    // Cancelled while it waited, it is over before its turn comes.
    void run.over.then(() => {
      if (dispatch.drop(id)) void leave(run);
    });
    // Whoever is answered now may still cancel it before it begins.
    setImmediate(() => dispatch.ready(id));
    return { run: record, replayed: false, attendance };
  }
  /** Its end is durable, or the store has said why it is not. */
  async function leave(run: Run): Promise<void> {
    await run.log.durable().catch(() => {});
    live.remove(run.id);
  }
  dispatch.serve(async ({ run_id }, place, begun) => {
    const run = live.get(run_id);
    if (!run) return;
    await run.begin(options.start, place, begun);
    await leave(run);
  });

  /** Through the mailbox of a run that another process works on. */
  async function post(id: string, command: Command, mail: string): Promise<Receipt> {
    store.post({ id: mail, run_id: id, command, at: Date.now() });
    await store.commit();
    for (const until = Date.now() + ANSWER_MS; Date.now() < until; ) {
      const receipt = store.receipt(mail);
      if (receipt) return receipt;
      if (isOver(recordOf(id)?.status ?? 'interrupted')) break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return { ok: false, reason: 'not-active', message: `run ${id}: the process that works on it does not answer` };
  }

  return {
    start,
    seen: async (idempotency, caller) => seen(idempotency, caller),
    async get(id, caller) {
      const run = need(id, caller);
      const here = live.get(id);
      if (here) return liveView(here);
      if (isOver(run.status)) return closedView(run);
      return distantView((after, limits) => store.events(id, after, limits), run);
    },
    async list(filter, caller) {
      const own = caller.principal.kind === 'owner' ? {} : { principal: caller.principal.name };
      return store.runs({ ...filter, ...own });
    },
    async send(id, command, caller, mail) {
      const record = need(id, caller);
      const before = mail === undefined ? null : store.receipt(mail);
      const run = live.get(id);
      let receipt = before;
      if (!receipt && run) {
        if (mail !== undefined) store.post({ id: mail, run_id: id, command, at: Date.now() });
        receipt = perform(run, { command });
        if (mail !== undefined) {
          store.putReceipt(mail, receipt);
          await store.commit();
        }
      }
      if (!receipt && isOver(record.status)) {
        if (command.type === 'cancel') return { ok: true, id: null, did: false };
        throw new CoreError('not-active', `run ${id} is ${record.status}`);
      }
      receipt ??= await post(id, command, mail ?? liveGiven().id());
      if (!receipt.ok) throw CoreError.of(receipt.reason, receipt.message);
      return receipt;
    },
    async attend(id, caller) {
      const { status } = need(id, caller);
      const run = live.get(id);
      return run && !isOver(status) ? run.attendants.attend() : null;
    },
    async ended(id, caller, signal) {
      need(id, caller);
      if (live.get(id)) {
        let leave: () => void = () => {};
        const left = new Promise<void>((resolve) => {
          leave = resolve;
        });
        signal?.addEventListener('abort', leave, { once: true });
        if (signal?.aborted) leave();
        await Promise.race([live.gone(id), left]);
        signal?.removeEventListener('abort', leave);
      }
      while (!live.get(id) && !isOver(need(id, caller).status) && !signal?.aborted)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      return need(id, caller);
    },
    watch: (how, caller) => watch(store, live, how, caller),
  };
}
