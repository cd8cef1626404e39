/** What all clients of one gateway share: the core, the sessions that somebody has open, and what was set. */

import type { AccessMode, SettingsSource } from '../../contract/vocabulary.js';
import { pickRuntime } from '../../exec/pick-runtime.js';
import type { Runner } from '../../runner/runner.js';
import type { Core } from '../../runs/core.js';
import { type Ledger, ledger } from './ledger.js';
import type { Locks } from './locks.js';
import type { EventParams } from './rpc.js';

export const BUSY_POLICIES = ['queue', 'steer', 'interrupt'] as const;
/** What becomes of a prompt that comes while a turn of its session is under way. */
export type BusyPolicy = (typeof BUSY_POLICIES)[number];

export interface GatewayOptions {
  /** The runtime of sessions that name none: an id, or `auto`. */
  runtime: string;
  /** The mode that sessions work in. */
  access: AccessMode;
  settings: readonly SettingsSource[];
  allowRoot: boolean;
  /** For failures of ours. */
  complain(message: string): void;
}

/** A picture that goes with the next prompt. */
export interface Attached {
  path: string;
  name: string;
  /** Removes it once it is no longer needed. */
  remove(): Promise<void>;
}

/** A session that somebody has open in this process. */
export interface OpenSession {
  id: string;
  startedAt: number;
  lastActive: number;
  images: Attached[];
  /** Clients that see its events. */
  viewers: Set<object>;
}

export interface Gateway {
  core: Core;
  options: GatewayOptions;
  ledger: Ledger;
  open: Map<string, OpenSession>;
  /** Answers to parts of open questions. */
  locks: Locks;
  touch(session: string): OpenSession;
  /** One after another for each session, in the order of the calls. */
  inTurn<T>(session: string, work: () => Promise<T>): Promise<T>;
  /** The runner of sessions that name none; null when no program was found. */
  usual(): Promise<Runner | null>;
  /** Tells every client that follows a session. */
  tell(session: string, event: EventParams): void;
  /** @returns ends the hearing */
  onNews(hear: (session: string, event: EventParams) => void): () => void;
}

/** Sessions that are open at once; the longest unused one that nobody sees is left out of the list. */
const MOST_OPEN = 1000;

export function gateway(core: Core, options: GatewayOptions): Gateway {
  const open = new Map<string, OpenSession>();
  const queues = new Map<string, Promise<unknown>>();
  const hearing = new Set<(session: string, event: EventParams) => void>();
  let found: Promise<Runner | null> | null = null;

  function makeRoom(): void {
    for (const [id, { viewers, images }] of open) {
      if (open.size < MOST_OPEN) return;
      if (viewers.size === 0 && images.length === 0) open.delete(id);
    }
  }
  return {
    core,
    options,
    ledger: ledger(core),
    open,
    locks: new Map(),
    touch(id) {
      const now = Date.now();
      const known = open.get(id);
      if (known) {
        known.lastActive = now;
        return known;
      }
      makeRoom();
      const one = { id, startedAt: now, lastActive: now, images: [], viewers: new Set<object>() };
      open.set(id, one);
      return one;
    },
    async inTurn(session, work) {
      const before = queues.get(session) ?? Promise.resolve();
      const mine = before.then(work, work);
      queues.set(session, mine);
      try {
        return await mine;
      } finally {
        if (queues.get(session) === mine) queues.delete(session);
      }
    },
    usual() {
      found ??= pickRuntime(options.runtime, core.runners, core.places()).then((one) => one?.runner ?? null);
      return found;
    },
    tell(session, event) {
      for (const hear of hearing) hear(session, event);
    },
    onNews(hear) {
      hearing.add(hear);
      return () => void hearing.delete(hear);
    },
  };
}
