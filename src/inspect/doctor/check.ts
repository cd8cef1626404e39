/** Makes one line of the doctor's report. */

import type { Check, CheckStatus } from '../../contract/doctor.js';

export interface More {
  /** A command that helps. */
  fix?: string;
  /** Why it was not looked at. */
  skipped?: string;
}

export type Say = (name: string, status: CheckStatus, message: string, more?: More) => Check;

/** @param component `turnout` or the id of a runtime */
export function about(component: string): Say {
  return (name, status, message, more = {}) => ({
    component,
    name,
    status,
    message,
    fix: more.fix ?? null,
    fix_safety: more.fix === undefined ? null : 'manual',
    fix_flag: null,
    skipped_reason: more.skipped ?? null,
  });
}
