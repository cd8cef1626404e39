/** The agent's questions to a person, answered by the host's own function. */

import type { QuestionEvent } from '../contract/event.js';
import type { Answers } from '../contract/question.js';
import { answersFault, readAnswers } from '../text/answers.js';
import { parseJson } from '../text/json.js';

/**
 * Answers what the agent asks a person: by the id of each question, or null for all. A handler that throws, or answers
 * what can't be meant, declines; Node warns of it.
 */
export type QuestionHandler = (question: QuestionEvent) => Answers | null | Promise<Answers | null>;

/** @throws {TypeError} for what is no answer to the question */
function checked(question: QuestionEvent, given: unknown): Answers {
  if (given === null || given === undefined) return {};
  const answers = readAnswers(parseJson(JSON.stringify(given) ?? ''));
  if (typeof answers === 'string') throw new TypeError(`onQuestion: ${answers}`);
  const fault = question.questions.length === 0 ? null : answersFault(question.questions, answers);
  if (fault !== null) throw new TypeError(`onQuestion: ${fault}`);
  return answers;
}

/** @returns what to send back. Never rejects */
export async function answersOf(question: QuestionEvent, handler: QuestionHandler | undefined): Promise<Answers> {
  try {
    return checked(question, await handler?.(question));
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    return {};
  }
}
