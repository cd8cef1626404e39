import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER } from '../../../src/contract/principal.js';
import { keyring } from '../../../src/serve/listen/keys.js';
import { serverMetrics } from '../../../src/serve/observe/metrics.js';
import { begins, type Stage, says, stage } from '../../runs/fake-turn.js';
import { site, TOKEN } from '../listen/raw.js';

const metrics = serverMetrics({ version: '1.2.3', isRuntime: (id) => id === 'test' });

/** The lines of the sample, without comments. */
async function figures(url: string): Promise<string[]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  assert.is(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', 'text/plain; version=0.0.4');
  return (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Begins a turn and lets it get its place. */
async function turn(on: Stage) {
  const before = on.turns.length;
  on.submit();
  while (on.turns.length === before) await new Promise((resolve) => setTimeout(resolve, 2));
  const [begun] = on.turns.slice(-1);
  if (!begun) throw new Error('no turn');
  return begun;
}

test('figures of turns are summed up; what is unknown is counted as unknown and not as 0', async () => {
  const on = stage({ watch: metrics.watch });
  let degraded: string | null = null;
  const { open, url } = await site({ surfaces: [metrics.surface(on.core, () => degraded)] });
  const known = await turn(on);
  known.emit(begins(1));
  const during = await figures(url('/metrics'));
  assert.ok(during.includes('turnout_turns_now{state="running"} 1'));
  assert.ok(during.includes('turnout_store_degraded 0'));
  known.emit(says('hi'));
  known.emit({
    v: 1,
    type: 'done',
    exit_code: 0,
    stop_reason: 'end_turn',
    duration_ms: 1500,
    totals: { input_tokens: 10, output_tokens: 5, cached_tokens: null, cost_usd: 0.25 },
  });
  known.end();
  const unknown = await turn(on);
  unknown.emit(Object.assign(begins(1), { runtime: 'made-up' }));
  unknown.emit({ v: 1, type: 'error', code: 'auth', message: 'no login', fatal: true });
  unknown.end(1);
  metrics.storeFailed();
  degraded = 'the disk is full';
  const lines = await figures(url('/metrics'));
  for (const line of [
    'turnout_build_info{version="1.2.3"} 1',
    'turnout_events_total{type="assistant"} 1',
    'turnout_turns_total{runtime="test",stop_reason="end_turn",error=""} 1',
    'turnout_turns_total{runtime="other",stop_reason="error",error="auth"} 1',
    'turnout_turn_duration_seconds_sum{runtime="test"} 1.5',
    'turnout_tokens_total{runtime="test",kind="input"} 10',
    'turnout_tokens_total{runtime="test",kind="output"} 5',
    'turnout_cost_usd_total{runtime="test"} 0.25',
    'turnout_turns_unreported_total{runtime="other",what="tokens"} 1',
    'turnout_turns_unreported_total{runtime="other",what="cost"} 1',
    'turnout_store_errors_total 1',
    'turnout_store_degraded 1',
  ])
    assert.ok(lines.includes(line), line);
  assert.ok(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds ')));
  assert.not.ok(lines.some((line) => line.includes('made-up') || line.includes('kind="cached"')));
  await open.close();
});

test('figures are for the owner alone', async () => {
  const ann = { secret: 'ann-s3cret', principal: { name: 'ann', kind: 'key' } } as const;
  const { open, url } = await site({
    surfaces: [serverMetrics({ version: '0', isRuntime: () => true }).surface(stage().core, () => null)],
    guard: {
      identify: keyring([{ secret: TOKEN, principal: OWNER }, ann]),
      hosts: [],
      anyAddress: false,
      origins: [],
    },
  });
  const ask = async (token: string) =>
    (await fetch(url('/metrics'), { headers: { authorization: `Bearer ${token}` } })).status;
  assert.equal([await ask(''), await ask('ann-s3cret'), await ask(TOKEN)], [401, 403, 200]);
  await open.close();
});

test.run();
