/** Runs over the API, and what agents do in them. */

import type { Event } from '../../../src/contract/event.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { parseObject } from '../../../src/text/json.js';
import type { Api } from './site.js';

export const RUNS = '/v1/runs';

export const json = async (response: Response): Promise<JsonObject> => parseObject(await response.text()) ?? {};

/** @throws Error when it was not accepted */
export async function submit(on: Api, body: JsonObject, headers: Record<string, string> = {}): Promise<JsonObject> {
  const response = await on.post(RUNS, { model: 'test/opus', ...body }, headers);
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return json(response);
}

/** The status and the code of a refusal. */
export async function errorOf(response: Response): Promise<unknown[]> {
  const { error } = await json(response);
  return [response.status, error !== null && typeof error === 'object' && 'code' in error ? error['code'] : null];
}

export const path = (run: JsonObject, rest = ''): string => `${RUNS}/${run['run_id']}${rest}`;

export const shell: Event = {
  v: 1,
  type: 'tool_activity',
  phase: 'start',
  id: 't1',
  name: 'Bash',
  kind: 'shell',
  input: { command: 'make deploy' },
  parent_tool_use_id: null,
};
const ended = (ok: boolean): Event => ({
  v: 1,
  type: 'tool_activity',
  phase: 'end',
  id: 't1',
  name: 'Bash',
  ok,
  output: 'done',
  output_truncated: false,
  duration_ms: 1500,
});

export const shellEnds = ended(true);
export const shellFails = ended(false);
export const asks: Event = {
  v: 1,
  type: 'permission_request',
  id: 'pr_1',
  tool_use_id: 't1',
  name: 'Bash',
  kind: 'shell',
  input: { command: 'make deploy' },
  choices: ['allow_once', 'allow_session', 'deny'],
};
