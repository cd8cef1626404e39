/** What the functions of a runner answer with, looked at: the types are no help to one that is written in JavaScript. */

import { ERROR_CODES } from '../../contract/error.js';
import { NOTICE_CODES, TOOL_KINDS } from '../../contract/vocabulary.js';
import type { Action, Say } from '../../runner/action.js';
import { type Check, flag, list, number, optional, orNull, record, shape, text, word, words } from './checks.js';

const arg: Check = (value) =>
  typeof value === 'string' || shape({ file: text, before: optional(words), after: optional(words) })(value);
const everyValue =
  (fits: Check): Check =>
  (value) =>
    record(value) && Object.values(value).every(fits);

const CODES = Object.keys(ERROR_CODES).filter((code) => code !== 'bad-frame' && code !== 'usage');
const refusal = shape({
  refuse: word('unsupported', 'unsafe', 'auth', 'missing-binary'),
  message: text,
  hint: optional(text),
});

/** In the order in which they are told. */
const INVOCATION: readonly [what: string, name: string, fits: Check][] = [
  [
    'its argv is no list of texts and files that begins with the program',
    'argv',
    (value) => list(arg)(value) && Array.isArray(value) && value.length > 0,
  ],
  ['its env is no object of texts, files and null', 'env', everyValue(orNull(arg))],
  ['its stdin is none of hold, end, null', 'stdin', word('hold', 'end', 'null')],
  ['its stdout is neither pipe nor file', 'stdout', word('pipe', 'file')],
  ['its files have no name and text', 'files', optional(everyValue(shape({ name: text, text: words })))],
  ['its collect names no files', 'collect', optional(everyValue(arg))],
  [
    'its log names no file and no pattern of lines',
    'log',
    optional(shape({ file: text, lines: (value) => value instanceof RegExp })),
  ],
  ['its cwd is no path', 'cwd', optional(text)],
];

/** @returns what is wrong with an invocation or a refusal, or null */
export function invocationFault(value: unknown): string | null {
  if (!record(value)) return 'it gave no object';
  if ('refuse' in value) return refusal(value) ? null : 'its refusal has no code and message that mean something';
  return INVOCATION.find(([, name, fits]) => !fits(Reflect.get(value, name)))?.[0] ?? null;
}

const spoken = { text: words, message_id: text, parent_tool_use_id: optional(orNull(text)) };
const activity: Check = (value) =>
  shape({ phase: word('start'), id: text, name: text, kind: word(...TOOL_KINDS), input: orNull(record) })(value) ||
  shape({ phase: word('end'), id: text, ok: flag, output: words, exit_code: optional(number) })(value);
const plan = list(shape({ content: words, status: word('pending', 'in_progress', 'completed') }));

const SAID: Readonly<Record<Say['type'], Check>> = {
  session: shape({ session_id: text }),
  assistant: shape({ ...spoken, replaces: optional(text) }),
  thinking: shape(spoken),
  tool_activity: activity,
  subagent: shape({ phase: word('started', 'progress', 'finished'), id: text, tool_use_id: text }),
  plan: shape({ entries: plan }),
  notice: shape({ code: word(...NOTICE_CODES), message: text }),
  ready: shape({ mcpServers: list(shape({ name: text, status: text })) }),
};

const said: Check = (value) => {
  if (!record(value)) return false;
  const type: unknown = Reflect.get(value, 'type');
  return Object.entries(SAID).some(([name, fits]) => name === type && fits(value));
};
const figure = orNull(number);
const spent = shape({ input: figure, output: figure, cached: optional(figure), costUsd: figure });
const scope = word('delta', 'turn', 'process', 'session');
const outcome: Check = (value) =>
  shape({
    ok: (ok) => ok === true,
    stopReason: word('end_turn', 'max_tokens', 'refusal', 'tool_round_cap', 'max_turns'),
    text: optional(words),
  })(value) ||
  shape({
    ok: (ok) => ok === false,
    code: word(...CODES),
    message: words,
    retryAfterMs: optional(number),
    resetsAt: optional((at) => number(at) || text(at)),
  })(value);

const asked = shape({
  id: text,
  question: words,
  choices: optional(list(shape({ value: words, label: optional(words), description: optional(words) }))),
});

const ACTIONS: Readonly<Record<Action['do'], Check>> = {
  say: shape({ event: said }),
  write: shape({ line: words }),
  feed: shape({ text: words }),
  'end-stdin': record,
  mcp: shape({ channel: text, message: record }),
  call: shape({ key: text, name: text, args: record }),
  ask: shape({
    key: text,
    question: shape({ name: text, kind: word(...TOOL_KINDS), input: orNull(record), toolUseId: optional(text) }),
  }),
  inquire: shape({
    key: text,
    inquiry: shape({ source: word('agent', 'mcp'), questions: list(asked), timeoutMs: optional(number) }),
  }),
  withdraw: shape({ key: text }),
  wake: shape({ afterMs: number }),
  spend: shape({ scope, spent }),
  baseline: shape({ scope, spent }),
  round: shape({ id: text }),
  model: shape({ id: text }),
  retrying: shape({ attempt: number, max: figure, delayMs: figure, code: orNull(word(...CODES)), message: words }),
  steered: shape({ id: text, delivered: flag }),
  between: record,
  spawn: shape({ invocation: (value) => invocationFault(value) === null }),
  phase: shape({ phase: orNull(word('hello', 'login', 'session', 'settings', 'servers', 'prompt')) }),
  unread: shape({ text: words }),
  finish: shape({ outcome, living: optional(record) }),
};

const isAction: Check = (value) => {
  if (!record(value)) return false;
  const name: unknown = Reflect.get(value, 'do');
  return Object.entries(ACTIONS).some(([known, fits]) => known === name && fits(value));
};

/** @returns what is wrong with the answer of `hear`, or null */
export function actionsFault(value: unknown): string | null {
  if (!Array.isArray(value)) return 'it gave no list of actions';
  const bad = value.findIndex((one: unknown) => !isAction(one));
  if (bad < 0) return null;
  return `it gave ${(JSON.stringify(value[bad]) ?? String(value[bad])).slice(0, 400)}, which is no action, or one with a wrong field`;
}
