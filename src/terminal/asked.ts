/** What a running turn waits for: permissions and questions, one after another, and the keys or lines that answer. */

import type { Event, PermissionRequestEvent } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import type { QuestionEvent } from '../contract/question.js';
import { toolLabel } from '../view/tool-label.js';
import { askedLines, askedTitle, type Interview, interview } from './answers.js';
import type { Paint } from './paint.js';
import { KEYS, questionLines } from './question-text.js';

type Waiting =
  | { kind: 'permission'; event: PermissionRequestEvent }
  | { kind: 'question'; event: QuestionEvent; talk: Interview };

export interface Asked {
  /** @returns lines that show a new question */
  hear(event: Event): string[];
  /** What is waited for now. */
  now(): 'permission' | 'question' | null;
  /** The keys that answer a permission question. */
  keys(): string;
  /** Whether what is typed must not be shown. */
  secret(): boolean;
  /** @returns lines that show what was answered; none for a key that answers nothing */
  press(key: string): string[];
  /** A line of text for a question. */
  answer(typed: string): string[];
  /** Declines the question. */
  decline(): string[];
}

export function askedThings(send: (frame: Frame) => void, paint: Paint, colours: boolean): Asked {
  let waiting: Waiting[] = [];
  let cwd = '';

  const show = (): string[] => {
    const [first] = waiting;
    if (!first) return [];
    if (first.kind === 'question') {
      const asked = first.talk.now();
      return [...askedTitle(first.event, paint), ...(asked === null ? [] : askedLines(asked, paint))];
    }
    const { event } = first;
    const { name, kind, input, choices } = event;
    // The keys stand in the live region.
    return questionLines({ name, kind, input, label: toolLabel(event, cwd) }, choices, colours).slice(0, -1);
  };
  const next = (lines: string[]): string[] => {
    waiting = waiting.slice(1);
    return [...lines, ...show()];
  };
  const withdrawn = (gone: (one: Waiting) => boolean): string[] => {
    const wasFirst = waiting[0] !== undefined && gone(waiting[0]);
    waiting = waiting.filter((one) => !gone(one));
    return wasFirst ? [paint('dim', '  no longer asked'), ...show()] : [];
  };
  const add = (one: Waiting): string[] => {
    waiting = [...waiting, one];
    return waiting.length === 1 ? show() : [];
  };

  return {
    hear(event) {
      switch (event.type) {
        case 'start':
          cwd = event.cwd;
          return [];
        case 'permission_request':
          return add({ kind: 'permission', event });
        case 'question':
          return add({ kind: 'question', event, talk: interview(event) });
        case 'status':
          return event.question === undefined
            ? []
            : withdrawn((one) => one.kind === 'question' && one.event.id === event.question?.id);
        case 'tool_activity':
          if (event.phase === 'start') return [];
          return withdrawn((one) => one.kind === 'permission' && one.event.tool_use_id === event.id);
        case 'result':
        case 'error':
        case 'done':
          waiting = [];
          return [];
        default:
          return [];
      }
    },
    now: () => waiting[0]?.kind ?? null,
    keys() {
      const [first] = waiting;
      if (first?.kind !== 'permission') return '';
      return KEYS.filter(({ choice }) => first.event.choices.includes(choice))
        .map(({ label }) => label)
        .join('  ');
    },
    secret() {
      const [first] = waiting;
      return first?.kind === 'question' && first.talk.now()?.secret === true;
    },
    press(key) {
      const [first] = waiting;
      if (first?.kind !== 'permission') return [];
      const found = KEYS.find((one) => one.key === key.toLowerCase() && first.event.choices.includes(one.choice));
      if (!found) return [];
      const lines = next([`  ${found.done}`]);
      send({ v: 1, type: 'permission_result', id: first.event.id, choice: found.choice });
      return lines;
    },
    answer(typed) {
      const [first] = waiting;
      if (first?.kind !== 'question') return [];
      const secret = first.talk.now()?.secret === true;
      const problem = first.talk.answer(typed);
      if (problem !== null) return [paint('red', `  ${problem}`)];
      const shown = [`  ${secret ? '(not shown)' : typed.trim() === '' ? 'no answer' : typed}`];
      if (first.talk.now() !== null) return [...shown, ...show()];
      const lines = next(shown);
      send({ v: 1, type: 'question_result', id: first.event.id, answers: first.talk.answers() });
      return lines;
    },
    decline() {
      const [first] = waiting;
      if (first?.kind !== 'question') return [];
      const lines = next(['  declined']);
      send({ v: 1, type: 'question_result', id: first.event.id, answers: {} });
      return lines;
    },
  };
}
