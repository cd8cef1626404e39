/** `_session/steering`: words for the turn that runs, as codex-acp 2.6 spells it. */

import { isObject } from '../../text/json.js';
import { invalid, refused } from './errors.js';
import type { Opened } from './open-sessions.js';

export const STEERING = '_session/steering';

export interface Steering {
  sessionId: string;
  text: string;
}

const textOf = (block: unknown): string | null =>
  isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : null;

/** @throws RequestError invalid params */
export function readSteering(params: unknown): Steering {
  if (!isObject(params)) throw invalid('expected an object with sessionId and prompt');
  const { sessionId, prompt } = params;
  if (typeof sessionId !== 'string') throw invalid('sessionId: expected a string');
  const texts = Array.isArray(prompt) ? prompt.map(textOf) : [];
  if (texts.length === 0 || texts.includes(null)) throw invalid('prompt: expected blocks of text; nothing else steers');
  return { sessionId, text: texts.join('\n') };
}

/** @throws RequestError when nothing runs, or the runtime takes no words while it works */
export async function steer({ id, runner, prompts }: Opened, text: string): Promise<{ outcome: 'injected' }> {
  const turn = prompts.turn();
  if (!turn) throw refused(`session ${id} answers no prompt; send it as one`);
  if (!runner.steer) throw invalid(`${runner.title} takes no words while it works; send them as a prompt, which waits`);
  if (!(await turn.steer(text))) throw refused(`the turn of session ${id} has just ended; send it as a prompt`);
  return { outcome: 'injected' };
}
