/** Turns of Aider 0.86.2, from recordings, and how it is started. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/aider/index.js';
import { answersIn, complaint, spentIn } from '../../runners/aider/program.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request } from './drive.js';
import { play } from './play.js';

const started = (changes: Partial<TurnRequest> = {}) => {
  const answer = runner.invoke(request(changes), machine());
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer;
};

test('the answer is read from the log of the model, not from what it prints for people', async () => {
  const { of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((one) => one.text),
    ['Hello from the scripted model.'],
  );
});

test("a caller's tool takes a second process", async () => {
  const { of, exitCode } = await play(runner, 'tool');
  assert.is(exitCode, 0);
  assert.is(of('tool_call').length, 1);
  assert.is(of('result')[0]?.text, 'Tool said: FOUND {"word":"x"}');
});

test('its exit code is 0 after a refused key; without any it would wait for a browser', async () => {
  assert.is((await play(runner, 'unauthorized')).of('error')[0]?.code, 'auth');
  assert.is((await play(runner, 'no-login')).of('error')[0]?.code, 'auth');
});

test('a log holds what was asked and what was answered, line by line', () => {
  const log = [
    'TO LLM 2026-11-30T12:47:20',
    '-------',
    'USER Say it.',
    'USER LLM RESPONSE 2026-11-30T12:47:20',
    'LLM RESPONSE 2026-11-30T12:47:24',
    'ASSISTANT one',
    'ASSISTANT ',
    'ASSISTANT TO LLM 2026-11-30T12:47:25',
    'TO LLM 2026-11-30T12:47:26',
    'USER again',
    'LLM RESPONSE 2026-11-30T12:47:29.5',
    'ASSISTANT two',
    '',
  ].join('\n');
  assert.equal(answersIn(log, ''), ['one\n\nTO LLM 2026-11-30T12:47:25', 'two']);
  assert.equal(answersIn('', ''), []);
});

test('what ends a line in the log is read from the history', () => {
  const log = 'LLM RESPONSE 2026-11-30T12:47:24\nASSISTANT \nASSISTANT   a\nASSISTANT b\nASSISTANT c\nASSISTANT \n';
  const history = '\n#### a\u2028b  \n\na\u2028b\nc\n\n> Tokens: 1.2k sent, 34 received.  \n';
  assert.equal(answersIn(log, history), ['\n  a\u2028b\nc\n']);
  assert.equal(answersIn(log, 'another text'), ['\n  a\nb\nc\n']);
});

test('tokens and price come from its log of events; without a price the cost is unknown', () => {
  const event = (properties: object) => `${JSON.stringify({ event: 'message_send', properties })}\n`;
  assert.equal(spentIn(event({ prompt_tokens: 1200, completion_tokens: 34, cost: 0 })), {
    input: 1200,
    output: 34,
    costUsd: null,
  });
  const two = event({ prompt_tokens: 1, completion_tokens: 2, cost: 0.25 }).repeat(2);
  assert.equal(spentIn(`{"event":"launched","properties":{}}\n${two}`), { input: 2, output: 4, costUsd: 0.5 });
  assert.is(spentIn(''), null);
});

test('a folder that is no repository stays none, and nobody is given a name', () => {
  const inside = (inRepository: boolean) => {
    const answer = runner.invoke(request(), { ...machine(), inRepository });
    if (isRefusal(answer)) throw new Error(answer.message);
    return answer;
  };
  assert.ok(inside(false).argv.includes('--no-git'));
  assert.not.ok(inside(true).argv.includes('--no-git'));
  assert.is(inside(true).env['GIT_CONFIG_KEY_0'], 'user.name');
});

// What 0.86.2 printed for each failure of a scripted provider, broken at 80 columns.
const COMPLAINTS: readonly (readonly [string[], string])[] = [
  [
    [
      'litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect ',
      'API key provided: dummy. You can find your API key in your account settings.',
      'The API provider is not able to authenticate you. Check your API key.',
    ],
    'auth',
  ],
  [
    [
      'litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached for',
      'mock-model on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try ',
      'again in 1s.',
      'The API provider has rate limited you. Try again later or check your quotas.',
      'Retrying in 4.0 seconds...',
    ],
    'rate-limited',
  ],
  [
    [
      'litellm.NotFoundError: OpenAIException - The model `mock-model` does not exist ',
      'or you do not have access to it.',
      '',
    ],
    'model-unavailable',
  ],
  [
    ['litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your current quota, please check'],
    'quota',
  ],
  [['litellm.APIConnectionError: OpenAIException - Connection error.', ''], 'runner-error'],
];

for (const [printed, code] of COMPLAINTS) {
  test(`${printed[0]?.slice(0, 40)}… is ${code}`, () => {
    assert.is(complaint(['Aider v0.86.2', '', ...printed])?.code, code);
  });
}

test('words of a model decide nothing', () => {
  const text = 'litellm.AuthenticationError: AuthenticationError: it is said';
  const log = `LLM RESPONSE 2026-11-30T12:47:24\nASSISTANT ${text}\n`;
  const exit = { type: 'exit', code: 0, signal: null, files: { log } } as const;
  const actions = hearAll(runner.converse(request(), machine()), [...lines('Aider v0.86.2', text), exit]);
  const end = actions.at(-1);
  assert.is(end?.do === 'finish' && end.outcome.ok, true);
  const waiting = 'Waiting up to 5 minutes for you to finish in the browser...';
  assert.equal(hearAll(runner.converse(request(), machine()), lines('Aider v0.86.2', waiting)), []);
});

test('at the default mode it answers and does nothing', () => {
  const { argv } = started();
  for (const flag of ['ask', '--dry-run', '--no-suggest-shell-commands', '--no-auto-commits', '--no-gitignore']) {
    assert.ok(argv.includes(flag), flag);
  }
  assert.not.ok(started({ access: 'full' }).argv.includes('--dry-run'));
  assert.ok(started({ access: 'full', sandbox: 'restricted' }).argv.includes('--dry-run'));
  assert.not.ok(started({ settings: ['user', 'project', 'local'] }).argv.includes('--config'));
});

test('the prompt is a file, and never a command', () => {
  assert.is(started({ prompt: '/run touch x' }).files?.['prompt']?.text, '\n/run touch x');
  assert.is(started({ prompt: '!ls' }).files?.['prompt']?.text, '\n!ls');
  assert.is(started({ prompt: 'a/b', system: 'S' }).files?.['prompt']?.text, 'S\n\n---\n\na/b');
});

test.run();
