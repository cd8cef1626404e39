import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PermissionRequestEvent } from '../../../src/contract/event.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { at } from '../../../src/text/json.js';
import { done, says, settled, start } from '../../runs/fake-turn.js';
import { json } from '../listen/raw.js';
import { get, linesUntil, type PageSite, pageSite, post, type Sent, shut, visit } from './visitor.js';

const test = suite('the page: what it is given');
let page: PageSite;
let me: Sent;
test.before.each(async () => {
  page = await pageSite();
  me = await visit(page);
});
test.after.each(() => shut(page));

const question: PermissionRequestEvent = {
  v: 1,
  type: 'permission_request',
  id: 'pr_1',
  name: 'bash',
  kind: 'shell',
  input: { command: 'make deploy' },
  choices: ['allow_once', 'deny'],
};

/** Bounded by the limit of the whole file. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function begun(body: JsonObject = {}): Promise<string> {
  const response = await post(page, '/page/turns', { prompt: 'hello', runtime: 'test', ...body }, me);
  assert.is(response.status, 200);
  await settled();
  return String((await json(response))['run_id']);
}

const statusOf = (line: JsonObject) => at(line, 'run', 'status');

test('the feed begins with the runs there are and goes on with every change', async () => {
  const first = await begun();
  const lines = await linesUntil(await get(page, '/page/watch', me), (line) => {
    if (line['runs']) page.on.turns[0]?.emit(question);
    return statusOf(line) === 'waiting_for_approval';
  });
  assert.is(at(lines[0], 'runs', 0, 'run_id'), first);
  const last = lines.at(-1);
  assert.is(at(last, 'run', 'questions', 0, 'id'), 'pr_1');
  assert.type(last?.['position'], 'number');
});

test('a feed that comes back with its position misses no change and gets no list', async () => {
  const first = await begun();
  const seen = await linesUntil(await get(page, '/page/watch', me), (line) => {
    if (line['runs']) page.on.turns[0]?.emit(question);
    return line['position'] !== undefined;
  });
  const position = seen.at(-1)?.['position'];
  page.on.turns[0]?.end();
  const second = await begun();
  const wanted = new Set([first, second]);
  const lines = await linesUntil(await get(page, `/page/watch?after=${position}`, me), (line) => {
    wanted.delete(String(at(line, 'run', 'run_id')));
    return wanted.size === 0;
  });
  assert.is(
    lines.some((line) => line['runs'] !== undefined),
    false,
  );
});

test('the events of a run come from any number on, and end with it', async () => {
  const run = await begun();
  const [turn] = page.on.turns;
  for (const event of [start, says('one '), says('two'), done()]) turn?.emit(event);
  turn?.end();
  const all = await linesUntil(await get(page, `/page/runs/${run}/events`, me), () => false);
  assert.equal(all.at(-1), { over: true });
  assert.equal(
    all.slice(0, -1).map((line) => line['seq']),
    all.slice(0, -1).map((_, index) => index + 1),
  );
  const rest = await linesUntil(await get(page, `/page/runs/${run}/events?since=2`, me), () => false);
  assert.equal(rest, all.slice(2));
});

test('an unknown run and a number beyond the last have a status of their own', async () => {
  const run = await begun();
  assert.is((await get(page, '/page/runs/none/events', me)).status, 404);
  assert.is((await get(page, `/page/runs/${run}/events?since=99`, me)).status, 400);
  assert.is((await get(page, `/page/runs/${run}/events?since=x`, me)).status, 400);
});

test('a question is answered by its id, and only while it is open', async () => {
  const run = await begun();
  page.on.turns[0]?.emit(question);
  await settled();
  const answer = (body: JsonObject) => post(page, `/page/runs/${run}`, { type: 'approve', ...body }, me);
  assert.is((await answer({ choice: 'allow_once' })).status, 400);
  assert.is((await answer({ choice: 'always', request: 'pr_1' })).status, 400);
  assert.is((await answer({ choice: 'allow_once', request: 'pr_9' })).status, 409);
  assert.is((await answer({ choice: 'allow_once', request: 'pr_1' })).status, 200);
  assert.is((await answer({ choice: 'allow_once', request: 'pr_1' })).status, 409);
  assert.is(page.on.turns[0]?.frames[0]?.type, 'permission_result');
});

test('sending a draft again does not begin a second turn', async () => {
  const body = { prompt: 'hello', runtime: 'test', key: 'draft-1' };
  const first = await json(await post(page, '/page/turns', body, me));
  const again = await json(await post(page, '/page/turns', body, me));
  assert.is(again['run_id'], first['run_id']);
  assert.is(again['replayed'], true);
  assert.is((await post(page, '/page/turns', { ...body, prompt: 'other' }, me)).status, 409);
});

test('a run is stopped, and a session goes on', async () => {
  const run = await begun();
  assert.is((await post(page, `/page/runs/${run}`, { type: 'cancel' }, me)).status, 200);
  assert.equal(page.on.turns[0]?.calls, ['cancel']);
  page.on.turns[0]?.end(130);
  const { run: record } = await json(await get(page, `/page/runs/${run}`, me));
  const session = String(at(record, 'session_id'));
  await begun({ session });
  const shown = await json(await get(page, `/page/sessions/${session}`, me));
  assert.is(Array.isArray(shown['runs']) && shown['runs'].length, 2);
  assert.is((await get(page, '/page/sessions/none', me)).status, 404);
});

test('pictures reach the runtime as private files and go with the turn', async () => {
  const bytes = Buffer.from('\x89PNG\r\n\x1a\npicture', 'latin1');
  const data = bytes.toString('base64');
  const ask = (media_type: string) =>
    post(page, '/page/turns', { prompt: 'x', runtime: 'test', images: [{ media_type, data }] }, me);
  assert.is((await ask('text/html')).status, 400);
  assert.is((await ask('image/png')).status, 200);
  await settled();
  const [turn] = page.on.turns;
  const path = turn?.plan.request.images?.[0]?.path ?? '';
  assert.equal(readFileSync(path), bytes);
  assert.is(statSync(path).mode & 0o777, 0o600);
  turn?.end();
  await waitUntil(() => !existsSync(path));
});

test('the patch of a turn is shown as long as it is kept', async () => {
  const run = await begun();
  const patch = () => get(page, `/page/runs/${run}/patch`, me);
  assert.is((await patch()).status, 404);
  const path = join(mkdtempSync(join(tmpdir(), 'turnout-patch-')), 'change.patch');
  writeFileSync(path, 'diff --git a/x b/x\n');
  const made = { workspace: 'ws_1', base: 'abc', files: [], digest: '0', path } as const;
  page.on.turns[0]?.emit({ v: 1, type: 'patch', ...made, files: [] });
  await settled();
  assert.equal(await json(await patch()), { text: 'diff --git a/x b/x\n', cut: false });
  rmSync(path);
  assert.is((await patch()).status, 404);
});

test('what is wrong with a turn is said', async () => {
  const bad: JsonObject[] = [{}, { prompt: '' }, { prompt: 'x', access: 'all' }, { prompt: 1 }];
  for (const body of bad) {
    const response = await post(page, '/page/turns', body, me);
    assert.is(response.status, 400, JSON.stringify(body));
    assert.type(at(await json(response), 'error', 'message'), 'string');
  }
});

test('figures nobody reported are null', async () => {
  await begun();
  const shown = await json(await get(page, '/page/spent?by=runtime', me));
  assert.is(at(shown, 'groups', 0, 'cost_usd'), null);
  assert.is(at(shown, 'groups', 0, 'unknown_cost'), 1);
  assert.is((await get(page, '/page/spent?by=moon', me)).status, 400);
});

test.run();
