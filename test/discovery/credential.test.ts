/** What a program will log in with, from a home that is laid out for it. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import codex from '../../runners/codex/index.js';
import demo from '../../runners/demo/index.js';
import gemini from '../../runners/gemini/index.js';
import opencode from '../../runners/opencode.js';
import { credentialOf, credentials, strayKey } from '../../src/discovery/credential.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-credential-'));
const put = (path: string, text: string) => {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const places = (env: Record<string, string>, at = home, platform: NodeJS.Platform = 'linux') => ({
  env,
  home: at,
  platform,
  cwd: '/',
});

test('nothing is none, but on a machine with a keychain it is unknown', async () => {
  assert.equal(await credentialOf(claude, places({}, '/nowhere')), { kind: 'none' });
  assert.equal(await credentialOf(claude, places({}, '/nowhere', 'darwin')), { kind: 'unknown' });
  assert.equal(await credentialOf(opencode, places({}, '/nowhere')), { kind: 'unknown' });
  assert.equal(await credentialOf(demo, places({}, '/nowhere')), { kind: 'none' });
});

test('claude: a cloud outranks a key, a key outranks the login, an empty key is off', async () => {
  const login = put('.claude/.credentials.json', '{"claudeAiOauth":{"accessToken":"secret-token"}}');
  assert.equal(await credentialOf(claude, places({})), { kind: 'login', source: login });
  assert.equal(await credentialOf(claude, places({ ANTHROPIC_API_KEY: 'secret' })), {
    kind: 'api_key',
    source: 'ANTHROPIC_API_KEY',
  });
  assert.equal(await credentialOf(claude, places({ ANTHROPIC_API_KEY: '' })), { kind: 'login', source: login });
  const cloud = await credentialOf(claude, places({ CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: 'secret' }));
  assert.is(cloud.kind, 'cloud');
  assert.is((await credentialOf(claude, places({ CLAUDE_CONFIG_DIR: '/elsewhere' }))).kind, 'none');
});

test('a key that outranks a login is named, a key alone is not', async () => {
  const both = await credentials(claude, places({ ANTHROPIC_API_KEY: 'secret' }));
  assert.is(strayKey(both)?.key, 'ANTHROPIC_API_KEY');
  assert.is(strayKey(await credentials(claude, places({ ANTHROPIC_API_KEY: 'secret' }, '/nowhere'))), null);
  assert.not.match(JSON.stringify(both), 'secret');
});

test('nothing was found, but a configuration may name a provider with a key of its own', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'turnout-credential-'));
  assert.is((await credentialOf(codex, places({}, empty))).kind, 'none');
  mkdirSync(join(empty, '.codex'));
  writeFileSync(join(empty, '.codex', 'config.toml'), 'model_provider = "mine"\n');
  assert.is((await credentialOf(codex, places({}, empty))).kind, 'unknown');
  rmSync(empty, { recursive: true });
});

test('codex: what its login file holds decides', async () => {
  put('.codex/auth.json', '{"OPENAI_API_KEY":"sk-secret","tokens":null}');
  assert.is((await credentialOf(codex, places({}))).kind, 'api_key');
  put('.codex/auth.json', '{"OPENAI_API_KEY":null,"tokens":{"access_token":"secret"}}');
  assert.is((await credentialOf(codex, places({}))).kind, 'login');
  assert.is((await credentialOf(codex, places({ OPENAI_API_KEY: 'x' }))).kind, 'login', 'it does not read that key');
  put('.codex/auth.json', 'not json');
  assert.is((await credentialOf(codex, places({}))).kind, 'none');
});

test('gemini: the choice of its settings comes before variables', async () => {
  put('.gemini/settings.json', '{"security":{"auth":{"selectedType":"oauth-personal"}}}');
  assert.is((await credentialOf(gemini, places({ GEMINI_API_KEY: 'x' }))).kind, 'login');
  assert.is((await credentialOf(gemini, places({ GEMINI_API_KEY: 'x' }, '/nowhere'))).kind, 'api_key');
});

test('a program for any provider: one candidate is told, several are unknown', async () => {
  assert.is((await credentialOf(opencode, places({ OPENAI_API_KEY: 'x' }, '/nowhere'))).kind, 'api_key');
  const several = places({ OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'y' }, '/nowhere');
  assert.equal(await credentialOf(opencode, several), { kind: 'unknown' });
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
