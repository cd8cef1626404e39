/** What an op is given. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { JobService } from '../../jobs/service.js';
import type { Memory, RequestId } from '../../runs/asking.js';
import type { Given } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import type { Attendance, Caller } from '../../runs/ports.js';
import type { Reply } from './reply.js';

export interface OpContext {
  core: Core;
  /** Null: this server serves none. */
  jobs: JobService | null;
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

/** @returns the exit code. @throws RequestError, CoreError, UsageError */
export type Op = (context: OpContext) => Promise<number>;
