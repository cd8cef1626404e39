// limit: 120s
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER } from '../../src/contract/principal.js';
import { runners } from '../../src/registry/registry.js';
import { type Core, createCore } from '../../src/runs/core.js';
import type { Caller, Conversation } from '../../src/runs/ports.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { isAlive, until } from '../process/survivors.js';
import { request } from '../runners/drive.js';

const test = suite('programs that stay alive between runs');
const folder = mkdtempSync(join(tmpdir(), 'turnout-warm-runs-'));
const caller: Caller = { principal: OWNER, surface: 'test' };

const open = (): Core =>
  createCore({
    store: memoryStore(),
    runners,
    ambient: { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder },
    cwd: folder,
    turnout: [process.execPath, join(process.cwd(), 'bin/turnout.js')],
    version: '0',
  });

async function turn(core: Core, prompt: string, conversation: Conversation, goesOn = false) {
  const plan = {
    request: request({ runtime: 'demo', cwd: folder, prompt }),
    limits: { timeoutMs: 0, idleMs: 0, startupMs: null },
    env: {},
    allowRoot: false,
    ...(goesOn ? { goesOn: true as const } : {}),
  };
  const { run } = await core.runs.start({ caller, plan, conversation, attended: false });
  const ended = await core.runs.ended(run.run_id, caller);
  const { entries } = await core.log.page(run.run_id, 0, { entries: 1, size: 100_000 }, caller);
  const start = entries[0]?.event;
  assert.is(start?.type, 'start');
  if (start?.type !== 'start') throw new Error('no start');
  return { session: run.session_id, status: ended.status, pid: start.child_pid ?? 0, warm: start.warm === true };
}

test('a single turn keeps nothing; a session that goes on keeps its program until it is removed', async () => {
  const core = open();
  const first = await turn(core, 'say one', { kind: 'new' });
  assert.not(isAlive(first.pid));
  const again: Conversation = { kind: 'continue', id: first.session };
  const second = await turn(core, 'say two', again);
  const third = await turn(core, 'remember', again);
  assert.equal([second.warm, third.warm], [false, true]);
  assert.is(third.pid, second.pid);
  await core.sessions.remove(first.session, caller);
  assert.not(isAlive(second.pid));
  await core.drain();
});

test('a session of an editor keeps its program from the first turn on, and none is left after the end', async () => {
  const core = open();
  const { pid, session } = await turn(core, 'say one', { kind: 'new' }, true);
  assert.ok(isAlive(pid));
  const record = await core.sessions.get(session, caller);
  assert.ok(record);
  await core.letGo(record);
  assert.not(isAlive(pid));
  const next = await turn(core, 'remember', { kind: 'continue', id: session }, true);
  assert.is(next.status, 'completed');
  await core.drain();
  await until('the program is gone', () => !isAlive(next.pid));
});

test.after(() => rmSync(folder, { recursive: true, force: true }));
test.run();
