/** Questions of the agent to a person: passed on to the host, or declined at once where it answers none. */

import type { Event } from '../contract/event.js';
import type { QuestionResultFrame } from '../contract/frame.js';
import { LIMITS } from '../contract/limits.js';
import type { Answers, QuestionEvent, QuestionOutcome } from '../contract/question.js';
import type { NoticeCode } from '../contract/vocabulary.js';
import type { Inquiry } from '../runner/action.js';
import { answersFault, given } from '../text/answers.js';

/** Hands the answers to the agent; null declines. */
type Answer = (answers: Answers | null) => void;

interface Open {
  key: string;
  event: QuestionEvent;
  answer: Answer;
  forget(): void;
}

export interface Inquiries {
  ask(key: string, inquiry: Inquiry, answer: Answer): void;
  /** @returns what is wrong with an answer, whose question stays open; null when it settled one */
  settle(frame: QuestionResultFrame): string | null;
  /** The agent no longer waits. */
  withdraw(key: string): void;
  /** Declines everything that is open and what will still be asked. */
  close(): void;
  open(): number;
  /** A frame without the secrets in it, which are also masked in every line that goes to the program. */
  safe(frame: QuestionResultFrame): QuestionResultFrame;
  mask(line: string): string;
}

/** Stands in a recording where a secret answer was. */
const HIDDEN = '[secret answer]';

/** @returns why a host can't be asked, null when it can */
function unfit({ questions, url }: Inquiry): string | null {
  const ids = new Set(questions.map(({ id }) => id));
  if (questions.length === 0 && url === undefined) return 'it was empty';
  if (ids.size < questions.length) return 'two of its parts have the same name';
  return Buffer.byteLength(JSON.stringify(questions)) > LIMITS.question ? 'it was too large' : null;
}

export function inquiries(options: {
  /** Whether the host answers questions. */
  asksHost: boolean;
  emit(event: Event): void;
  notice(code: NoticeCode, message: string): void;
  after(ms: number, run: () => void): () => void;
}): Inquiries {
  const { emit } = options;
  const waiting = new Map<string, Open>();
  const secrets = new Set<string>();
  let next = 1;
  let closed = false;

  const settled = (open: Open, outcome: QuestionOutcome) => {
    const { id } = open.event;
    waiting.delete(id);
    open.forget();
    const message = outcome === 'answered' ? `question ${id} was answered` : `question ${id} got no answer: ${outcome}`;
    emit({ v: 1, type: 'status', phase: 'notice', code: 'question-settled', message, question: { id, outcome } });
  };
  const decline = (open: Open, outcome: QuestionOutcome) => {
    settled(open, outcome);
    open.answer(null);
  };
  const isSecret = (event: QuestionEvent, question: string) =>
    event.questions.some(({ id, secret }) => id === question && secret === true);

  return {
    ask(key, inquiry, answer) {
      if (!options.asksHost || closed) return answer(null);
      const why = unfit(inquiry);
      if (why !== null) {
        options.notice('question-declined', `a question of the agent was declined: ${why}`);
        return answer(null);
      }
      const { toolUseId, timeoutMs, ...asked } = inquiry;
      const event: QuestionEvent = {
        v: 1,
        type: 'question',
        id: `q_${next++}`,
        ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
        ...asked,
        ...(timeoutMs === undefined ? {} : { timeout_ms: Math.round(timeoutMs) }),
      };
      const open: Open = { key, event, answer, forget: () => {} };
      waiting.set(event.id, open);
      emit(event);
      if (timeoutMs !== undefined) open.forget = options.after(timeoutMs, () => decline(open, 'timed-out'));
    },
    settle(frame) {
      const open = waiting.get(frame.id);
      if (!open) return `question_result for ${frame.id}: no such question is open`;
      const { questions, url } = open.event;
      // A page that is to be opened has nothing to fill in: any answer says that it was.
      const isPage = url !== undefined && questions.length === 0;
      const fault = isPage ? null : answersFault(questions, frame.answers);
      if (fault !== null) return `question_result ${frame.id}: ${fault}`;
      const answers = given(frame.answers);
      settled(open, answers === null ? 'declined' : 'answered');
      open.answer(answers);
      return null;
    },
    withdraw(key) {
      for (const open of [...waiting.values()]) if (open.key === key) settled(open, 'withdrawn');
    },
    close() {
      closed = true;
      for (const open of [...waiting.values()]) decline(open, 'declined');
    },
    open: () => waiting.size,
    safe(frame) {
      const event = waiting.get(frame.id)?.event;
      if (!event) return frame;
      const answers: Answers = {};
      for (const [id, answer] of Object.entries(frame.answers)) {
        const hide = answer !== null && isSecret(event, id);
        answers[id] = hide ? HIDDEN : answer;
        if (hide) for (const one of [answer].flat()) if (one !== '') secrets.add(JSON.stringify(one).slice(1, -1));
      }
      return { ...frame, answers };
    },
    mask: (line) => [...secrets].reduce((masked, secret) => masked.replaceAll(secret, HIDDEN), line),
  };
}
