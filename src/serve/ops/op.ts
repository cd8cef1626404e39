/** What an op is given. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Given } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import type { Attendance, Caller } from '../../runs/ports.js';
import type { Reply, RequestId } from './reply.js';

/** What one connection remembers, so that the next request need not say it again. */
export interface Memory {
  runtime: string | null;
  cwd: string | null;
  run: string | null;
  session: string | null;
  /** Runs by the id of the request that began them. */
  byRequest: Map<RequestId, string>;
  /** Settles when the turns that were asked for so far are accepted or refused. */
  accepted: Promise<void>;
}

export const emptyMemory = (): Memory => ({
  runtime: null,
  cwd: null,
  run: null,
  session: null,
  byRequest: new Map(),
  accepted: Promise.resolve(),
});

export interface OpContext {
  core: Core;
  fields: JsonObject;
  id: RequestId | null;
  reply: Reply;
  memory: Memory;
  given: Given;
  /** Whom the request comes from, and through what. */
  caller: Caller;
  /** This connection waits for a run until it is released; when the connection is lost, nobody waits for it. */
  attach(run: string, attendance: Attendance): () => void;
}

/** @returns the exit code. @throws OpError, CoreError, UsageError */
export type Op = (context: OpContext) => Promise<number>;
