import { pathToFileURL } from 'node:url';
import { RequestError, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../../src/contract/event.js';
import { type Json, TOOL_KINDS } from '../../../src/contract/vocabulary.js';
import { placeOf, readPrompt } from '../../../src/serve/acp/content.js';
import { answer } from '../../../src/serve/acp/ended.js';
import { merged } from '../../../src/serve/acp/history.js';
import { mcpServers } from '../../../src/serve/acp/servers.js';
import { show } from '../../../src/serve/acp/shown.js';
import { fenced, kindFor, showTool } from '../../../src/serve/acp/tool-shown.js';

const done = (
  stop_reason: 'end_turn' | 'max_turns' | 'budget' | 'timeout' | 'cancelled',
): Extract<Event, { type: 'done' }> => ({
  v: 1,
  type: 'done',
  exit_code: 0,
  stop_reason,
  duration_ms: 1,
});

test('every kind of tool has a word of the protocol', () => {
  for (const kind of TOOL_KINDS) assert.ok(kindFor(kind).length > 0, kind);
});

test('an edit is shown as old and new text at an absolute place', () => {
  const shown = showTool('Edit', 'edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }, '/project');
  assert.equal(shown, {
    title: 'Edit src/a.ts',
    kind: 'edit',
    content: [{ type: 'diff', path: '/project/src/a.ts', oldText: 'a', newText: 'b' }],
    locations: [{ path: '/project/src/a.ts' }],
  });
});

test('several edits of one call are several changes', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd' },
  ];
  assert.is(showTool('MultiEdit', 'edit', { file_path: '/a', edits }, '/').content.length, 2);
});

test('a patch is shown by its hunks, with their lines; new and deleted files whole', () => {
  const diff =
    '@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n@@ -40 +41,2 @@\n last\n+more\n\\ No newline at end of file\n';
  const files: Json[] = [
    { file_path: '/p/a', action: 'update', diff },
    { file_path: '/p/new', action: 'add', diff: 'hi\n' },
    { file_path: '/p/old', action: 'delete', diff: 'gone\n' },
    { file_path: '/p/bare', action: 'update' },
  ];
  const shown = showTool('apply_patch', 'patch', { files }, '/p');
  assert.equal(shown.content, [
    { type: 'diff', path: '/p/a', oldText: 'one\ntwo\nthree', newText: 'one\nzwei\nthree' },
    { type: 'diff', path: '/p/a', oldText: 'last', newText: 'last\nmore' },
    { type: 'diff', path: '/p/new', oldText: null, newText: 'hi\n' },
    { type: 'diff', path: '/p/old', oldText: 'gone\n', newText: '' },
  ]);
  assert.equal(shown.locations.slice(0, 3), [
    { path: '/p/a', line: 1 },
    { path: '/p/a', line: 41 },
    { path: '/p/new' },
  ]);
  assert.is(shown.title, 'Edit /p/a, /p/new, /p/old, /p/bare');
});

test('a title is one line, and says so when there is more', () => {
  const title = (command: string) => showTool('Bash', 'shell', { command }, '/').title;
  assert.is(title('ls'), 'ls');
  assert.is(title('\ncat <<EOF\nx\nEOF'), 'cat <<EOF…');
  assert.ok(title('x'.repeat(5000)).length < 300);
  assert.is(showTool('Bash', 'shell', null, '/').title, 'Bash');
});

test('a fence is longer than any in the text', () => {
  assert.is(fenced('ls'), '```console\nls\n```');
  assert.match(fenced('```\n````\n'), /^`````console/);
});

test('a turn ends with the reason of the protocol, or with the error', () => {
  const stop = (reason: Parameters<typeof done>[0], cancelled = false) =>
    answer('run_1', { done: done(reason), error: null }, cancelled).stopReason;
  assert.is(stop('end_turn'), 'end_turn');
  assert.is(stop('max_turns'), 'max_turn_requests');
  assert.is(stop('budget'), 'max_turn_requests');
  assert.is(stop('timeout', true), 'cancelled');
  assert.throws(() => stop('timeout'));
  const error = { v: 1, type: 'error', code: 'auth', message: 'log in', fatal: true, hint: 'x login' } as const;
  try {
    answer('run_1', { done: done('end_turn'), error }, false);
    assert.unreachable();
  } catch (refused) {
    assert.ok(refused instanceof RequestError);
    assert.equal([refused.code, refused.data], [-32000, { code: 'auth', hint: 'x login' }]);
  }
});

test('tokens are told only where both are known', () => {
  const totals = { input_tokens: 5, output_tokens: null, cached_tokens: null, cost_usd: 0.1 };
  const half = answer('run_1', { done: { ...done('end_turn'), totals }, error: null }, false);
  assert.equal([half.usage, half._meta], [undefined, { turnout: { run_id: 'run_1', cost_usd: 0.1 } }]);
  const whole = { ...totals, output_tokens: 2, cached_tokens: 1 };
  assert.equal(answer('r', { done: { ...done('end_turn'), totals: whole }, error: null }, false).usage, {
    totalTokens: 7,
    inputTokens: 4,
    outputTokens: 2,
    cachedReadTokens: 1,
  });
});

test('a file address becomes a path, any other stays', () => {
  const url = pathToFileURL('/tmp/with space.txt').href;
  assert.is(placeOf(`${url}#L10`), '/tmp/with space.txt');
  assert.is(placeOf('https://example.org/a'), 'https://example.org/a');
});

test('a picture is a picture, also as a resource; nothing else that is no text is taken', () => {
  const image = { type: 'image' as const, data: 'AA', mimeType: 'image/png' };
  const blob = (mimeType: string) => ({
    type: 'resource' as const,
    resource: { uri: 'file:///x', blob: 'AA', mimeType },
  });
  const read = readPrompt([image, blob('image/gif')], null);
  assert.equal([read.pictures.length, read.plain, read.text], [2, false, 'See the attached image.']);
  assert.throws(() => readPrompt([image], 'it takes none'), 'it takes none');
  assert.throws(() => readPrompt([blob('application/pdf')], null), 'only text and images');
  assert.throws(() => readPrompt([{ type: 'audio', data: '', mimeType: 'audio/wav' }], null), 'audio');
});

test('MCP servers of all three kinds are those of a turn', () => {
  const pair = [{ name: 'A', value: '1' }];
  assert.equal(
    mcpServers([
      { name: 'a', command: '/x', args: ['y'], env: pair },
      { type: 'http', name: 'b', url: 'http://h/', headers: pair },
      { type: 'sse', name: 'c', url: 'http://s/', headers: [] },
    ]),
    [
      { name: 'a', type: 'stdio', command: '/x', args: ['y'], env: { A: '1' } },
      { name: 'b', type: 'http', url: 'http://h/', headers: { A: '1' } },
      { name: 'c', type: 'sse', url: 'http://s/', headers: {} },
    ],
  );
});

test('a message that was said again is left out where that is known', () => {
  const options = {
    sight: { notices: false, terminals: false, forms: false },
    cwd: '/',
    prefix: 'p',
    replaced: new Set(['m1']),
  };
  const say = (message_id: string): Event => ({ v: 1, type: 'assistant', text: 'x', message_id });
  const shown = show(options);
  assert.equal([...shown.event(say('m1')), ...shown.event(say('m2'))].length, 1);
});

test('deltas of one message become one when they are told again', async () => {
  const out: SessionUpdate[] = [];
  const lines = merged(async (update) => void out.push(update));
  const chunk = (text: string, messageId: string): SessionUpdate => ({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text },
    messageId,
  });
  for (const update of [chunk('a', '1'), chunk('b', '1'), chunk('c', '2')]) await lines.add(update);
  await lines.add({ sessionUpdate: 'plan', entries: [] });
  await lines.flush();
  assert.equal(out, [chunk('ab', '1'), chunk('c', '2'), { sessionUpdate: 'plan', entries: [] }]);
});

test('an editor reads that a tool printed more than is shown', () => {
  const shown = show({ sight: { notices: false, terminals: false, forms: false }, cwd: '/', prefix: 'p' });
  const end = {
    v: 1,
    type: 'tool_activity',
    id: 't',
    phase: 'end',
    name: 'shell',
    duration_ms: 1,
    ok: true,
    output: 'much',
  } as const;
  const rawOutput = (event: Event) => shown.event(event).map((one) => ('rawOutput' in one ? one.rawOutput : null));
  assert.equal(rawOutput({ ...end, output_truncated: true }), [{ output: 'much', output_truncated: true }]);
  assert.equal(rawOutput({ ...end, output_truncated: false }), [{ output: 'much' }]);
});

test.run();
