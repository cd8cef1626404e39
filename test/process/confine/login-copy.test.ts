import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyLogin, isRefresh } from '../../../src/process/confine/login-copy.js';
import { until } from '../survivors.js';

interface World {
  original: string;
  copy: string;
  folder: string;
}

const test = suite<World>('copy of a login');
const LOGIN = { account_id: 'a1', tokens: { access_token: 'old', refresh_token: 'r1', expires_at: 1 } };
const fresh = { account_id: 'a1', tokens: { access_token: 'new', refresh_token: 'r2', expires_at: 2 } };

test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'turnout-login-'));
  mkdirSync(join(world.folder, 'inside'));
  world.original = join(world.folder, 'auth.json');
  world.copy = join(world.folder, 'inside', 'auth.json');
  writeFileSync(world.original, JSON.stringify(LOGIN), { mode: 0o600 });
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

const kept = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test('new tokens come back at once, written in place', async ({ original, copy }) => {
  const login = await copyLogin(original, copy);
  writeFileSync(copy, JSON.stringify(fresh));
  // Without the end of the turn: ours may be sudden.
  await until('the new tokens are there', () => readFileSync(original, 'utf8').includes('r2'));
  assert.equal(await login.bringBack(), null);
  assert.equal(kept(original), fresh);
  assert.is(statSync(original).mode & 0o777, 0o600);
  login.close();
});

test('new tokens come back when the file is replaced by another', async ({ original, copy, folder }) => {
  const login = await copyLogin(original, copy);
  writeFileSync(`${copy}.tmp`, JSON.stringify(fresh));
  renameSync(`${copy}.tmp`, copy);
  assert.equal(await login.bringBack(), null);
  assert.equal(kept(original), fresh);
  const again = { ...fresh, tokens: { ...fresh.tokens, refresh_token: 'r3' } };
  writeFileSync(copy, JSON.stringify(again));
  assert.equal(await login.bringBack(), null);
  assert.equal(kept(original), again);
  login.close();
  assert.ok(folder);
});

for (const [name, changed] of [
  ['another account', { ...fresh, account_id: 'b2' }],
  ['a new field', { ...fresh, base_url: 'http://elsewhere' }],
  ['a field that is gone', { account_id: 'a1' }],
  ['an address for a token', { ...fresh, tokens: { ...fresh.tokens, access_token: 'https://elsewhere' } }],
] as const) {
  test(`${name} is no refresh: the file stays as it was, and the reason is told`, async ({ original, copy }) => {
    const login = await copyLogin(original, copy);
    writeFileSync(copy, JSON.stringify(changed));
    assert.match((await login.bringBack()) ?? '', /more than its tokens/);
    assert.equal(kept(original), LOGIN);
    login.close();
  });
}

test('a file half written, emptied or gone takes nothing away', async ({ original, copy }) => {
  const login = await copyLogin(original, copy);
  for (const text of ['', '{"account_id":"a1","tok']) {
    writeFileSync(copy, text);
    assert.equal(await login.bringBack(), null);
    assert.equal(kept(original), LOGIN);
  }
  rmSync(copy);
  assert.equal(await login.bringBack(), null);
  assert.equal(kept(original), LOGIN);
  login.close();
});

test('a login that somebody else renewed meanwhile is not overwritten', async ({ original, copy }) => {
  const login = await copyLogin(original, copy);
  const theirs = { ...LOGIN, tokens: { ...LOGIN.tokens, refresh_token: 'theirs' } };
  writeFileSync(original, JSON.stringify(theirs));
  writeFileSync(copy, JSON.stringify(fresh));
  assert.match((await login.bringBack()) ?? '', /meanwhile/);
  assert.equal(kept(original), theirs);
  login.close();
});

test('tokens are known by the names that programs give them', () => {
  const opencode = (access: string) => ({ anthropic: { type: 'oauth', refresh: 'r', access, expires: 1 } });
  assert.ok(isRefresh(opencode('one'), opencode('two')));
});

test('where a token is asked for is no part of a refresh', () => {
  assert.not.ok(isRefresh({ token_url: 'a' }, { token_url: 'b' }));
  assert.not.ok(isRefresh({ token_host: 'a' }, { token_host: 'b' }));
  assert.ok(isRefresh({ expires: 1 }, { expires: 2 }));
});

test.run();
