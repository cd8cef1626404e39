/** What users of programs like ours suffer from their runtimes (see the fake agents), and how each must end. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import { num, obj, str } from '../../src/text/json.js';
import { isType } from '../contract/cli.js';
import type { Fault } from './fault.js';

const message = (pattern: RegExp) => (events: readonly JsonObject[]) => {
  const told = String(events.find(isType('error'))?.['message']);
  return pattern.test(told) ? null : `the error says ${told}`;
};
/** What could not be read is counted. */
const unread = (count: number, last: RegExp) => (events: readonly JsonObject[]) => {
  const told = obj(events.find(isType('error')), 'unread');
  return num(told, 'count') === count && last.test(str(told, 'last') ?? '')
    ? null
    : `unread is ${JSON.stringify(told)}`;
};
const notice = (pattern: RegExp) => (events: readonly JsonObject[]) =>
  events.some((event) => pattern.test(String(event['message']))) ? null : 'nothing was said about it';
const count = (type: string, wanted: number) => (events: readonly JsonObject[]) => {
  const found = events.filter(isType(type)).length;
  return found === wanted ? null : `has ${found} of ${type}`;
};
const FAILS = { exit: 1, code: 'runner-error' } as const;
const ENDS = { exit: 0, code: null, text: 'hello' } as const;
const HANGS = { exit: 124, code: 'timeout' } as const;
const soon = (ms: number) => ['--timeout', `${ms}ms`];

/** Three long frames after a long prompt: 64 MiB that nobody reads. */
const STEER = JSON.stringify({ v: 1, type: 'steer', id: 's', text: 'x'.repeat(16 * 1024 * 1024 - 100) });

export const FAULTS: readonly Fault[] = [
  { name: 'a plain answer, to compare with', program: ['answers.js'], ...ENDS },
  { name: 'ignores SIGTERM', program: ['ignores-sigterm.js'], flags: soon(1000), ...HANGS },
  { name: 'answers and never exits', program: ['answers-and-stays.js'], ...ENDS },
  { name: 'leaves a child in a session of its own', program: ['double-forks.js'], ...FAILS },
  { name: 'answers and leaves daemons', program: ['answers-and-daemonizes.js'], ...ENDS },
  { name: 'forks faster than one looks', program: ['forks-forever.js'], flags: soon(1000), ...HANGS },
  { name: 'hands over to copies of itself', program: ['relays-itself.sh'], ...FAILS },
  { name: 'a grandchild holds stdout', program: ['answers-and-lets-a-child-hold-stdout.js'], ...FAILS },
  { name: 'exits 0 silently', program: ['says-nothing.js'], ...FAILS, judge: message(/exit code 0/) },
  {
    name: 'exits 0, error on stderr',
    program: ['says-its-error-on-stderr.js'],
    ...{ exit: 1, code: 'model-unavailable' as const },
    judge: message(/gpt-0/),
  },
  { name: 'dies mid-line', program: ['dies-mid-line.js'], ...FAILS, judge: message(/SIGKILL/) },
  { name: 'ends mid-UTF-8', program: ['dies-mid-word.js'], ...FAILS, text: 'hello' },
  { name: 'ends mid-JSON', program: ['dies-mid-json.js'], ...FAILS, text: 'hello' },
  { name: 'is killed', program: ['dies-by-signal.js', 'SIGSEGV'], ...FAILS, judge: message(/SIGSEGV/) },
  {
    name: 'closes stdout and lives',
    program: ['closes-stdout-mid-answer.js'],
    ...FAILS,
    judge: message(/closed its output/),
  },
  {
    name: '64 MiB of input unread',
    program: ['ignores-stdin.js', '3000'],
    flags: ['--approvals', 'stdio'],
    send: (turn) => {
      for (let i = 0; i < 4; i++) turn.send(STEER);
    },
    ...ENDS,
  },
  { name: 'banner, title, BOM, CRLF, NUL, 2 a line', program: ['speaks-untidily.js'], ...ENDS },
  { name: 'closes its stdin', program: ['closes-stdin.js'], flags: soon(1000), ...HANGS },
  {
    name: 'a long line in the middle',
    program: ['drops-a-big-line.js'],
    size: { full: 64, small: 17 },
    ...ENDS,
    text: 'hello again',
    judge: notice(/was dropped/),
    // The 16 MiB that are kept of a line, and as much again that is garbage until it is collected: less than the line itself.
    mebibytes: 60,
  },
  {
    name: 'a long stream of noise',
    program: ['streams-noise.js'],
    size: { full: 1024, small: 32 },
    ...ENDS,
    mebibytes: 32,
  },
  {
    name: 'many tiny events',
    program: ['streams-deltas.js', '1'],
    size: { full: 1_000_000, small: 20_000 },
    exit: 0,
    code: null,
    mebibytes: 32,
  },
  {
    name: 'an answer of a GiB',
    program: ['streams-deltas.js', '65536'],
    size: { full: 16_384, small: 512 },
    exit: 0,
    code: null,
    mebibytes: 32,
  },
  {
    name: 'floods stderr',
    program: ['floods-stderr-and-answers.js'],
    size: { full: 256, small: 16 },
    ...ENDS,
    mebibytes: 32,
  },
  { name: 'success and error in one', program: ['contradicts-itself.js'], ...FAILS, judge: message(/it failed/) },
  { name: 'exit code 3 after the answer', program: ['answers-then-exits-with.js', '3'], ...ENDS },
  {
    name: 'a call is never closed',
    program: ['leaves-a-call-open.js'],
    ...ENDS,
    text: 'hello done',
    judge: count('tool_activity', 2),
  },
  { name: 'goes on after its result', program: ['answers-twice.js'], ...ENDS, judge: count('result', 1) },
  {
    name: 'asks for a login',
    program: ['asks-for-a-login.js', 'line'],
    exit: 1,
    code: 'auth',
    judge: message(/Press Enter.*Run: /s),
  },
  {
    name: 'asks for a login in an open line',
    program: ['asks-for-a-login.js'],
    flags: ['--idle-timeout', '1s'],
    ...HANGS,
    judge: message(/Press Enter.*Run: /s),
  },
  {
    name: 'never answers the greeting',
    program: ['never-greets.js'],
    flags: ['--startup-timeout', '1s'],
    ...HANGS,
    judge: message(/phase hello.*waiting for you/s),
  },
  {
    name: 'never takes the prompt, prints a banner',
    program: ['never-takes-the-prompt.js'],
    flags: ['--startup-timeout', '1s'],
    ...HANGS,
    judge: (events) => message(/phase prompt/)(events) ?? unread(1, /^A new version/)(events),
  },
  {
    name: 'ends a turn that is not ours first',
    program: ['ends-another-turn-first.js'],
    ...ENDS,
    judge: notice(/a turn of its own/),
  },
  {
    name: 'marks an error, then says success',
    program: ['says-both-ends.js'],
    ...FAILS,
    text: '',
    judge: message(/it broke/),
  },
  {
    name: 'announces retries for ever',
    program: ['retries-for-ever.js'],
    exit: 1,
    code: 'rate-limited',
    judge: (events) =>
      events.filter((event) => event['retry'] !== undefined).length === 4 ? null : 'not four retries',
  },
  { name: 'halves a character', program: ['halves-a-character.js'], ...ENDS, text: 'hello \u{1f600}!' },
  { name: 'opens a browser', program: ['opens-a-browser.js'], flags: soon(1500), ...HANGS },
  {
    name: 'changes its session id',
    program: ['changes-its-session.js'],
    ...ENDS,
    text: 'hello again',
    judge: count('session', 2),
  },
  {
    name: 'another session than asked for',
    program: ['answers.js'],
    flags: ['--resume', 'other'],
    exit: 1,
    code: 'session-not-found',
  },
  {
    name: 'crashes 1 start in 3',
    program: ['crashes-now-and-then.js'],
    starts: 3,
    ...FAILS,
    judge: message(/crashed at the start/),
  },
];
