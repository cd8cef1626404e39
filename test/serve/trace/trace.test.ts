import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../../src/contract/event.js';
import type { StartTurn } from '../../../src/runs/plan.js';
import { readPair } from '../../../src/serve/trace/pair.js';
import { recorder } from '../../../src/serve/trace/recorder.js';
import { replayTrace } from '../../../src/serve/trace/replay.js';
import { begins, done, type Stage, says, stage } from '../../runs/fake-turn.js';
import { talk } from '../ops/talk.js';

const folder = mkdtempSync(join(tmpdir(), 'trace-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const NONE = { secrets: [], cwd: folder, complain: () => {} };
let files = 0;
const fresh = () => join(folder, 'new', `${files++}.ndjson`);

let clock = 0;
/** A runtime whose pid and durations differ each time, and that says what it is told to. */
const speaks =
  (more: readonly Event[] = []): StartTurn =>
  (plan, emit, session) => {
    const events: Event[] = [
      begins(++clock),
      { v: 1, type: 'session', session_id: session },
      says(plan.request.prompt),
      ...more,
      done(0, ++clock),
    ];
    const over = (async () => {
      for (const event of events) {
        await new Promise((resolve) => setImmediate(resolve));
        emit(event);
      }
      return 0;
    })();
    const nothing = () => {};
    return { frame: nothing, stdinClosed: nothing, cancel: nothing, pause: nothing, resume: nothing, done: over };
  };

const exec = { op: 'exec', runtime: 'test', prompt: 'hello', cwd: '/' };

async function recorded(path: string, requests: Parameters<ReturnType<typeof talk>['send']>, secrets: string[] = []) {
  const tracer = recorder(path, { secrets, cwd: folder, complain: () => {} });
  const { send, one } = talk({ stage: stage({ start: speaks(), cwd: folder }), trace: tracer.session() });
  await send(...requests);
  await one.end();
  tracer.close();
}

async function replayed(path: string, on: Stage = stage({ start: speaks() })): Promise<{ code: number; told: string }> {
  const told: string[] = [];
  const code = await replayTrace(path, on.core, [], (text) => told.push(text));
  return { code, told: told.join('\n') };
}

test('a session is the same to the byte when it is played again: ids, times and pids are given back', async () => {
  const path = fresh();
  const more = { op: 'exec', prompt: 'more', session: 'last' };
  await recorded(path, [exec, { op: 'runs' }, 'nonsense', more, { op: 'sessions' }, { op: 'inspect', view: 'cost' }]);
  await recorded(path, [exec, { op: 'run' }]);
  assert.equal(await replayed(path), { code: 0, told: '8 of 8 answers are the same' });
});

test('a trace is the same in another folder: what names no folder works in the recorded one', async () => {
  const path = fresh();
  const { cwd: _, ...here } = exec;
  await recorded(path, [here, { op: 'run' }]);
  assert.is(readPair(readFileSync(path, 'utf8').split('\n')[0] ?? '')?.cwd, folder);
  const elsewhere = stage({ start: speaks(), cwd: tmpdir() });
  assert.equal(await replayed(path, elsewhere), { code: 0, told: '2 of 2 answers are the same' });
});

test('a pair is one private line with the request as it was', async () => {
  const path = fresh();
  await recorded(path, [` ${JSON.stringify(exec)} `]);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.is(lines.length, 1);
  const pair = readPair(lines[0] ?? '');
  assert.is(pair?.request, JSON.stringify(exec));
  assert.match(pair?.response ?? '', /\{"kind":"done","exit_code":0\}\n$/);
  if (process.platform !== 'win32') assert.is(statSync(path).mode & 0o777, 0o600);
});

test('a file that others could read before is made private; a device keeps its mode', () => {
  if (process.platform === 'win32') return console.log('SKIPPED: there are no such modes');
  const path = join(folder, 'open.ndjson');
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  recorder(path, NONE).close();
  assert.is(statSync(path).mode & 0o777, 0o600);
  const before = statSync('/dev/null').mode;
  recorder('/dev/null', NONE).close();
  assert.is(statSync('/dev/null').mode, before);
});

test('drift is told with the line and the place', async () => {
  const path = fresh();
  await recorded(path, [exec, { op: 'ping' }]);
  const { code, told } = await replayed(path, stage({ start: speaks([says('something new')]) }));
  assert.is(code, 1);
  assert.match(told, /line 1: \{"op":"exec"/);
  assert.match(told, /now: .*something new/);
  assert.match(told, '1 of 2 answers are the same');
});

test('pairs of another program without our keys are played one after another', async () => {
  const path = join(folder, 'plain.ndjson');
  const answer = '{"kind":"result","op":"ping","ok":true}\n{"kind":"done","exit_code":0}\n';
  writeFileSync(path, `${JSON.stringify({ request: '{"op":"ping"}', response: answer })}\n\n`);
  assert.is((await replayed(path)).code, 0);
});

test('what can not be read is 2', async () => {
  const path = join(folder, 'bad.ndjson');
  for (const text of ['nonsense\n', '{"request":"x"}\n', '{"request":1,"response":"x"}\n']) {
    writeFileSync(path, text);
    const { code, told } = await replayed(path);
    assert.is(code, 2);
    assert.match(told, 'line 1');
  }
  assert.is((await replayed(join(folder, 'missing'))).code, 2);
});

test('no credential is written', async () => {
  const path = fresh();
  const key = 'very-private-value-1';
  const request = { ...exec, env: { MY_API_KEY: key }, prompt: `say ${key} and ours-12345678` };
  await recorded(path, [request], ['ours-12345678']);
  const text = readFileSync(path, 'utf8');
  assert.not.match(text, key);
  assert.not.match(text, 'ours-12345678');
});

test('a trace that can not be written stops nothing', async () => {
  if (process.platform !== 'linux') return console.log('SKIPPED: there is no /dev/full here');
  const told: string[] = [];
  const tracer = recorder('/dev/full', { ...NONE, complain: (message) => told.push(message) });
  const { send, lines } = talk({ trace: tracer.session() });
  await send({ op: 'ping' }, { op: 'ping' });
  assert.is(lines.length, 4);
  assert.is(told.length, 1);
});

test.run();
