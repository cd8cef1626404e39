/** The ports of runs over a cluster, for a front, a worker, or both in one process. */

import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { BrokenRunner } from '../contract/scan.js';
import { byId } from '../registry/registry.js';
import { type Core, concurrencyOf, GRACE_MS } from '../runs/core.js';
import { checkCredentialOwner } from '../runs/credential-owner.js';
import { CoreError } from '../runs/failure.js';
import { keyLimits } from '../runs/key-limits.js';
import { type MachineOptions, machine } from '../runs/machine.js';
import type { Caller, Submission } from '../runs/ports.js';
import type { RunRecord, SessionRecord } from '../runs/records.js';
import { sees } from '../runs/sight.js';
import { openArchive } from './archive.js';
import { commands } from './commands.js';
import type { Due, Engine, Member } from './engine.js';
import { forgetting } from './forget.js';
import { clusterLog } from './log.js';
import { LEASE_MS } from './open.js';
import { homeQueue, isLabel, LABELS_KEY, queueFor, works } from './placement.js';
import { openPresence } from './presence.js';
import { type QueueBackend, turnQueues } from './queue.js';
import { clusterRuns } from './runs.js';
import { clusterSessions } from './sessions.js';
import { sweeper } from './sweeper.js';
import { waiters } from './waiters.js';
import { openWorker, type Workers } from './worker.js';

export interface ClusterOptions extends MachineOptions {
  engine: Engine;
  backend: QueueBackend;
  role: Member['role'];
  /** The same after a restart: sessions are continued by the worker that has their files. */
  id: string;
  labels?: readonly string[];
  /** What is installed here. */
  runtimes: Member['runtimes'];
  /** Runners that were left out. */
  broken?: readonly BrokenRunner[];
  /** Turns at once; by the number of cores when absent. */
  concurrency?: number | undefined;
  /** Runs of all callers that may wait, and those of one. */
  queue?: number;
  callerQueue?: number;
  /** How long a run with an idempotency key goes on when nobody waits for it any more, milliseconds. */
  graceMs?: number;
  /** Milliseconds after its last sign of life that a member counts as gone. */
  leaseMs?: number;
  /** How long a session waits for its home to come back. */
  homeMs?: number;
  /** Milliseconds after its last use after which a session is forgotten; null: never. */
  keepMs?: number | null;
  /** A folder that all members share, for the logs of old runs. */
  archive?: string | undefined;
  /** Runs that ended longer ago are moved there, milliseconds. */
  archiveMs?: number | undefined;
  /** Bytes that must be free before another run is begun. */
  leastMemory?: number;
  complain(text: string): void;
}

export interface ClusterCore extends Core {
  close(): Promise<void>;
}

const HOME_MS = 60_000;
const ARCHIVE_MS = 24 * 60 * 60 * 1000;
const QUEUE = 10_000;
const CALLER_QUEUE = 5000;
const LEAST_MEMORY = 256 * 1024 * 1024;
const GAUGE_MS = 5000;
/** Looks of the sweeper in a lease. */
const BEATS = 6;

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws {CoreError} conflict: another process has this id; store */
export async function openCluster(options: ClusterOptions): Promise<ClusterCore> {
  const { engine, role, id, runners, complain, leaseMs = LEASE_MS, graceMs = GRACE_MS } = options;
  const on = machine(options);
  const queues = turnQueues(options.backend, () => engine.tell('due'));
  const places = role === 'front' ? 0 : (options.concurrency ?? concurrencyOf(availableParallelism()));
  let workers: Workers | null = null;
  let draining = false;
  let asked = false;
  let short: string | null = null;
  const presence = await openPresence({
    engine,
    id,
    instance: randomUUID().slice(0, 8),
    role,
    version: options.version,
    runtimes: options.runtimes,
    labels: options.labels ?? [],
    places,
    leastMemory: options.leastMemory ?? LEAST_MEMORY,
    leaseMs,
    load: () => workers?.counts() ?? { running: 0, waiting: 0 },
    draining: () => draining || asked,
    asked: (to) => {
      asked = to;
    },
    complain,
  });
  const front = `front:${presence.name}`;
  const canSteer = (runtime: string): boolean => byId(runtime, runners)?.steer === true;
  // What can't be added now is added by the sweeper.
  const due = (next: Due): Promise<void> => queues.add(next).catch((error: unknown) => complain(reason(error)));
  async function need(run: string, caller: Caller): Promise<RunRecord> {
    const found = await engine.run(run);
    if (!found || !sees(caller, found)) throw new CoreError('not-found', `there is no run ${run}`);
    return found;
  }
  const orders = commands({ engine, front, here: (run) => workers?.get(run) ?? null, due, canSteer, need });
  const left = (run: string) => orders.tell(run, { type: 'cancel', cause: 'disconnect' });
  async function queueOf({ conversation, plan, metadata }: Submission, session: SessionRecord): Promise<string> {
    if (conversation.kind === 'continue') {
      const home = await engine.homeOf(session.session_id);
      if (home !== null) return homeQueue(home);
    }
    const labels = (metadata?.[LABELS_KEY] ?? '').split(',').flatMap((one) => one.trim() || []);
    const bad = labels.find((one) => !isLabel(one));
    if (bad !== undefined)
      throw new CoreError('bad-request', `invalid label ${JSON.stringify(bad)}: small letters, digits, - and _`);
    return queueFor(byId(plan.request.runtime, runners)?.id ?? null, labels, await engine.members());
  }
  async function gauge(): Promise<void> {
    short = await engine.short().catch(reason);
  }
  if (role !== 'front') {
    const stopped = () => draining || asked;
    workers = await openWorker({ engine, queues, presence, machine: on, runners, places, canSteer, stopped, complain });
  }
  await gauge();
  const gauging = setInterval(() => void gauge(), GAUGE_MS);
  gauging.unref();
  const everyMs = leaseMs / BEATS;
  const homeMs = options.homeMs ?? HOME_MS;
  const stopSweeping = sweeper({ engine, name: presence.name, everyMs, homeMs, graceMs, due, left, complain });
  const archive = options.archive === undefined ? null : openArchive(engine, options.archive);
  const { keepMs = null, archiveMs = ARCHIVE_MS } = options;
  const stopForgetting = forgetting({ engine, name: presence.name, keepMs, archive, archiveMs, complain });
  const log = clusterLog(engine, (run, after) => workers?.get(run)?.run.log.hold(after) ?? null, archive);
  const runs = clusterRuns({
    engine,
    commands: orders,
    waiters: waiters({
      engine,
      front: presence.name,
      deaf: (run) => orders.tell(run, { type: 'deaf' }),
      left,
      graceMs,
      complain,
    }),
    workers,
    most: { all: options.queue ?? QUEUE, caller: options.callerQueue ?? CALLER_QUEUE },
    queueOf,
    async full() {
      const [members, { queued }] = await Promise.all([engine.members(), engine.load()]);
      const free = members.filter(works).reduce((sum, one) => sum + one.places - one.running, 0);
      return free <= queued;
    },
    draining: () => draining,
    due,
    need,
  });
  const limited = keyLimits(runs);
  return {
    runners,
    broken: options.broken ?? [],
    ambient: options.ambient,
    cwd: options.cwd,
    version: options.version,
    storeId: engine.id,
    dispatch: {
      async load() {
        const { queued } = await engine.load();
        if (workers) return { ...(await workers.load()), queued };
        // A front runs nothing: what it can say is what all workers do.
        const all = (await engine.members()).filter(works);
        const sum = (count: (one: Member) => number) => all.reduce((total, one) => total + count(one), 0);
        const [places, running] = [sum((one) => one.places), sum((one) => one.running)];
        return { places, running, waiting: sum((one) => one.waiting), queued };
      },
    },
    log,
    runs: {
      ...runs,
      async start(submission) {
        if (short !== null) throw new CoreError('busy', `${short}: try again later`);
        // Where the turn runs elsewhere, its worker checks this.
        if (role === 'all' && submission.caller.principal.kind === 'guest')
          await checkCredentialOwner(submission, { runners, places: on.places });
        return limited.start(submission);
      },
    },
    sessions: clusterSessions(engine, log, on.letGo),
    cancelAll: (cause) => workers?.cancelAll(cause),
    async drain() {
      draining = true;
      await workers?.drain();
      await on.close();
    },
    letGo: on.letGo,
    degraded: engine.degraded,
    places: on.places,
    async close() {
      clearInterval(gauging);
      stopSweeping();
      stopForgetting();
      await workers?.close();
      await queues.close();
      await presence.close().catch((error: unknown) => complain(reason(error)));
      await engine.close();
    },
  };
}
