/** Questions of an agent to a person, and what the person types as an answer. Pure. */

import type { Answers, AskedQuestion, QuestionEvent } from '../contract/question.js';
import { oneLine } from '../text/printable.js';
import type { Paint } from './paint.js';
import { safeLines } from './question-text.js';

/** What stands in front of all questions of one event. */
export function askedTitle({ title, url }: QuestionEvent, paint: Paint): string[] {
  return [
    ...(title === undefined ? [] : [paint('bold', oneLine(title))]),
    ...(url === undefined ? [] : [`  ${oneLine(url)}`]),
  ];
}

/** The question with its choices by number, and how to answer. */
export function askedLines(asked: AskedQuestion, paint: Paint): string[] {
  const { question, choices = [], multi_select, other, required } = asked;
  const [first = '', ...rest] = safeLines(question);
  const numbered = choices.map(({ value, label, description }, index) => {
    const more = description === undefined ? '' : paint('dim', ` – ${oneLine(description)}`);
    return `  ${index + 1} ${oneLine(label ?? value)}${more}`;
  });
  const numbers = multi_select ? 'numbers with commas' : 'a number';
  const how = choices.length === 0 ? 'text' : other ? `${numbers}, or text` : numbers;
  const without = required ? '' : '; empty for no answer';
  return [
    paint('yellow', `? ${first}`),
    ...rest.map((line) => `  ${line}`),
    ...numbered,
    paint('dim', `  ${how}${without}`),
  ];
}

type Read = { answer: string | string[] | null } | { problem: string };

/** @param typed one line of the person */
function readAnswer({ choices = [], multi_select, other, required }: AskedQuestion, typed: string): Read {
  const text = typed.trim();
  if (text === '') return required ? { problem: 'an answer is required' } : { answer: null };
  if (choices.length === 0) return { answer: typed };
  const words = multi_select ? text.split(',').map((word) => word.trim()) : [text];
  const found = words.map((word) => {
    const byNumber = /^\d+$/.test(word) ? choices[Number(word) - 1] : undefined;
    return (byNumber ?? choices.find(({ value, label }) => value === word || label === word))?.value ?? null;
  });
  const known = found.filter((value) => value !== null);
  if (known.length === words.length) return { answer: multi_select ? known : (known[0] ?? null) };
  if (other) return { answer: multi_select ? [typed] : typed };
  return { problem: `answer with ${multi_select ? 'numbers' : 'a number'} from 1 to ${choices.length}` };
}

/** The questions of one event, one after the other. */
export interface Interview {
  /** The one to be answered now; null when all are. */
  now(): AskedQuestion | null;
  /** @returns what is wrong with it, or null */
  answer(typed: string): string | null;
  answers(): Answers;
}

export function interview({ questions }: Pick<QuestionEvent, 'questions'>): Interview {
  const answers: Answers = {};
  let at = 0;
  return {
    now: () => questions[at] ?? null,
    answer(typed) {
      const asked = questions[at];
      if (!asked) return null;
      const read = readAnswer(asked, typed);
      if ('problem' in read) return read.problem;
      answers[asked.id] = read.answer;
      at += 1;
      return null;
    },
    answers: () => answers,
  };
}
