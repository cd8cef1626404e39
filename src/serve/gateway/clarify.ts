/** What an agent asks a person, as clients are asked it, and their answers. */

import type { Answers, AskedQuestion, QuestionEvent } from '../../contract/question.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { answersFault, readAnswers } from '../../text/answers.js';
import { CODE, RpcError } from './rpc.js';

/** The one thing to say of a page that is to be opened. */
const PAGE: AskedQuestion = { id: 'page', question: 'Open the page', choices: [{ value: 'opened' }], required: true };

/** Its parts; a page that is to be opened is one. */
export function partsOf({ questions, url, title }: QuestionEvent): AskedQuestion[] {
  return questions.length > 0 || url === undefined
    ? questions
    : [{ ...PAGE, question: `${title ?? PAGE.question}: ${url}` }];
}

/** People choose among labels. */
const labels = ({ choices }: AskedQuestion): string[] | undefined => choices?.map(({ label, value }) => label ?? value);

function partShown(part: AskedQuestion): JsonObject {
  const choices = labels(part);
  return {
    qid: part.id,
    question: part.question,
    ...(choices ? { choices } : {}),
    multi_select: part.multi_select === true,
    ...(part.header === undefined ? {} : { header: part.header }),
    ...(part.other ? { other: true } : {}),
    ...(part.secret ? { secret: true } : {}),
    ...(part.required ? { required: true } : {}),
  };
}

export function clarifyShown(event: QuestionEvent): JsonObject {
  return {
    questions: partsOf(event).map(partShown),
    source: event.source,
    ...(event.title === undefined ? {} : { title: event.title }),
    ...(event.url === undefined ? {} : { url: event.url }),
    ...(event.timeout_ms === undefined ? {} : { timeout_ms: event.timeout_ms }),
    ...(event.tool_use_id === undefined ? {} : { tool_id: event.tool_use_id }),
  };
}

/** One part, for clients that know no lists: the next one comes when it is answered. */
export function partEvent(part: AskedQuestion): JsonObject {
  return { question: part.question, choices: labels(part) ?? null };
}

/** A label stands for its value. */
function meant(part: AskedQuestion, answer: string): string {
  const { choices = [] } = part;
  return (
    (choices.find(({ value }) => value === answer) ?? choices.find(({ label }) => label === answer))?.value ?? answer
  );
}

/** @throws {RpcError} no answer to what is asked: the question stays open */
export function answersTo(event: QuestionEvent, given: Json | undefined): Answers {
  const answers = readAnswers(given);
  const refuse = (why: string) => new RpcError(CODE.badParam, `${why}; the question stays open`);
  if (typeof answers === 'string') throw refuse(answers);
  const parts = partsOf(event);
  const values: Answers = {};
  for (const [id, answer] of Object.entries(answers)) {
    const part = parts.find((one) => one.id === id);
    const value = (one: string) => (part ? meant(part, one) : one);
    // "" is how clients skip one.
    if (answer === null || answer === '') values[id] = null;
    else values[id] = Array.isArray(answer) ? answer.map(value) : value(answer);
  }
  const fault = answersFault(parts, values);
  if (fault !== null) throw refuse(fault);
  return values;
}
