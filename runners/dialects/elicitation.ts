/**
 * Elicitation, as MCP 2025-11-25 and ACP spell it, as our question and back: a message with a flat JSON Schema, or a
 * page to open.
 */

import type { Answers, AskedQuestion, QuestionChoice } from '../../src/contract/question.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Inquiry } from '../../src/runner/action.js';
import { arr, at, obj, str } from '../../src/text/json.js';

export interface Elicited {
  inquiry: Inquiry;
  /** What fills the form; null where an answer can't be what the schema wants. */
  content(answers: Answers): JsonObject | null;
}

/** A second field in which people write what none of the choices says (claude-agent-acp 0.101, codex-acp 2.6). */
const FREE = ['_custom', '_note'];
/** The choice that makes codex-acp 2.6 look at the second field. */
const NONE = 'None of the above';
const BOOLEAN: QuestionChoice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

function described(options: readonly Json[]): QuestionChoice[] {
  return options.flatMap((option) => {
    const value = str(option, 'const');
    if (value === undefined) return [];
    const [label, description] = [str(option, 'title'), str(option, 'description')];
    return [
      {
        value,
        ...(label === undefined || label === value ? {} : { label }),
        ...(description === undefined ? {} : { description }),
      },
    ];
  });
}

function choicesOf(schema: Json): QuestionChoice[] | undefined {
  const listed = arr(schema, 'oneOf') ?? arr(schema, 'anyOf');
  if (listed) return described(listed);
  const names = arr(schema, 'enumNames') ?? [];
  return arr(schema, 'enum')?.flatMap((value, index) => {
    if (typeof value !== 'string') return [];
    const label = names[index];
    return [{ value, ...(typeof label === 'string' && label !== value ? { label } : {}) }];
  });
}

/** @returns null for a property that no answer can be given to */
function asked(id: string, schema: Json, message: string, alone: boolean, required: boolean): AskedQuestion | null {
  const [title, description] = [str(schema, 'title'), str(schema, 'description')];
  const base: AskedQuestion = {
    id,
    question: description ?? (alone ? message : (title ?? id)),
    ...(title === undefined || (description === undefined && !alone) ? {} : { header: title }),
    ...(required ? { required: true } : {}),
  };
  switch (str(schema, 'type')) {
    case 'boolean':
      return { ...base, choices: BOOLEAN };
    case 'number':
    case 'integer':
      return base;
    case 'array': {
      const choices = choicesOf(at(schema, 'items') ?? null);
      return choices ? { ...base, choices, multi_select: true } : null;
    }
    case 'string': {
      const choices = choicesOf(schema);
      const isSecret = str(schema, 'format') === 'password' || at(schema, 'writeOnly') === true;
      return { ...base, ...(choices ? { choices } : {}), ...(isSecret ? { secret: true } : {}) };
    }
    default:
      return null;
  }
}

/** @returns undefined for an answer that the schema does not take */
function fitting(schema: Json, answer: string | string[]): Json | undefined {
  switch (str(schema, 'type')) {
    case 'boolean':
      return answer === 'true';
    case 'integer':
    case 'number': {
      const number = typeof answer === 'string' && answer.trim() !== '' ? Number(answer) : Number.NaN;
      const fits = str(schema, 'type') === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
      return fits ? number : undefined;
    }
    case 'array':
      return [answer].flat();
    default:
      return typeof answer === 'string' ? answer : undefined;
  }
}

/**
 * @param params of `elicitation/create` or of a request shaped like it
 * @returns null for what can't be asked: it is to be declined
 */
export function elicited(params: JsonObject, source: Inquiry['source'], toolUseId?: string): Elicited | null {
  const message = str(params, 'message') ?? '';
  const about = { source, ...(toolUseId === undefined ? {} : { toolUseId }) };
  const url = str(params, 'url');
  if (str(params, 'mode') === 'url' || (url !== undefined && obj(params, 'requestedSchema') === undefined)) {
    if (url === undefined) return null;
    return { inquiry: { ...about, title: message, questions: [], url }, content: () => ({}) };
  }
  const properties = obj(params, 'requestedSchema', 'properties') ?? {};
  const required = new Set(arr(params, 'requestedSchema', 'required') ?? []);
  /** The free field of each question that has one. */
  const free = new Map<string, string>();
  for (const [id, schema] of Object.entries(properties)) {
    const field = FREE.map((end) => `${id}${end}`).find((name) => name in properties);
    if (field !== undefined && (choicesOf(schema) ?? choicesOf(at(schema, 'items') ?? null))) free.set(id, field);
  }
  const frees = new Set(free.values());
  const ids = Object.keys(properties).filter((id) => !frees.has(id));
  const alone = ids.length === 1;
  const questions: AskedQuestion[] = [];
  for (const id of ids) {
    const question = asked(id, properties[id] ?? null, message, alone, required.has(id));
    if (question) questions.push(free.has(id) ? { ...question, other: true } : question);
    else if (required.has(id)) return null;
  }
  if (questions.length === 0) return null;
  const title = alone && questions[0]?.question === message ? {} : { title: message };
  return {
    inquiry: { ...about, ...title, questions },
    content(answers) {
      const content: JsonObject = {};
      for (const { id, choices } of questions) {
        const answer = answers[id];
        if (answer === undefined || answer === null) continue;
        const values = choices?.map(({ value }) => value);
        const own = [answer].flat().filter((one) => values !== undefined && !values.includes(one));
        const field = free.get(id);
        if (own.length > 0 && field !== undefined) {
          content[field] = own.join(', ');
          const chosen = [answer].flat().filter((one) => !own.includes(one));
          if (Array.isArray(answer) && chosen.length > 0) content[id] = chosen;
          else if (values?.includes(NONE)) content[id] = NONE;
          continue;
        }
        const value = fitting(properties[id] ?? null, answer);
        if (value === undefined) return null;
        content[id] = value;
      }
      return content;
    },
  };
}
