/** `exec`: one turn, its events as they happen, and what it came to. */

import { flag } from '../../request/fields.js';
import { readKeys } from '../../request/from-json.js';
import { submit } from '../../runs/asking.js';
import { summary } from './describe.js';
import type { Op } from './op.js';
import { passOn } from './stream-run.js';

export const exec: Op = async (context) => {
  const { core, fields, reply, caller } = context;
  const detach = flag(fields, 'detach');
  const { run, replayed, attendance } = await submit(readKeys(fields), context, !detach);
  const { run_id: id, session_id, status } = run;
  if (detach) {
    reply.result('exec', true, { run_id: id, session_id, status, detached: true, replayed });
    return 0;
  }
  const release = attendance === null ? () => {} : context.attach(id, attendance);
  reply.progress(status, 0, { run_id: id, session_id });
  try {
    // A run that others wait for, too, is not held back by one who asked again.
    await passOn(context, id, { after: 0, follow: true, holds: !replayed });
  } finally {
    release();
  }
  const ended = (await core.runs.get(id, caller)).run;
  reply.result('exec', ended.exit_code === 0, { ...summary(ended), replayed });
  return ended.exit_code ?? 1;
};
