/** One line per turn at `--access full`, so that a person can see later what ran unconfined. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../contract/event.js';
import { makeFolder } from '../process/make-folder.js';
import { stateDir } from '../process/state-dir.js';

export interface AuditLine {
  runtime: string;
  cwd: string;
}

/**
 * Wraps `emit`: the line is written before `done` leaves, so that a failed write can still be told as a notice.
 * The events in between are only counted.
 */
export function audited(emit: (event: Event) => void, line: AuditLine, env: NodeJS.ProcessEnv): (event: Event) => void {
  let session: string | null = null;
  let toolCalls = 0;
  return (event) => {
    if (event.type === 'session') session = event.session_id;
    if (event.type === 'tool_call' || (event.type === 'tool_activity' && event.phase === 'start')) toolCalls++;
    if (event.type !== 'start' && event.type !== 'done') return emit(event);
    // `start` tries the folder, so that the notice has its place before the end.
    try {
      const dir = stateDir(env);
      makeFolder(dir, 0o700);
      const text = { ts: new Date().toISOString(), ...line, session_id: session, tool_calls: toolCalls };
      const phase = event.type === 'start' ? { phase: 'start' } : { phase: 'done', exit_code: event.exit_code };
      if (event.type === 'done')
        appendFileSync(join(dir, 'full-access.log'), `${JSON.stringify({ ...text, ...phase })}\n`, { mode: 0o600 });
      else appendFileSync(join(dir, 'full-access.log'), '', { mode: 0o600 });
      emit(event);
    } catch (error) {
      const message = `the audit line of this full-access turn could not be written: ${error instanceof Error ? error.message : String(error)}`;
      emit(event);
      if (event.type === 'start') emit({ v: 1, type: 'status', phase: 'notice', code: 'audit-failed', message });
    }
  };
}
