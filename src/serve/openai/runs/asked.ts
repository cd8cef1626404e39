/** What an agent asks a person, in the words of the runs API. Pure. */

import type { PermissionRequestEvent, QuestionEvent } from '../../../contract/event.js';
import type { Choice, JsonObject } from '../../../contract/vocabulary.js';
import type { RunRecord } from '../../../runs/records.js';
import { parseObject, str } from '../../../text/json.js';
import { toolLabel } from '../../../view/tool-label.js';

const WORDS: Readonly<Record<Choice, string>> = { allow_once: 'once', allow_session: 'session', deny: 'deny' };

/** A vendor's "always" is never passed on, so it is not among the choices. */
export function approvalShown({ cwd }: Pick<RunRecord, 'cwd'>, event: PermissionRequestEvent): JsonObject {
  const command = event.kind === 'shell' ? str(event.input ?? {}, 'command') : undefined;
  const description = toolLabel(event, cwd);
  const choices = event.choices.map((choice) => WORDS[choice]);
  return {
    request_id: event.id,
    command: command ?? description,
    pattern_key: event.kind,
    pattern_keys: [event.kind],
    description,
    choices,
    allow_session: choices.includes('session'),
    allow_permanent: false,
    tool: event.name,
    input: event.input,
    ...(event.tool_use_id === undefined ? {} : { tool_call_id: event.tool_use_id }),
  };
}

export function questionShown({ id, v: _v, type: _type, ...asked }: QuestionEvent): JsonObject {
  return { request_id: id, ...parseObject(JSON.stringify(asked)) };
}

/** What a client may send as `choice`. `always` is what it says for this run: nothing outlives it. */
const CHOICES: Readonly<Record<string, Choice>> = {
  once: 'allow_once',
  approve: 'allow_once',
  approved: 'allow_once',
  allow: 'allow_once',
  session: 'allow_session',
  always: 'allow_session',
  deny: 'deny',
};

/** @returns null for a word that is not a choice */
export const choiceOf = (word: string): Choice | null => CHOICES[word.trim().toLowerCase()] ?? null;

export const wordOf = (choice: Choice): string => WORDS[choice];
