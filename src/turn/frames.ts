/** Reads caller frames: one JSON object a line, forgiving where the public protocol is. */

import type { Frame } from '../contract/frame.js';
import { CHOICES, type Choice, type Json } from '../contract/vocabulary.js';
import { readAnswers } from '../text/answers.js';
import { bool, isObject, parseJson, str } from '../text/json.js';

export type ReadFrame = { frame: Frame } | { bad: string; id: string | null };

/** The first `"id":"…"` of a line that is no frame: the call it was meant for. */
function idInside(line: string): string | null {
  const found = /"id"\s*:\s*"((?:[^"\\]|\\.){1,200})"/.exec(line.slice(0, 1_000_000));
  return found?.[1] ?? null;
}

/** `{text}` or a bare string; any other shape as JSON text. */
export function resultText(result: Json | undefined): string {
  if (typeof result === 'string') return result;
  if (isObject(result) && typeof result['text'] === 'string') return result['text'];
  return JSON.stringify(result ?? null);
}

const isChoice = (value: string | undefined): value is Choice => CHOICES.some((choice) => choice === value);

/** @param line one line of stdin without its newline; blank ones are the caller's business */
export function readFrame(line: string): ReadFrame {
  const bad = (what: string): ReadFrame => ({ bad: what, id: idInside(line) });
  const value = parseJson(line);
  if (value === undefined) return bad(`this line is not JSON: ${line.slice(0, 200)}`);
  if (!isObject(value)) return bad(`a frame is a JSON object, got: ${line.slice(0, 200)}`);
  const type = str(value, 'type');
  const id = str(value, 'id');
  switch (type) {
    case 'cancel':
      return { frame: { type } };
    case 'tool_result':
      if (id === undefined) return bad('tool_result has no "id"');
      if (!('result' in value)) return bad(`tool_result ${id} has no "result"`);
      return { frame: { type, id, ok: bool(value, 'ok') ?? true, result: value['result'] ?? null } };
    case 'permission_result': {
      const choice = str(value, 'choice');
      if (id === undefined) return bad('permission_result has no "id"');
      if (!isChoice(choice)) return bad(`permission_result ${id}: "choice" is one of ${CHOICES.join(', ')}`);
      const message = str(value, 'message');
      const always = bool(value, 'always') === true ? { always: true } : {};
      return { frame: { type, id, choice, ...(message === undefined ? {} : { message }), ...always } };
    }
    case 'question_result': {
      const answers = readAnswers(value['answers']);
      if (id === undefined) return bad('question_result has no "id"');
      if (typeof answers === 'string') return bad(`question_result ${id}: ${answers}`);
      return { frame: { type, id, answers } };
    }
    case 'steer': {
      const text = str(value, 'text');
      if (text === undefined || text === '') return bad('steer has no "text"');
      return { frame: { type, id: id ?? '', text } };
    }
    case 'prompt':
      return bad('a prompt frame comes first, once, and with --prompt-frame');
    default:
      return bad(
        type === undefined ? 'a frame has a "type"' : `unknown frame type ${JSON.stringify(type).slice(0, 80)}`,
      );
  }
}
