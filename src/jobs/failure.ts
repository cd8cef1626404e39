/** Why something that was asked of the job service is not done: the codes of flyto-ai 0.20, and a few of ours. */

import type { JsonObject } from '../contract/vocabulary.js';

/** Each code with the HTTP status that it is answered with. */
export const JOB_CODES = {
  invalid_request: 400,
  unauthorized: 401,
  workspace_denied: 403,
  audit_not_enabled: 403,
  service_reload_required: 403,
  not_found: 404,
  job_not_found: 404,
  revision_mismatch: 409,
  revision_unavailable: 409,
  audit_state_conflict: 409,
  rework_limit_reached: 409,
  rework_not_resumable: 409,
  session_binding_failed: 409,
  idempotency_conflict: 409,
  workspace_busy: 409,
  job_state_conflict: 409,
  land_conflict: 409,
  land_failed: 409,
  verification_required: 422,
  verification_contract_invalid: 422,
  service_busy: 429,
  service_unavailable: 503,
} as const satisfies Readonly<Record<string, number>>;

export type JobCode = keyof typeof JOB_CODES;

export type JobDetails = Readonly<Record<string, string | boolean | readonly string[]>>;

/** What is refused before a job exists: the same request would be refused again. */
export const REFUSED: JobDetails = { failure_phase: 'service', retryable: false };

/** `details` may be shown to the caller; it never repeats what the caller sent. */
export class JobError extends Error {
  constructor(
    readonly code: JobCode,
    message: string,
    readonly details: JobDetails = {},
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'JobError';
  }
}

/** @returns `{details}` as it stands beside a message; nothing where there are none */
export function detailsOf({ details }: JobError): JsonObject {
  const shown = Object.entries(details).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]);
  return shown.length > 0 ? { details: Object.fromEntries(shown) } : {};
}
