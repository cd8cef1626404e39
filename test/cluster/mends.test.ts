// limit: 120s
// What the members of a cluster do about those that are gone, seen through the ports.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forget } from '../../src/cluster/forget.js';
import { openEngine } from '../../src/cluster/open.js';
import { OWNER, until } from '../runs/conformance/worlds.js';
import { fakeTurns, plan, says, start } from '../runs/fake-turn.js';
import { hasRedis, SKIPPED, serveRedis } from './engines.js';
import { freshName, member } from './world.js';

const test = suite('a cluster mends');
const there = hasRedis();
const served = there ? serveRedis() : null;
const url = async (): Promise<string> => (await served)?.url ?? '';

function on(name: string, work: (url: string, name: string) => Promise<void>): void {
  test(name, async () => (there ? work(await url(), freshName()) : console.log(SKIPPED)));
}

const QUICK = { leaseMs: 1200, homeMs: 300 };
const begin = (prompt: string, more: object = {}) => ({
  caller: OWNER,
  plan: plan(prompt),
  conversation: { kind: 'new' } as const,
  attended: false,
  ...more,
});

on('a turn whose worker is gone ends once, is never run again, and its session goes on', async (at, name) => {
  const fake = fakeTurns();
  const engine = (await openEngine(at, { name, complain() {} })).engine;
  const front = await member(at, name, fake.start, { ...QUICK, role: 'front' });
  const { run } = await front.runs.start(begin('one'));
  // A worker that claims it, says something and is never heard of again.
  await engine.beat(
    {
      ...{ id: 'gone', instance: 'x', role: 'worker', host: '', pid: 1, version: '', runtimes: {}, labels: [] },
      ...{ places: 1, running: 1, waiting: 0, draining: false, memory: { free: 1, least: 0 }, since: 1 },
    },
    1200,
  );
  const claim = await engine.claim(run.run_id, 'gone#x');
  if (claim.kind !== 'begin') throw new Error(claim.kind);
  const entries = [start, says('half')].map((event, index) => ({ seq: index + 1, event }));
  const record = { ...claim.record, status: 'running' as const };
  await engine.append({ run: run.run_id, epoch: claim.epoch, entries, record, learned: {} });
  const ended = await front.runs.ended(run.run_id, OWNER);
  assert.equal([ended.status, ended.ended_by, ended.text], ['interrupted', 'crash', 'half']);
  assert.match(ended.error?.message ?? '', /worker-lost/);
  const late = await engine.append({ run: run.run_id, epoch: claim.epoch, entries, record, learned: {} });
  assert.is(late.kind, 'fenced');
  const types = [];
  for await (const one of front.log.follow(run.run_id, { after: 0, follow: true }, OWNER))
    if ('entry' in one) types.push(one.entry.event.type);
  assert.equal(types, ['start', 'assistant', 'error', 'done']);
  // Its home is gone: what continues it says so.
  const next = await front.runs.start(begin('two', { conversation: { kind: 'continue', id: run.session_id } }));
  const lost = await front.runs.ended(next.run.run_id, OWNER);
  assert.equal([lost.status, lost.error?.code], ['failed', 'session-not-found']);
  // A fork goes on elsewhere with what was said.
  const worker = await member(at, name, fake.start, { ...QUICK, role: 'worker' });
  await front.runs.start(begin('three', { conversation: { kind: 'fork', id: run.session_id } }));
  await until(() => fake.turns.length === 1);
  assert.match(fake.turns[0]?.plan.request.system ?? '', /half/);
  fake.turns[0]?.end();
  for (const one of [worker, front]) {
    await one.drain();
    await one.close();
  }
  await engine.close();
});

on('a run that was accepted and never given to the queue is given to it by the sweeper', async (at, name) => {
  const fake = fakeTurns();
  const { engine } = await openEngine(at, { name, complain() {} });
  const away = (): never => {
    throw new Error('the queue is away');
  };
  const front = await member(at, name, fake.start, {
    ...QUICK,
    role: 'front',
    engine,
    backend: { queue: away, worker: away, lockMs: 1000 },
  });
  const { run } = await front.runs.start(begin('one'));
  await front.close();
  const worker = await member(at, name, fake.start, QUICK);
  await until(() => fake.turns.length === 1);
  fake.turns[0]?.end();
  assert.is((await worker.runs.ended(run.run_id, OWNER)).status, 'completed');
  await worker.drain();
  await worker.close();
});

on('a turn goes to a worker that has its runtime and its labels', async (at, name) => {
  const [plain, gpu] = [fakeTurns(), fakeTurns()];
  const one = await member(at, name, plain.start, QUICK);
  const two = await member(at, name, gpu.start, { ...QUICK, labels: ['gpu'] });
  for (let i = 0; i < 3; i++) await one.runs.start(begin(`g${i}`, { metadata: { labels: 'gpu' } }));
  await until(() => gpu.turns.length === 3);
  assert.is(plain.turns.length, 0);
  for (const turn of gpu.turns) turn.end();
  for (const core of [one, two]) {
    await core.drain();
    await core.close();
  }
});

on('sessions that were not used for long are forgotten as wholes, but not those with a run', async (at, name) => {
  const fake = fakeTurns();
  const core = await member(at, name, fake.start, QUICK);
  const { engine } = await openEngine(at, { name, complain() {} });
  const [old, busy] = [(await core.runs.start(begin('old'))).run, (await core.runs.start(begin('busy'))).run];
  await until(() => fake.turns.length === 2);
  fake.turns.find((turn) => turn.plan.request.prompt === 'old')?.end();
  await core.runs.ended(old.run_id, OWNER);
  assert.is(await forget(engine, Date.now() + 1000), 1);
  assert.equal([await engine.run(old.run_id), (await engine.run(busy.run_id))?.prompt], [null, 'busy']);
  for (const turn of fake.turns) turn.end();
  await core.drain();
  await core.close();
  await engine.close();
});

test('the engine ends when the tests do', async () => (await served)?.stop());
test.run();
