// limit: 120s
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event, StartEvent } from '../../src/contract/event.js';
import { execTurn } from '../../src/exec/exec-turn.js';
import { recordingFile } from '../../src/exec/recording-file.js';
import { replayFile } from '../../src/exec/replay-file.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { type WarmPool, warmPool } from '../../src/session/pool.js';
import type { Turn } from '../../src/turn/loop.js';
import { request } from '../runners/drive.js';

const test = suite('turns of one session on one program');
const folder = mkdtempSync(join(tmpdir(), 'turnout-warm-'));
const turnout = [process.execPath, join(process.cwd(), 'bin/turnout.js')];
const ambient = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder };
const NO_LIMITS = { timeoutMs: 0, idleMs: 0, startupMs: null };

interface Ended {
  events: Event[];
  code: number;
  start: StartEvent;
  session: string;
  text: string;
}

interface Begun {
  turn: Turn;
  events: Event[];
  ended: Promise<Ended>;
}

function begin(pool: WarmPool, what: Partial<TurnRequest>, record?: string): Begun {
  const events: Event[] = [];
  const file = record === undefined ? null : recordingFile(record, NO_LIMITS, (text) => text, assert.unreachable);
  const turn = execTurn({
    request: request({ runtime: 'demo', cwd: folder, ...what }),
    limits: NO_LIMITS,
    env: {},
    ambient,
    allowRoot: false,
    turnout,
    version: '0',
    keeper: pool,
    emit: (event) => events.push(event),
    ...file?.hooks,
  });
  const ended = turn.done.then((code): Ended => {
    file?.close();
    const start = events.find((event) => event.type === 'start');
    const session = events.find((event) => event.type === 'session');
    const result = events.find((event) => event.type === 'result');
    assert.ok(start, JSON.stringify(events));
    return { events, code, start, session: session?.session_id ?? '', text: result?.text ?? '' };
  });
  return { turn, events, ended };
}

const run = (pool: WarmPool, what: Partial<TurnRequest>, record?: string): Promise<Ended> =>
  begin(pool, what, record).ended;

const isAlive = (pid: number | undefined): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
};
async function until(fits: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !fits(); ) {
    assert.ok(Date.now() < end, 'it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a second prompt goes to the same program, with one start and one done each', async () => {
  const pool = warmPool();
  const first = await run(pool, { prompt: 'say one' });
  assert.is(first.code, 0);
  assert.is(first.start.warm, undefined);
  assert.is(pool.idle(), 1);
  const second = await run(pool, { prompt: 'remember', resume: first.session });
  assert.is(second.code, 0);
  assert.is(second.start.warm, true);
  assert.is(second.start.child_pid, first.start.child_pid);
  assert.match(second.text, 'say one');
  assert.is(second.events[0]?.type, 'start');
  assert.is(second.events.at(-1)?.type, 'done');
  assert.is(second.events.filter(({ type }) => type === 'start' || type === 'done' || type === 'session').length, 3);
  await pool.close();
  assert.not(isAlive(first.start.child_pid));
});

test('what a live program can not change replaces it', async () => {
  const pool = warmPool();
  const first = await run(pool, { prompt: 'say one' });
  const second = await run(pool, { prompt: 'remember', resume: first.session, access: 'read' });
  assert.is(second.start.warm, undefined);
  assert.is.not(second.start.child_pid, first.start.child_pid);
  assert.not(isAlive(first.start.child_pid));
  assert.match(second.text, 'say one');
  await pool.close();
});

test('a program that died between two turns is replaced without a word', async () => {
  const pool = warmPool();
  const first = await run(pool, { prompt: 'say one' });
  process.kill(first.start.child_pid ?? 0, 'SIGKILL');
  // At once, so that its death may be heard before the prompt or after it.
  const second = await run(pool, { prompt: 'remember', resume: first.session });
  assert.is(second.code, 0, JSON.stringify(second.events));
  assert.match(second.text, 'say one');
  const third = await run(pool, { prompt: 'say three', resume: first.session });
  assert.is(third.code, 0);
  await pool.close();
});

test('a cancelled turn leaves its program to the next one', async () => {
  const pool = warmPool();
  const first = await run(pool, { prompt: 'say one' });
  const second = begin(pool, { prompt: 'slow 600', resume: first.session });
  await until(() => second.events.some(({ type }) => type === 'assistant'));
  second.turn.cancel();
  assert.is((await second.ended).code, 130);
  const third = await run(pool, { prompt: 'say three', resume: first.session });
  assert.is(third.start.child_pid, first.start.child_pid);
  assert.is(third.text, 'three');
  await pool.close();
});

test('a program that broke, or ran into a limit, is not trusted again', async () => {
  const pool = warmPool();
  const broken = await run(pool, { prompt: 'crash' });
  assert.is(broken.code, 1);
  const refused = await run(pool, { prompt: 'auth' });
  assert.is(refused.code, 1);
  assert.is(pool.idle(), 0);
  assert.not(isAlive(refused.start.child_pid));
});

test('an idle program ends when its time is over', async () => {
  const pool = warmPool({ idleMs: 20 });
  const { start } = await run(pool, { prompt: 'say one' });
  await until(() => !isAlive(start.child_pid));
  assert.is(pool.idle(), 0);
});

test('of too many idle programs the one that was used least recently ends', async () => {
  const pool = warmPool({ most: 1 });
  const first = await run(pool, { prompt: 'say one' });
  const second = await run(pool, { prompt: 'say two' });
  assert.is(pool.idle(), 1);
  await until(() => !isAlive(first.start.child_pid));
  assert.ok(isAlive(second.start.child_pid));
  await pool.close();
  assert.not(isAlive(second.start.child_pid));
});

test('a closed pool keeps nothing, also of a turn that was under way', async () => {
  const pool = warmPool();
  const turn = begin(pool, { prompt: 'slow 3' });
  await until(() => turn.events.some(({ type }) => type === 'assistant'));
  await pool.close();
  const { start, code } = await turn.ended;
  assert.is(code, 0);
  assert.not(isAlive(start.child_pid));
});

test('a recording holds several turns of one program, and each can be replayed', async () => {
  const pool = warmPool();
  const path = join(folder, 'session.ndjson');
  const first = await run(pool, { prompt: 'say one' }, path);
  await run(pool, { prompt: 'think', resume: first.session }, path);
  await pool.close();
  const turns = await replayFile(readFileSync(path, 'utf8'));
  assert.equal(
    turns.map(({ report }) => report),
    [null, null],
  );
  assert.ok(turns[1]?.recording.entries.some(({ k }) => k === 'living'));
});

test.after(() => rmSync(folder, { recursive: true, force: true }));
test.run();
