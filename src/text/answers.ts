/** Answers to a question of an agent, checked against what was asked. */

import type { Answers, AskedQuestion } from '../contract/question.js';
import type { Json } from '../contract/vocabulary.js';
import { isObject } from './json.js';

const isText = (value: Json): value is string => typeof value === 'string';

/** @returns the answers as they were given, or what is wrong with their form */
export function readAnswers(value: Json | undefined): Answers | string {
  if (!isObject(value)) return '"answers" is an object: the id of a question → its answer, or null';
  const answers: Answers = {};
  for (const [id, answer] of Object.entries(value)) {
    if (answer === null || isText(answer)) answers[id] = answer;
    else if (Array.isArray(answer) && answer.every(isText)) answers[id] = answer;
    else return `the answer to ${id.slice(0, 80)} is a text, a list of texts or null`;
  }
  return answers;
}

/** @returns what was answered, without what was declined; null when that is nothing */
export function given(answers: Answers): Answers | null {
  const all = Object.entries(answers).filter(([, answer]) => answer !== null && answer.length > 0);
  return all.length === 0 ? null : Object.fromEntries(all);
}

function fault(asked: AskedQuestion, answer: string | string[]): string | null {
  const { id, choices, multi_select, other } = asked;
  if (Array.isArray(answer) && !multi_select) return `${id} takes one answer`;
  if (!choices || other) return null;
  const values = choices.map(({ value }) => value);
  const unknown = [answer].flat().find((one) => !values.includes(one));
  if (unknown === undefined) return null;
  return `${id} takes ${values.join(', ').slice(0, 500)}, not ${JSON.stringify(unknown.slice(0, 80))}`;
}

/** @returns what is wrong with the answers, null when nothing is */
export function answersFault(asked: readonly AskedQuestion[], answers: Answers): string | null {
  for (const [id, answer] of Object.entries(answers)) {
    const question = asked.find((one) => one.id === id);
    if (!question) return `there is no question ${id.slice(0, 80)}; there are ${asked.map((one) => one.id).join(', ')}`;
    const wrong = answer === null ? null : fault(question, answer);
    if (wrong !== null) return wrong;
  }
  const all = given(answers);
  if (all === null) return null;
  const missing = asked.find(({ id, required }) => required && !(id in all));
  return missing === undefined ? null : `${missing.id} needs an answer; {} declines all`;
}
