// limit: 120s
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFromRemote } from '../../src/workspace/create.js';
import { landWorkspace } from '../../src/workspace/land.js';
import { placesOf } from '../../src/workspace/paths.js';
import { place, run } from '../contract/cli.js';
import { type User, withUser } from './lay-out.js';
import { fails } from './made.js';

const exec = async (one: User, args: readonly string[]) => {
  const where = { ...place(), cwd: one.root };
  const running = run(['agent', 'exec', '--runtime', 'demo', ...args], { place: where, stdin: 'closed' });
  const { code, events } = await running.ended;
  const last = (type: string) => events.findLast((event) => event['type'] === type);
  return { code, start: last('start'), patch: last('patch'), error: last('error'), where };
};

test('a turn works at a branch of a repository elsewhere, and gives its change back as a patch', () =>
  withUser(async (one) => {
    one.git('branch', 'other');
    one.git('checkout', '--quiet', '-b', 'third');
    one.write('third.txt', 'third\n');
    one.git('add', 'third.txt');
    one.git('commit', '--quiet', '-m', 'third');
    const before = one.fingerprint();
    const write = ['--prompt', 'write made.txt hello', '--access', 'edit'];
    const ran = await exec(one, [...write, '--workspace', `${one.repo}#third`]);
    assert.is(ran.code, 0, JSON.stringify(ran.error));
    const copy = String(ran.start?.['cwd']);
    assert.equal([existsSync(join(copy, 'third.txt')), existsSync(join(copy, 'src/a.txt'))], [true, true]);
    assert.match(readFileSync(String(ran.patch?.['path']), 'utf8'), '+++ b/made.txt');
    assert.is(ran.patch?.['base'], one.git('rev-parse', 'third').trim());
    const other = await exec(one, [
      ...write,
      '--workspace',
      `file://${one.repo}#${one.git('rev-parse', 'other').trim()}`,
    ]);
    assert.is(other.code, 0, JSON.stringify(other.error));
    assert.not.ok(existsSync(join(String(other.start?.['cwd']), 'third.txt')));
    assert.equal(one.fingerprint(), before);
  }));

test('a repository or a ref that is not there ends the turn in words', () =>
  withUser(async (one) => {
    for (const address of [`${one.root}/nothing`, `${one.repo}#nothing`]) {
      const { code, error, where } = await exec(one, ['--prompt', 'hi', '--workspace', address]);
      assert.equal([code, error?.['code']], [1, 'runner-error']);
      assert.match(String(error?.['message']), /git fetch failed/);
      assert.not.ok(existsSync(join(where.env['XDG_STATE_HOME'] ?? '', 'turnout', 'workspaces')));
    }
  }));

test('the copy holds its commit alone, and lands as a patch only', () =>
  withUser(async (one) => {
    const { record } = await createFromRemote({ git: one.repo }, { env: one.env, now: 1 });
    const { gitDir } = record.repository;
    const refs = one.gitIn(one.root, '--git-dir', gitDir, 'for-each-ref', '--format=%(refname)').trim();
    assert.equal(refs.split('\n'), [`refs/turnout/${record.id}/base`]);
    Object.assign(record, { state: 'kept', change: { commit: record.base, files: [], digest: '', truncated: false } });
    await fails('unsupported', landWorkspace(record, { form: 'apply', env: one.env, now: 2 }));
    assert.ok(existsSync(placesOf(record.id, one.env).tree));
  }));

test.run();
