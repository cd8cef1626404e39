/** What an op is given. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Given } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import type { Run } from '../../runs/run.js';
import type { Reply, RequestId } from './reply.js';

/** What one connection remembers, so that the next request need not say it again. */
export interface Memory {
  runtime: string | null;
  cwd: string | null;
  run: string | null;
  session: string | null;
  /** Runs by the id of the request that began them. */
  byRequest: Map<RequestId, string>;
}

export const emptyMemory = (): Memory => ({
  runtime: null,
  cwd: null,
  run: null,
  session: null,
  byRequest: new Map(),
});

export interface OpContext {
  core: Core;
  fields: JsonObject;
  id: RequestId | null;
  reply: Reply;
  memory: Memory;
  given: Given;
  /** Keeps idempotency keys of different callers apart. */
  scope: string;
  /** The run ends with this connection, until it is released. */
  attach(run: Run): () => void;
}

/** @returns the exit code. @throws OpError, CoreError, UsageError */
export type Op = (context: OpContext) => Promise<number>;
