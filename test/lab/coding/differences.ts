/** Where our answers differ from those of flyto-ai 0.20, each with the reason. */

const SESSION = 'the session around this service refuses it, too, but can not be used without its command';
const CLOSED = 'its schema allows no more arguments, and neither do we';
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
  'MCP: tools before initialize: status null → -32600': SESSION,
  'MCP: tools before initialize: lacks tools': SESSION,
  'MCP: a tool that is unknown: status null → -32602': 'an unknown tool is an error of the protocol, as MCP has it',
  'MCP: a tool that is unknown: lacks content, isError, structuredContent': 'the same',
  'lacks details': 'as over HTTP, where the original leaves them out, too',
  'MCP: submit with more: status 0 → 1': CLOSED,
  'MCP: submit with more: error null → invalid_request': CLOSED,
  'MCP: submit with more: state codex_accepted → null': CLOSED,
  'MCP: submit with more: landable true → null': CLOSED,
  'MCP: submit with more: answers with a refusal': CLOSED,
};
