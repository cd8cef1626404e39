/** The results of the caller's tools, brought by a request of their own → the turn that waits for them. */

import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Caller } from '../../runs/ports.js';
import { commandFor } from './asked-calls.js';
import { readCallId } from './call-id.js';
import { ApiError } from './failure.js';
import type { Said } from './said.js';
import type { Step } from './steps.js';
import { type AskedStep, expired, type OpenTurn, type Turns } from './turns.js';

/** The prefixes of ids of calls, in the APIs of OpenAI and of Anthropic. */
export const CALL = 'call';
export const TOOL_USE = 'toolu';

const idIn = (callId: string | null) => (callId === null ? null : readCallId([CALL, TOOL_USE], callId));

export interface Output {
  text: string;
  ok: boolean;
}

export interface Found {
  turn: OpenTurn;
  step: AskedStep;
  /** By the turn's own ids. */
  outputs: ReadonlyMap<string, Output>;
  /** What the user adds to the results. */
  more: string;
}

/** What the agent is given of a result. It is given text alone, and is told when there was more. */
function outputOf({ text, images, failed }: Said): Output {
  const left = images.length === 0 ? '' : `[${images.length} image(s) of this result can't be shown to you.]`;
  return { text: [text, left].filter((one) => one !== '').join('\n'), ok: failed !== true };
}

/**
 * @param tail the messages behind the last answer
 * @returns null when the results are not of a turn that this server had for this caller
 * @throws ApiError 410 when the turn is over, 400 when a result is missing
 */
export async function turnOf(
  tail: readonly Said[],
  { core, turns, caller }: { core: Core; turns: Turns; caller: Caller },
): Promise<Found | null> {
  const results = tail.filter(({ role }) => role === 'tool');
  const [first] = results;
  const named = idIn(first?.callId ?? null);
  if (named === null) return null;
  try {
    await core.runs.get(named.run, caller);
  } catch (error) {
    if (error instanceof CoreError && error.reason === 'not-found') return null;
    throw error;
  }
  const turn = turns.get(named.run);
  const step = turn?.stepOf(named.call);
  if (!turn || !step) throw expired();
  const outputs = new Map<string, Output>();
  for (const result of results) {
    const id = idIn(result.callId);
    if (id?.run === named.run) outputs.set(id.call, outputOf(result));
  }
  const missing = step.calls.find(({ id }) => !outputs.has(id));
  if (missing) {
    const message = `The call of ${missing.name} has no result; all calls of a message are answered in one request.`;
    throw new ApiError(400, 'missing_tool_output', message, { param: 'messages' });
  }
  const more = tail.flatMap(({ role, text }) => (role === 'user' && text !== '' ? [text] : [])).join('\n\n');
  return { turn, step, outputs, more };
}

/** Steers where the runtime takes guidance; elsewhere the last result carries what the user adds. */
async function feed(core: Core, canSteer: boolean, { turn, step, outputs, more }: Found): Promise<Step> {
  const { run, caller } = turn;
  const id = run.run_id;
  const behind = more === '' || canSteer ? '' : `\n\nThe user adds: ${more}`;
  const last = step.calls.findLast((call) => call.id.startsWith('tc_'))?.id;
  const commands = step.calls.map((call) => {
    const { text, ok } = outputs.get(call.id) ?? { text: '', ok: false };
    return commandFor(call, { text: `${text}${call.id === last ? behind : ''}`, ok });
  });
  for (const command of commands) await core.runs.send(id, command, caller);
  if (more !== '' && canSteer) await core.runs.send(id, { type: 'steer', text: more }, caller);
  return step.goOn();
}

/**
 * Hands the results over, once: a request that is sent again reads what the first one reads.
 * @throws ApiError 410 when the turn ended meanwhile
 */
export async function goOn(core: Core, canSteer: boolean, found: Found): Promise<Step> {
  found.step.next ??= feed(core, canSteer, found);
  try {
    return await found.step.next;
  } catch (error) {
    // Nothing of it was handed over: another request may do better.
    if (error instanceof ApiError) found.step.next = null;
    if (error instanceof CoreError && (error.reason === 'not-active' || error.reason === 'not-pending'))
      throw expired();
    throw error;
  }
}
