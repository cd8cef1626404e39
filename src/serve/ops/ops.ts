/** All ops by name. */

import { answer, approve, cancel, events, steer, toolResult } from './control.js';
import { exec } from './exec.js';
import { inspect } from './inspect.js';
import { JOB_OPS } from './job-ops.js';
import { check, models, scan, test } from './machine-ops.js';
import { explain, ping, versionDocument } from './meta.js';
import type { Op } from './op.js';
import { find, run, runs, session, sessions } from './queries.js';

const version: Op = async ({ core, reply }) => {
  reply.result('version', true, versionDocument(core.version, OP_NAMES));
  return 0;
};

/** `halt` is the connection's own business: here it only says that it was heard. */
const halt: Op = async ({ reply }) => {
  reply.result('halt', true, {});
  return 0;
};

export const OPS: ReadonlyMap<string, Op> = new Map(
  Object.entries({
    exec,
    scan,
    models,
    sessions,
    session,
    runs,
    run,
    events,
    cancel,
    steer,
    approve,
    answer,
    tool_result: toolResult,
    ...JOB_OPS,
    check,
    test,
    inspect,
    find,
    explain,
    version,
    ping,
    halt,
  }),
);

export const OP_NAMES: readonly string[] = [...OPS.keys()];

/** Ops that reach into a run that another request waits for, so they may overtake it. */
export const OVERTAKING: ReadonlySet<string> = new Set(['cancel', 'steer', 'approve', 'answer', 'tool_result']);
