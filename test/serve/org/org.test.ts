// limit: 120s
/** `turnout org`, as the hosts of the original call it: one document a read, and a reason in one line for what can't be answered. */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../../src/contract/event.js';
import { TURNOUT } from '../../contract/cli.js';
import {
  begin,
  closeAll,
  events,
  five,
  items,
  json,
  options,
  org,
  refused,
  texts,
  turn,
  where,
  writer,
} from './kit.js';

test.after(closeAll);

test('a turn with --org is listed with its state, events, logs and costs', () => {
  writeFileSync(join(where.cwd, '.mcp.json'), '{}');
  assert.equal(json('list'), { v: 1, items: [] });
  assert.is(turn('hello', 'sec').status, 0);
  assert.equal(json('list'), {
    v: 1,
    items: [{ name: 'sec', roles: 1, schedule: null, status: 'stopped', goal: '' }],
  });
  const status = json('status', 'sec');
  assert.equal([status['status'], status['closed_by'], status['paused']], ['stopped', 'org-complete', false]);
  assert.not.ok('idle_hold' in status);
  const all = events('sec');
  assert.ok(all.length > 5);
  for (const event of all) {
    assert.ok(Number.isInteger(event['ts']));
    assert.is(event['org'], 'sec');
    assert.is(event['run'], status['run']);
    assert.ok(String(event['id']).startsWith(String(status['run'])));
  }
  assert.equal(items(json('logs', 'sec')), all);
  assert.ok(all.some(({ type, msg }) => type === 'chat' && String(msg).includes('hello')));
  assert.equal(all.at(-1)?.['reason'], 'org-stopped');
  assert.equal(items(json('costs', 'sec'))[0]?.['role'], 'lead');
});

test('only valid names are listed, and an invalid definition says so', () => {
  const roles = [{ id: 'lead', runtime: 'demo' }];
  const orgs = { '.mcp': {}, '._x': { roles }, '../x': { roles }, broken: { roles: [] }, plan: { goal: 'ok', roles } };
  writeFileSync(join(where.cwd, 'turnout.config.json'), JSON.stringify({ orgs }));
  assert.equal(
    items(json('list')).map(({ name, status }) => [name, status]),
    [
      ['broken', 'invalid-config'],
      ['plan', 'never run'],
      ['sec', 'stopped'],
    ],
  );
  assert.equal(json('status', 'plan'), { v: 1, name: 'plan', status: 'never run' });
  refused(1, /invalid: "roles"/, 'validate', 'broken');
  refused(1, /no runs found for org plan/, 'events', 'plan', '--follow');
});

test('what can not be answered leaves stdout empty and says why in one line', () => {
  refused(1, /not found/, 'status', 'nope', '--format', 'json');
  refused(1, /no run "run-1"/, 'logs', 'sec', '--run', 'run-1', '--format', 'json');
  refused(2, /--since/, 'events', 'sec', '--since', 'yesterday');
  refused(2, /invalid org name/, 'status', '../x', '--format', 'json');
  refused(2, /unknown subcommand/, 'frobnicate');
  refused(2, /unknown flag/, 'list', '--frobnicate');
  refused(1, /no "org sign"/, 'sign', 'sec');
  refused(1, /events --ndjson/, 'logs', 'sec', '--follow');
  refused(1, /--yes/, 'run', 'plan');
  refused(1, /not running/, 'stop', 'sec');
  refused(1, /no question/, 'answer', '--format', 'json', '--', 'sec', '-q', '--format');
});

test('org run begins a turn of the first role', () => {
  assert.equal(json('run', 'plan', '--dry-run')['runtime'], 'demo');
  assert.is(json('run', 'plan', '--yes', '--task', 'say hi')['exit_code'], 0);
  assert.is(json('status', 'plan')['closed_by'], 'org-complete');
});

test('--since takes an id, or a time to the nanosecond; what the run does not hold means all of it', async () => {
  const first = await five('five', 'run_aaaaaaaaaaaaaaaa');
  const { run } = await five('five', 'run_bbbbbbbbbbbbbbbb');
  const all = events('five');
  assert.equal(texts(all), ['n1', 'n2', 'n3', 'n4', 'n5']);
  const [id2, id5] = [String(all[1]?.['id']), String(all[4]?.['id'])];
  const [ts2, ts3] = [Number(all[1]?.['ts']), Number(all[2]?.['ts'])];
  const rest = ['n3', 'n4', 'n5'];
  assert.equal(texts(events('five', '--since', id2)), rest);
  assert.equal(texts(events('five', `--since=${new Date(ts2 + 500).toISOString()}`)), rest);
  assert.equal(texts(events('five', '--since', new Date(ts3).toISOString())), rest);
  assert.equal(texts(events('five', '--since', new Date(ts2).toISOString().replace('Z', '000001Z'))), rest);
  assert.equal(texts(events('five', '--since', new Date(ts3).toISOString().replace('Z', '000000+00:00'))), rest);
  assert.equal(events('five', '--since', id5), []);
  const foreign = String(events('five', '--run', first.run)[4]?.['id']);
  assert.is(events('five', '--since', foreign).length, 5);
  assert.is(events('five', '--run', run, '--since', 'run-0-0').length, 5);
  // The same line is the same in every replay.
  assert.is(org('events', 'five').stdout, org('events', 'five').stdout);
});

test('a run whose process was killed is crashed, and one that lives has the four idle fields', async () => {
  const args = ['agent', 'exec', '--runtime', 'demo', '--prompt', 'hang', '--org', 'dies'];
  const child = spawn(process.execPath, [TURNOUT, ...args], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const running = json('status', 'dies');
  assert.is(running['status'], 'running');
  assert.is(running['pid'], child.pid);
  for (const key of ['idle_stop_at', 'idle_stop_in_seconds', 'idle_hold', 'idle_hold_until']) assert.ok(key in running);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  const dead = json('status', 'dies');
  assert.is(dead['status'], 'crashed');
  assert.not.ok('idle_hold' in dead);
  assert.is(items(json('list')).find(({ name }) => name === 'dies')?.['status'], 'crashed');
  // The next turn of anybody puts the log in order.
  assert.is(turn('hello', 'sec').status, 0);
  assert.is(json('status', 'dies')['status'], 'crashed');
  assert.is(events('dies').at(-1)?.['reason'], 'org-stopped');
});

test('org stop ends a turn in another process', async () => {
  const args = ['agent', 'exec', '--runtime', 'demo', '--prompt', 'hang', '--org', 'halt'];
  const child = spawn(process.execPath, [TURNOUT, ...args], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  assert.is((json('stop', 'halt')['stopped'] as string[]).length, 1);
  assert.is(await ended, 130);
  assert.equal(json('status', 'halt')['closed_by'], 'stopped');
});

test('a permission question is listed, and answered from another process', async () => {
  const args = [
    'agent',
    'exec',
    '--runtime',
    'demo',
    '--prompt',
    'shell touch asked',
    '--org',
    'asks',
    '--approvals',
    'stdio',
  ];
  const child = spawn(process.execPath, [TURNOUT, ...args], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"permission_request"')) continue;
    break;
  }
  child.stdout.resume();
  const [question] = items(json('questions', 'asks'));
  assert.is(question?.['answer'], null);
  assert.is(items(json('gates', 'asks'))[0]?.['status'], 'pending');
  json('deny', 'asks', String(question?.['questionId']));
  child.stdin.end();
  assert.is(await ended, 0);
  assert.equal(items(json('questions', 'asks')), []);
  assert.is(items(json('decisions', 'asks'))[0]?.['status'], 'rejected');
});

test('a cost that nobody told is null in list, report and costs', async () => {
  const store = await writer();
  const { made } = begin(store, 'free', 'run_ffffffffffffffff');
  const usage: Event = { v: 1, type: 'usage', input_tokens: 5, output_tokens: 1, cost_usd: null };
  store.append(made.run_id, { seq: 1, event: usage });
  await store.commit();
  assert.equal(json('costs', 'free')['totals'], { tokens: 6, cost_usd: null, messages: 0, cost_complete: false });
  const report = json('report', 'free');
  assert.equal([report['total_cost_usd'], report['cost_complete']], [null, false]);
});

test.run();
