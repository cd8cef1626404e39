import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { byId } from '../../src/registry/registry.js';
import type { Query, SessionFiles } from '../../src/runner/listing.js';

function runnerOf(id: string) {
  const runner = byId(id);
  if (!runner) throw new Error(`no runner ${id}`);
  return runner;
}
function ask<Entry>(query: Query<Entry> | undefined, lines: readonly object[] | string) {
  if (!query) throw new Error('it lists nothing');
  const texts = typeof lines === 'string' ? lines.split('\n') : lines.map((line) => JSON.stringify(line));
  return { early: query.read(texts, false), end: query.read(texts, true) };
}
function filesOf(id: string, cwd: string): SessionFiles {
  const source = runnerOf(id).sessions?.(cwd);
  if (!source || !('files' in source)) throw new Error(`${id} keeps no files`);
  return source.files;
}

const reply = (models: unknown[]) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: 'turnout-models', response: { models } },
});

test('claude: models come with the answer to the first request, as 2.1.332 prints them', () => {
  const lines = [
    { type: 'system', subtype: 'hello' },
    reply([
      {
        value: 'default',
        resolvedModel: 'claude-opus-5-5',
        displayName: 'Default',
        supportedEffortLevels: ['low', 'ultra', 'max'],
      },
      { value: 'haiku', resolvedModel: 'claude-haiku-5-5' },
      { label: 'no id' },
    ]),
  ];
  const { early } = ask(runnerOf('claude').models, lines);
  assert.equal(early, [
    { id: 'default', resolved_id: 'claude-opus-5-5', label: 'Default', default: true, effort_levels: ['low', 'max'] },
    { id: 'haiku', resolved_id: 'claude-haiku-5-5' },
  ]);
  assert.is(ask(runnerOf('claude').models, [{ type: 'system' }]).end, null, 'no answer is no empty list');
});

test('claude: a session file is told by its first own prompt; files without a message are none', () => {
  const files = filesOf('claude', '/home/me/a_b.c');
  assert.equal(files.folders.at(-1), '~/.claude/projects/-home-me-a-b-c');
  const id = 'bc3acd39-5e9e-4d3c-ac42-2ee3ff8a6946';
  assert.ok(files.name.test(`${id}.jsonl`));
  assert.not.ok(files.name.test('agent-1.jsonl'));
  const user = (text: string, more = {}) => ({
    type: 'user',
    cwd: '/p',
    message: { role: 'user', content: [{ type: 'text', text }] },
    ...more,
  });
  const text = [
    { type: 'queue-operation' },
    user('of a helper', { isSidechain: true }),
    user('fix it'),
    user('and this'),
  ];
  const read = (lines: readonly object[]) =>
    files.read(`${id}.jsonl`, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"cut`);
  assert.equal(read(text), { id, title: 'fix it', cwd: '/p' });
  assert.is(read([{ type: 'queue-operation' }]), null);
});

test('codex: models and threads come from the app server, hidden ones are left out', () => {
  const handshake = { id: 1, result: { userAgent: 'x' } };
  const data = [
    {
      id: 'gpt-a',
      displayName: 'A',
      isDefault: true,
      hidden: false,
      supportedReasoningEfforts: [{ reasoningEffort: 'low' }, { reasoningEffort: 'ultra' }],
    },
    { id: 'gpt-b', hidden: true },
  ];
  const { early } = ask(runnerOf('codex').models, [handshake, { id: 2, result: { data } }]);
  assert.equal(early, [{ id: 'gpt-a', label: 'A', default: true, effort_levels: ['low'] }]);
  assert.is(ask(runnerOf('codex').models, [handshake, { id: 2, error: { code: -1 } }]).end, null);
  const source = runnerOf('codex').sessions?.('/p');
  assert.ok(source && 'ask' in source);
  assert.match(source.ask.say?.at(-1) ?? '', '"cwd":"/p"');
  const threads = [{ id: 't1', preview: 'fix it', name: null, cwd: '/p', createdAt: 1, updatedAt: 1796039112 }];
  assert.equal(source.ask.read([JSON.stringify({ id: 2, result: { data: threads } })], false), [
    { id: 't1', title: 'fix it', time: 1796039112000, cwd: '/p' },
  ]);
});

test('opencode: models are lines, sessions one document, and nothing printed is an empty list', () => {
  const { early, end } = ask(runnerOf('opencode').models, 'opencode/big-pickle\nsome warning here\nmock/mock-model');
  assert.is(early, null);
  assert.equal(end, [{ id: 'opencode/big-pickle' }, { id: 'mock/mock-model' }]);
  const source = runnerOf('opencode').sessions?.('/p');
  assert.ok(source && 'ask' in source);
  const document = JSON.stringify([{ id: 'ses_1', title: 'T', updated: 5, created: 4, directory: '/p' }], null, 2);
  assert.equal(source.ask.read(document.split('\n'), true), [{ id: 'ses_1', title: 'T', time: 5, cwd: '/p' }]);
  assert.equal(source.ask.read([], true), []);
  assert.is(source.ask.read(['Error: x'], true), null);
});

test.run();
