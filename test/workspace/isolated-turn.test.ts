// limit: 120s
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event, PatchEvent } from '../../src/contract/event.js';
import { runProgram } from '../run-program.js';
import { type User, withUser } from './lay-out.js';

const bin = join(process.env['TURNOUT_ROOT'] ?? '.', 'bin', 'turnout.js');

interface Ran {
  code: number | null;
  out: string;
  err: string;
  events: Event[];
}

function turnout(one: User, args: readonly string[], cwd = one.repo): Ran {
  const ran = runProgram(process.execPath, [bin, ...args], { cwd, env: one.env, input: '' });
  const events = ran.stdout.startsWith('{')
    ? ran.stdout
        .trimEnd()
        .split('\n')
        .map((line): Event => JSON.parse(line))
    : [];
  return { code: ran.status, out: ran.stdout, err: ran.stderr, events };
}

const exec = (one: User, prompt: string, ...more: string[]) =>
  turnout(one, [
    'agent',
    'exec',
    '--runtime',
    'demo',
    '--prompt',
    prompt,
    '--access',
    'edit',
    '--isolate',
    'clone',
    ...more,
  ]);
const patchOf = (ran: Ran): PatchEvent | undefined => ran.events.find((event) => event.type === 'patch');

test('a turn with --isolate changes a copy, reports the patch before the result, and leaves the folder alone', () =>
  withUser(async (one) => {
    const before = one.fingerprint();
    const ran = exec(one, 'write notes.txt Hello');
    assert.is(ran.code, 0, ran.err);
    const types = ran.events.map(({ type }) => type);
    assert.is(types[0], 'start');
    assert.equal(types.slice(-4), ['patch', 'usage', 'result', 'done']);
    const patch = patchOf(ran);
    assert.equal(patch?.files, [{ path: 'notes.txt', status: 'added', added: 1, removed: 0 }]);
    const [start] = ran.events;
    assert.ok(start?.type === 'start' && start.workspace === patch?.workspace && start.cwd.includes('/workspaces/'));
    const { refs: _, ...after } = one.fingerprint();
    const { refs: __, ...was } = before;
    assert.equal(after, was);
    assert.is(turnout(one, ['workspace', 'diff', patch?.workspace ?? '']).out, readFileSync(patch?.path ?? '', 'utf8'));

    const landed = turnout(one, ['workspace', 'land', patch?.workspace ?? '']);
    assert.is(landed.code, 0, landed.err);
    assert.is(landed.out, 'changed notes.txt\n');
    assert.is(one.read('notes.txt'), 'Hello');
    assert.is(one.git('for-each-ref'), before['refs']);
    assert.not.ok(existsSync(start?.type === 'start' ? start.cwd : '/'));
  }));

test('a later turn of the session goes on in its copy, and the patch grows', () =>
  withUser(async (one) => {
    const first = exec(one, 'write one.txt 1');
    const session = first.events.find((event) => event.type === 'session');
    assert.ok(session?.type === 'session');
    const second = exec(one, 'write two.txt 2', '--resume', session.session_id);
    assert.is(patchOf(second)?.workspace, patchOf(first)?.workspace);
    assert.equal(
      patchOf(second)?.files.map(({ path }) => path),
      ['one.txt', 'two.txt'],
    );
  }));

test('a folder that cannot be copied is refused on the stream, and nothing is spawned', () =>
  withUser(async (one) => {
    const empty = join(one.root, 'empty');
    mkdirSync(empty);
    one.gitIn(empty, 'init', '--quiet');
    const ran = exec(one, 'write a.txt 1', '--cwd', empty);
    assert.is(ran.code, 2);
    assert.equal(
      ran.events.map(({ type }) => type),
      ['start', 'error', 'done'],
    );
    assert.ok(ran.events[0]?.type === 'start' && ran.events[0].child_pid === undefined);
    assert.match(ran.events[1]?.type === 'error' ? ran.events[1].message : '', 'no commit yet');
    assert.is(turnout(one, ['workspace', 'list', '--json']).out, '{"v":1,"workspaces":[]}\n');
  }));

test('a cancelled turn still reports what it had changed', () =>
  withUser(async (one) => {
    const args = [
      'agent',
      'exec',
      '--runtime',
      'demo',
      '--prompt',
      'write a.txt 1 then hang',
      '--access',
      'edit',
      '--isolate',
      'clone',
    ];
    const child = spawn(process.execPath, [bin, ...args], { cwd: one.repo, env: one.env });
    let out = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      out += chunk;
      if (out.includes('"phase":"end"') && child.stdin.writable) child.stdin.end('{"v":1,"type":"cancel"}\n');
    }
    const events = out
      .trimEnd()
      .split('\n')
      .map((line): Event => JSON.parse(line));
    const [before] = events.filter(({ type }) => type !== 'usage').slice(-3);
    const start = events[0];
    const workspace = start?.type === 'start' ? (start.workspace ?? '') : '';
    // A machine under load may not get that far in the time a cancel leaves; then the event says how to read it.
    if (before?.type === 'status') assert.match(before.message ?? '', `turnout workspace diff ${workspace}`);
    else assert.is(before?.type, 'patch');
    assert.equal(
      events.slice(-2).map(({ type }) => type),
      ['error', 'done'],
    );
    assert.match(turnout(one, ['workspace', 'diff', workspace]).out, /^\+1$/m);
  }));

test('what works in a copy can tell it from others by its environment', () =>
  withUser(async (one) => {
    const { events } = turnout(one, [
      ...['agent', 'exec', '--runtime', 'demo', '--isolate', 'clone', '--prompt', 'env TURNOUT_WORKSPACE'],
    ]);
    const start = events.find((event) => event.type === 'start');
    const said = events.flatMap((event) => (event.type === 'assistant' ? [event.text] : [])).join('');
    assert.match(said, start?.workspace ?? 'no workspace');
  }));

test.run();
