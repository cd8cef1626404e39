/** What this process says of itself to the others, and whether it may still count on being believed. */

import { hostname } from 'node:os';
import { CoreError } from '../runs/failure.js';
import type { Engine, Member } from './engine.js';

export interface PresenceOptions {
  engine: Engine;
  id: string;
  instance: string;
  role: Member['role'];
  version: string;
  runtimes: Member['runtimes'];
  labels: readonly string[];
  places: number;
  /** Bytes that must be free before another run is begun. */
  leastMemory: number;
  /** Milliseconds after its last sign of life that a member counts as gone. */
  leaseMs: number;
  load(): { running: number; waiting: number };
  draining(): boolean;
  /** Others asked us to take nothing more, or to go on. */
  asked(draining: boolean): void;
  complain(text: string): void;
}

export interface Presence {
  /** `id#instance`, as claims name it. */
  readonly name: string;
  member(): Member;
  /** Something of it changed: said soon. */
  changed(): void;
  /** Whether there is memory for one more run. */
  roomy(): boolean;
  /** Called when nobody can have heard of us for too long. */
  onLost(hear: () => void): void;
  close(): Promise<void>;
}

/** Signs of life in a lease, and the part of it after which we give up before others do. */
const BEATS = 6;
const SAFE = 5 / 6;
const SOON_MS = 50;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @throws {CoreError} conflict: another process has this id, and does not leave it for the time of a lease */
export async function openPresence(options: PresenceOptions): Promise<Presence> {
  const { engine, id, instance, leaseMs, complain } = options;
  const since = Date.now();
  let heard = Date.now();
  let lost: (() => void)[] = [];
  let soon: NodeJS.Timeout | null = null;

  const member = (): Member => ({
    id,
    instance,
    role: options.role,
    host: hostname(),
    pid: process.pid,
    version: options.version,
    runtimes: options.runtimes,
    labels: options.labels,
    places: options.places,
    ...options.load(),
    draining: options.draining(),
    memory: { free: process.availableMemory(), least: options.leastMemory },
    since,
  });
  /** The process that had our id may have died a moment ago. */
  async function enter(): Promise<void> {
    for (const until = Date.now() + leaseMs + SOON_MS; !(await engine.beat(member(), leaseMs)); ) {
      const before = (await engine.members()).find((one) => one.id === id);
      if (before && before.host === hostname() && !isAlive(before.pid)) {
        await engine.leave(before);
        continue;
      }
      if (Date.now() > until)
        throw new CoreError(
          'conflict',
          `process ${before?.pid ?? ''} on ${before?.host ?? 'another host'} is member ${id} of the cluster: end it, or name another id`,
        );
      await new Promise((resolve) => setTimeout(resolve, leaseMs / BEATS));
    }
  }
  async function beat(): Promise<void> {
    const before = Date.now();
    try {
      if (await engine.beat(member(), leaseMs)) {
        heard = before;
        options.asked(await engine.isDraining(id));
        return;
      }
      complain(`another process is member ${id} of the cluster: give this one an id of its own (--worker-id)`);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      complain(error.message);
    }
    if (Date.now() - heard > leaseMs * SAFE) for (const hear of lost) hear();
  }
  await enter();
  options.asked(await engine.isDraining(id));
  const off = await engine.listen('asked', () => void beat());
  const timer = setInterval(() => void beat(), leaseMs / BEATS);
  timer.unref();
  return {
    name: `${id}#${instance}`,
    member,
    changed() {
      soon ??= setTimeout(() => {
        soon = null;
        void beat();
      }, SOON_MS).unref();
    },
    roomy: () => process.availableMemory() >= options.leastMemory,
    onLost(hear) {
      lost.push(hear);
    },
    async close() {
      clearInterval(timer);
      off();
      if (soon) clearTimeout(soon);
      lost = [];
      await engine.leave({ id, instance });
    },
  };
}
