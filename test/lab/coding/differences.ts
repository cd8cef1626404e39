/** Where our answers differ from those of flyto-ai 0.20, each with the reason. */

const COPIES = 'jobs work in copies: several can work on one folder at once';

/** `step: what differs`, or what differs alone where it is so at every step. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  'has message': 'every refusal says why in words',
  'lacks job.continuation_available, job.continuation_generation, job.emergency_authority, job.mission, job.route_receipt':
    'parts of its planner, which is no part of a coding service',
  'a second job meanwhile: status 409 → 202': COPIES,
  'a second job meanwhile: error workspace_busy → null': COPIES,
  'a second job meanwhile: state null → at work': COPIES,
  'a second job meanwhile: landable null → false': COPIES,
  'a second job meanwhile: answers with a job': COPIES,
};
