// limit: 180s
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerTo } from '../../src/conformance/fake-model.js';
import { SCENARIOS } from '../../src/conformance/scenarios.js';
import { runSuite } from '../../src/conformance/suite.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { arr, parseObject, str } from '../../src/text/json.js';
import { place, TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';

const test = suite('conformance to the protocol');
const breaks = join(process.cwd(), 'fixtures', 'bin', 'breaks-a-rule.js');

test('our own program keeps every rule, and the command says so', () => {
  const { env, cwd } = place();
  const args = [
    TURNOUT,
    'conformance',
    '--command',
    `"${process.execPath}" "${TURNOUT}"`,
    '--runtime',
    'demo',
    '--json',
  ];
  const { status, stdout, stderr } = runProgram(process.execPath, args, { env, cwd });
  const told = parseObject(stdout);
  const failed = (arr(told, 'findings') ?? []).filter((one) => str(one, 'fault') !== undefined);
  assert.equal(failed, [], stderr);
  assert.equal([status, (arr(told, 'findings') ?? []).length], [0, SCENARIOS.length]);
});

/** What a program does wrong, the rule that finds it, and the words. */
for (const [fault, id, words] of [
  ['shows-the-key', 'secrets', /prints the key/],
  ['forgets-done', 'success', /ends with result/],
  ['tells-a-session-twice', 'success', /tells a session twice/],
  ['calls-silence-a-success', 'empty-answer', /no error runner-error/],
  ['invents-zeros', 'success', /input_tokens that is a string in usage/],
  ['uses-its-own-words', 'cancel', /those words/],
  ['exits-with-another-code', 'success', /exits with 3/],
  ['leaves-a-process', 'success', /leaves 1 processes behind/],
  ['ignores-cancel', 'cancel-without-tools', /never ends/],
  ['talks-on-stdout', 'success', /not a JSON object/],
] as const) {
  if (fault === 'leaves-a-process' && process.platform !== 'linux') continue;
  test(`a program that ${fault.replaceAll('-', ' ')} fails the rule ${id}`, async () => {
    const { env } = place();
    const command = [process.execPath, breaks, fault, TURNOUT];
    const limitMs = fault === 'ignores-cancel' ? 3000 : 60_000;
    const [found] = await runSuite({ command, runtime: 'demo', env, only: [id], limitMs });
    assert.match(found?.fault ?? 'none', words);
  });
}

test('a program that is not there, and a rule that is not, are wrong calls', () => {
  const { env, cwd } = place();
  const run = (...args: string[]) => runProgram(process.execPath, [TURNOUT, 'conformance', ...args], { env, cwd });
  const missing = run('--command', 'no-such-program-here', '--runtime', 'demo');
  assert.is(missing.status, 2);
  assert.match(missing.stderr, /no-such-program-here could not be started \(ENOENT\)/);
  const rule = run('--command', 'x', '--only', 'success,nothing');
  assert.is(rule.status, 2);
  assert.match(rule.stderr, /unknown rule nothing; there are handshake/);
});

const user = (content: Json): JsonObject => ({ role: 'user', content });
const asked = (messages: JsonObject[]): JsonObject => ({
  messages,
  tools: [{ name: 'mcp__host__lookup' }, { name: 'Bash' }],
});

test('the model does what stands in the last prompt, under the names that it was offered', () => {
  const call = { kind: 'tools', calls: [{ name: 'mcp__host__lookup', input: { a: 1 } }] };
  assert.equal(answerTo(asked([user([{ type: 'text', text: 'tool lookup {"a":1}' }])])), call);
  const answered = user([{ type: 'tool_result', tool_use_id: 't', content: 'found' }]);
  assert.equal(answerTo(asked([user('tool lookup {}'), answered])), {
    kind: 'text',
    text: 'The tools said: found',
  });
  assert.equal(answerTo(asked([user('tool other {}')])), { kind: 'text', text: 'There is no such tool.' });
  assert.equal(answerTo(asked([user('a title, please')])), { kind: 'text', text: 'ok' });
});

test.run();
