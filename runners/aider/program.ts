/** What Aider reports about a turn (0.86.2): the log of its model calls, and its own complaints on stdout. Its exit code is 0. */

import type { Action, Heard, Spent } from '../../src/runner/action.js';
import { num, parseObject, str } from '../../src/text/json.js';
import { litellmFailure } from '../dialects/litellm.js';
import type { Failure, PlainProgram } from '../dialects/plain-text.js';

type Exit = Extract<Heard, { type: 'exit' }>;

const HEADER = /^(?:TO LLM|LLM RESPONSE) \d{4}-\d{2}-\d{2}T[\d:.]+$/;

/**
 * `LLM RESPONSE <time>`, then each line of the answer behind `ASSISTANT `; what was asked stands the same way behind
 * `TO LLM <time>`, so no line of a text is taken for a header.
 */
function linesOfAnswers(log: string): string[][] {
  const answers: string[][] = [];
  let current: string[] | null = null;
  for (const line of log.split('\n')) {
    if (HEADER.test(line)) {
      current = line.startsWith('LLM') ? [] : null;
      if (current !== null) answers.push(current);
    } else if (current !== null && line.startsWith('ASSISTANT')) {
      current.push(line.slice('ASSISTANT '.length));
    }
  }
  return answers.filter((lines) => lines.some((line) => line !== ''));
}

/** Where Python ends a line: every one of these became the end of a line of the log. */
const LINE_ENDS = ['\r\n', ...'\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029'];

/** The same lines with the ends they had, where they stand in `text` from `at` on; null when they don't. */
function spelled(lines: readonly string[], text: string, at: number): string | null {
  let end = at;
  for (const [index, line] of lines.entries()) {
    if (index > 0) {
      const found = LINE_ENDS.find((one) => text.startsWith(one, end));
      if (found === undefined) return null;
      end += found.length;
    }
    if (!text.startsWith(line, end)) return null;
    end += line.length;
  }
  return text.slice(at, end);
}

/**
 * The log says which lines are the model's, the history what came between them; white space around an answer is not
 * in the history.
 */
export function answersIn(log: string, history: string): string[] {
  let from = 0;
  return linesOfAnswers(log).map((lines) => {
    const first = lines.findIndex((line) => line.trim() !== '');
    const last = lines.findLastIndex((line) => line.trim() !== '');
    const core = lines.slice(first, last + 1);
    const before = [...lines.slice(0, first), /^\s*/.exec(core[0] ?? '')?.[0] ?? ''].join('\n');
    core[0] = (core[0] ?? '').trimStart();
    const after = [/\s*$/.exec(core.at(-1) ?? '')?.[0] ?? '', ...lines.slice(last + 1)].join('\n');
    core.push((core.pop() ?? '').trimEnd());
    for (let at = history.indexOf(core[0] ?? '', from); at >= 0; at = history.indexOf(core[0] ?? '', at + 1)) {
      const text = spelled(core, history, at);
      if (text === null) continue;
      from = at + text.length;
      return before + text + after;
    }
    return lines.join('\n');
  });
}

/**
 * A line of its log of events, `{"event":"message_send","properties":{"prompt_tokens":…,"cost":…}}`: what a message cost.
 * A cost of 0 is that of a model without a price.
 */
export function spentIn(events: string): Spent | null {
  const all = events.split('\n').flatMap((line) => {
    const event = parseObject(line);
    const input = num(event, 'properties', 'prompt_tokens');
    const output = num(event, 'properties', 'completion_tokens');
    if (str(event, 'event') !== 'message_send' || input === undefined || output === undefined) return [];
    return [{ input, output, cost: num(event, 'properties', 'cost') ?? 0 }];
  });
  if (all.length === 0) return null;
  const sum = (key: 'input' | 'output' | 'cost') => all.reduce((total, one) => total + one[key], 0);
  return { input: sum('input'), output: sum('output'), costUsd: sum('cost') || null };
}

/** The last complaint, which is broken at 80 columns, joined again. Only read when no model has answered, so it can't be a model's words. */
export function complaint(printed: readonly string[]): Failure | null {
  const at = printed.findLastIndex((line) => /^litellm\.\w+: /.test(line));
  if (at < 0) return null;
  const end = printed.findIndex((line, index) => index > at && /^(?:The API provider |Retrying in |$)/.test(line));
  const text = printed
    .slice(at, end < 0 ? undefined : end)
    .map((line) => line.trim())
    .join(' ');
  return litellmFailure(text);
}

/** Without a model and a key it opens a browser and waits for five minutes, before it has said its name. */
const WAITS = /^Waiting up to \d+ minutes for you to finish in the browser\.\.\.$/;
const BANNER = /^Aider v\d/;

function answers(files: Exit['files']): Action[] {
  const texts = answersIn(files['log'] ?? '', files['history'] ?? '');
  return texts.map((text, index) => ({
    do: 'say',
    event: { type: 'assistant', text, message_id: `answer ${index + 1}` },
  }));
}

function spending(files: Exit['files']): Action[] {
  const spent = spentIn(files['events'] ?? '');
  return spent === null ? [] : [{ do: 'spend', scope: 'process', spent }];
}

export const program: PlainProgram = {
  title: 'Aider',
  grows: false,
  failure: () => null,
  told(exit, printed) {
    const said = answers(exit.files);
    if (said.length > 0) return [...said, ...spending(exit.files)];
    return complaint(printed) ?? { code: 'runner-error', message: 'Aider ended without an answer.' };
  },
  hopeless(line, printed) {
    if (!WAITS.test(line) || printed.some((one) => BANNER.test(one))) return null;
    return { code: 'auth', message: 'Aider has neither a model nor a key.' };
  },
};
