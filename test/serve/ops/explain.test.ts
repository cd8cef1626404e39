import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ERROR_CODES } from '../../../src/contract/error.js';
import { EXPLANATIONS } from '../../../src/serve/ops/explanations.js';
import { KINDS } from '../../../src/serve/ops/meta.js';
import { talk } from './talk.js';

test('every error code has a page of its own', async () => {
  assert.equal(Object.keys(EXPLANATIONS).sort(), Object.keys(ERROR_CODES).sort());
  assert.is(new Set(Object.values(EXPLANATIONS)).size, Object.keys(ERROR_CODES).length);
  for (const [code, { exit }] of Object.entries(ERROR_CODES)) {
    const page = EXPLANATIONS[code as keyof typeof EXPLANATIONS];
    assert.ok(page.length > 150, code);
    if (code !== 'bad-frame') assert.match(page, `Exit code ${exit}`);
  }
});

test('an unknown code is answered with the nearest', async () => {
  const { send, lines } = talk();
  await send({ op: 'explain', code: 'quoat' });
  assert.match(String(lines[0]?.['message']), /did you mean quota\?/);
  assert.is(lines[1]?.['exit_code'], 1);
});

test('the version tells all ops and kinds', async () => {
  const { send, lines } = talk();
  await send({ op: 'version' });
  assert.is(lines[0]?.['agent_protocol'], '1.0');
  assert.equal(lines[0]?.['kinds'], [...KINDS]);
});

test('inspect sums what is known and says how much is not', async () => {
  const { send, turns, lines, take } = talk();
  await send({ op: 'exec', runtime: 'test', prompt: 'needle one', cwd: '/' });
  turns[0]?.emit({
    v: 1,
    type: 'done',
    exit_code: 0,
    stop_reason: 'end_turn',
    duration_ms: 1,
    totals: { input_tokens: 3, output_tokens: 2, cached_tokens: null, cost_usd: 0.5 },
  });
  turns[0]?.end();
  await send({ op: 'exec', prompt: 'two' });
  turns[1]?.end();
  await send();
  take();
  await send({ op: 'inspect', view: 'cost' });
  const row = { key: 'test', runs: 2, unknown_cost: 1, input_tokens: 3, output_tokens: 2, cost_usd: 0.5 };
  assert.equal(lines[0], { kind: 'log', stream: 'stdout', text: JSON.stringify(row) });
  assert.equal(lines[1]?.['data'], [row]);
  take();
  await send({ op: 'find', query: 'NEEDLE' });
  const hits = lines[0]?.['hits'];
  assert.is(Array.isArray(hits) ? hits.length : 0, 1);
});

test('check tells what speaks against a runtime, as envelopes', async () => {
  const { send, lines, one } = talk();
  await send({ op: 'check', runtime: 'test' });
  await one.idle();
  const envelope = lines.find((line) => line['kind'] === 'envelope');
  assert.is(envelope?.['code'], 'missing-binary');
  assert.equal([lines.at(-2)?.['ok'], lines.at(-1)?.['exit_code']], [false, 1]);
});

test('models are what the runtime lists, or the word that it lists none', async () => {
  const { send, lines, one } = talk();
  await send({ op: 'models', runtime: 'test' }, { op: 'models', runtime: 'tset' }, { op: 'models' });
  await one.idle();
  const results = lines.filter((line) => line['kind'] === 'result');
  assert.equal(
    results.map((line) => [line['ok'], line['supported']]),
    [
      [true, false],
      [false, false],
      [true, undefined],
    ],
  );
  assert.match(JSON.stringify(results[1]), 'unknown-runtime');
});

test.run();
