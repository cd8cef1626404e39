/** A question of an agent as a flat form, for protocols that ask people by elicitation, and what was filled in as answers. */

import type { Answers, AskedQuestion, QuestionEvent } from '../contract/question.js';
import { answersFault } from './answers.js';

export interface FormField {
  /** Its name in the form. */
  key: string;
  kind: 'one' | 'many' | 'text';
  title: string;
  description?: string;
  choices: { value: string; label: string }[];
  required: boolean;
}

export interface QuestionForm {
  /** What stands above the fields. */
  message: string;
  fields: FormField[];
  /** @param content what a client answered, which nobody has checked @returns the answers; null when they are not valid */
  read(content: unknown): Answers | null;
}

/** The field in which people write what none of the choices says. */
function freeKey(id: string, taken: ReadonlySet<string>): string {
  let key = `${id}_other`;
  while (taken.has(key)) key += '_';
  return key;
}

function labelOf({ value, label, description }: { value: string; label?: string; description?: string }): string {
  const name = label ?? value;
  return description === undefined ? name : `${name}: ${description}`;
}

function fieldOf({ id, question, header, choices, multi_select, other, required }: AskedQuestion): FormField {
  return {
    key: id,
    kind: choices === undefined ? 'text' : multi_select ? 'many' : 'one',
    title: header ?? question,
    ...(header === undefined ? {} : { description: question }),
    choices: (choices ?? []).map((choice) => ({ value: choice.value, label: labelOf(choice) })),
    // A text of their own is an answer too, in the field beside it.
    required: required === true && !other,
  };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** @returns null for what no form may ask: secrets, and pages that are to be opened */
export function questionForm({ questions, title, url }: QuestionEvent): QuestionForm | null {
  if (url !== undefined || questions.length === 0 || questions.some(({ secret }) => secret)) return null;
  const taken = new Set(questions.map(({ id }) => id));
  const free = new Map(
    questions.flatMap(({ id, other, choices }) => (other && choices ? [[id, freeKey(id, taken)] as const] : [])),
  );
  const fields = questions.flatMap((question): FormField[] => {
    const key = free.get(question.id);
    const field = fieldOf(question);
    if (key === undefined) return [field];
    return [field, { key, kind: 'text', title: `${field.title} (something else)`, choices: [], required: false }];
  });
  const [only] = questions;
  return {
    message: title ?? (questions.length === 1 && only ? only.question : 'The agent asks:'),
    fields,
    read(content) {
      const filled: Record<string, unknown> = typeof content === 'object' && content !== null ? { ...content } : {};
      const answers: Answers = {};
      for (const { id, multi_select } of questions) {
        const given = filled[id];
        const own = filled[free.get(id) ?? ''];
        const more = typeof own === 'string' && own.trim() !== '' ? [own] : [];
        if (multi_select) answers[id] = [...(isTexts(given) ? given : []), ...more];
        else answers[id] = more[0] ?? (typeof given === 'string' && given !== '' ? given : null);
      }
      return answersFault(questions, answers) === null ? answers : null;
    },
  };
}
