import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/contract/error.js';
import type { PermissionRequestEvent } from '../../../src/contract/event.js';
import type { Json } from '../../../src/contract/vocabulary.js';
import { CoreError } from '../../../src/runs/failure.js';
import { RequestError } from '../../../src/runs/request-error.js';
import { type Asker, type Call, takesForms } from '../../../src/serve/mcp/call.js';
import { sessionTable } from '../../../src/serve/mcp/http-sessions.js';
import { narrator } from '../../../src/serve/mcp/narrate.js';
import { permissionForm, readAnswer } from '../../../src/serve/mcp/question.js';
import { refusal } from '../../../src/serve/mcp/results.js';
import { allowedModes, defaultMode } from '../../../src/serve/mcp/settings.js';
import { type Waiter, waiting } from '../../../src/serve/mcp/waiting.js';
import { newWatch, type Watch, watchRun } from '../../../src/serve/mcp/watch.js';
import { settled, stage, start, TESTER } from '../../runs/fake-turn.js';

const question: PermissionRequestEvent = {
  v: 1,
  type: 'permission_request',
  id: 'pr_1',
  name: 'Bash',
  kind: 'shell',
  input: { command: 'make deploy' },
  choices: ['allow_once', 'deny'],
};

async function underWay(asker: Asker, signal = new AbortController().signal) {
  const { core, turns, submit } = stage();
  const call: Call = {
    settings: {
      core,
      caller: TESTER,
      runtime: 'test',
      access: 'scoped',
      approvals: 'ask',
      depth: 0,
      maxDepth: 2,
      waiting: waiting(),
      secrets: [],
    },
    signal,
    progress: null,
    asker,
    responses: undefined,
    handle: undefined,
    depth: 0,
  };
  const { run, attendance } = await submit('hello', { attended: true });
  const waiter = (watch: Watch): Waiter => ({ run: run.run_id, attendance, watch });
  return { core, run, waiter, turns, call };
}

test('a run whose caller does not come back with the answer is cancelled, and its handle is worth nothing', async () => {
  const { waiter, turns } = await underWay({ kind: 'retry' });
  await settled();
  const table = waiting(1);
  const handle = table.put(waiter(newWatch(false)));
  assert.ok(table.has(handle));
  while (table.has(handle)) await settled();
  assert.equal(turns[0]?.calls, ['cancel']);
  assert.is(table.take(handle), null);
});

test('a handle leads back once', async () => {
  const { waiter } = await underWay({ kind: 'retry' });
  const table = waiting();
  const watch = newWatch(true);
  const handle = table.put(waiter(watch));
  assert.is(table.take(handle)?.watch, watch);
  assert.is(table.take(handle), null);
});

test('a caller that must come back gets the question, and the run is left as it is', async () => {
  const { waiter, turns, call } = await underWay({ kind: 'retry' });
  const watch = newWatch(false);
  const watched = watchRun(waiter(watch), call);
  await settled();
  turns[0]?.emit(start);
  turns[0]?.emit(question);
  assert.equal(await watched, [question]);
  assert.is(watch.after, 2);
  assert.equal([turns[0]?.calls, turns[0]?.frames], [[], []]);
});

test('a question that can not be put to the person is denied with the reason', async () => {
  const { waiter, turns, call } = await underWay({ kind: 'push', ask: () => Promise.reject(new Error('no window')) });
  const watched = watchRun(waiter(newWatch(false)), call);
  await settled();
  turns[0]?.emit(start);
  turns[0]?.emit(question);
  while (turns[0]?.frames.length === 0) await settled();
  assert.equal(turns[0]?.frames, [
    {
      type: 'permission_result',
      id: 'pr_1',
      choice: 'deny',
      message: 'the question could not be put to the person: no window',
    },
  ]);
  turns[0]?.end();
  assert.is(await watched, null);
});

test('a caller that leaves cancels the run, also one that has left before', async () => {
  const left = new AbortController();
  const { waiter, turns, call } = await underWay({ kind: 'none' }, left.signal);
  const watched = watchRun(waiter(newWatch(false)), call);
  await settled();
  left.abort();
  assert.equal(turns[0]?.calls, ['cancel']);
  turns[0]?.end(130);
  assert.is(await watched, null);
  const gone = await underWay({ kind: 'none' }, AbortSignal.abort());
  const ending = watchRun(gone.waiter(newWatch(false)), gone.call);
  await settled();
  gone.turns[0]?.end(130);
  assert.is(await ending, null);
  assert.is((await gone.core.runs.get(gone.run.run_id, TESTER)).run.status, 'cancelled');
});

test('anything but a clear yes is a no', () => {
  assert.equal(readAnswer('accept', { choice: 'allow_once' }), { choice: 'allow_once' });
  for (const content of [undefined, null, {}, { choice: 'yes' }, { choice: ['allow_once'] }, 'allow_once'])
    assert.is(readAnswer('accept', content).choice, 'deny');
  assert.is(readAnswer('decline', { choice: 'allow_once' }).choice, 'deny');
  assert.is(readAnswer('cancel', undefined).choice, 'deny');
});

test('the form offers only what may be chosen and says when a command is cut', () => {
  const form = permissionForm(
    { ...question, input: { command: 'x'.repeat(5000) } },
    { runtime: 'test', cwd: '/project' },
  );
  assert.equal(form.requestedSchema.properties['choice'], {
    type: 'string',
    title: 'Answer',
    enum: ['allow_once', 'deny'],
    enumNames: ['Allow this once', 'Deny'],
  });
  assert.match(form.message, '(3000 more characters)');
});

test('a client shows forms unless it names URLs alone', () => {
  const said = [{ elicitation: {} }, { elicitation: { form: {} } }, { elicitation: { form: {}, url: {} } }];
  for (const one of said) assert.ok(takesForms(one), JSON.stringify(one));
  for (const one of [undefined, null, {}, { elicitation: { url: {} } }, { elicitation: null }])
    assert.not.ok(takesForms(one), JSON.stringify(one));
});

test('faults have a code and hold no secret', () => {
  const told = (error: unknown): Json => {
    const [block] = refusal(error, ['hunter2-hunter2']).content;
    return block?.type === 'text' ? JSON.parse(block.text) : null;
  };
  assert.equal(told(new RequestError('prompt is missing')), { ok: false, error: 'prompt is missing', code: 'usage' });
  assert.equal(told(new UsageError('budget_usd: expected', { path: 'budget_usd', rule: 'range' })), {
    ok: false,
    error: 'budget_usd: expected',
    code: 'usage',
    path: 'budget_usd',
    rule: 'range',
  });
  assert.equal(told(new CoreError('busy', 'too many')), { ok: false, error: 'too many', code: 'busy' });
  assert.equal(told(new Error('no hunter2-hunter2 here')), {
    ok: false,
    error: 'turnout itself failed: no [redacted] here',
    code: 'runner-error',
  });
});

test('modes go from the tightest up to the one that is allowed', () => {
  assert.equal(allowedModes('read'), ['none', 'read']);
  assert.equal(allowedModes('scoped'), ['scoped', 'none', 'read']);
  assert.equal(allowedModes('full'), ['scoped', 'none', 'read', 'edit', 'full']);
  assert.equal([defaultMode('read'), defaultMode('full')], ['read', 'scoped']);
});

test('text is told as it grows, tools at once, and silence is broken', async () => {
  const told: string[] = [];
  const tells = narrator('/project', (message) => told.push(message));
  tells.hear({ v: 1, type: 'assistant', message_id: 'm1', text: 'Hello ' });
  tells.hear({ v: 1, type: 'assistant', message_id: 'm1', text: 'there' });
  tells.hear({ v: 1, type: 'assistant', message_id: 'sub', text: 'hidden', parent_tool_use_id: 't0' });
  const command = { kind: 'shell', input: { command: 'npm test' }, parent_tool_use_id: null } as const;
  tells.hear({ v: 1, type: 'tool_activity', phase: 'start', id: 't1', name: 'Bash', ...command });
  assert.equal(told, ['starting', 'Hello there', 'shell npm test']);
  while (told.length < 4) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.match(told[3] ?? '', /^shell npm test \(\d+ s\)$/);
  tells.end();
});

test('when there are too many sessions the one that was idle longest goes', async () => {
  const closed: string[] = [];
  const table = sessionTable({ idleMs: 60_000, most: 2 });
  const add = (id: string) =>
    table.put(id, { close: async () => void closed.push(id), handleRequest: async () => new Response() });
  add('a');
  add('b');
  table.use('a', () => {});
  add('c');
  assert.equal(closed, ['b']);
  table.drop('b');
  assert.is(table.get('b'), null);
  await table.close();
  assert.equal(closed, ['b', 'a', 'c']);
});

test.run();
