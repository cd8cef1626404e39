// limit: 240s
import type { ElicitResult } from '@modelcontextprotocol/client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../src/text/json.js';
import { agentsLeft, type Called, type Connected, ERAS, withClient } from './clients.js';

const id = (called: Called): string => String(called.content['run_id']);

/** All events from a number on, until one fits or the run is over. */
async function until({ call }: Connected, run: string, type: string): Promise<{ types: string[]; next: number }> {
  const types: string[] = [];
  let next = 0;
  for (;;) {
    const { content } = await call('agent_events', { run_id: run, after_seq: next, wait_ms: 20_000, limit: 3 });
    assert.is(content['missing'], 0);
    for (const one of Array.isArray(content['events']) ? content['events'] : []) {
      assert.ok(isObject(one) && one['seq'] === next + 1 && isObject(one['event']));
      next += 1;
      types.push(isObject(one) && isObject(one['event']) ? String(one['event']['type']) : '');
    }
    assert.is(content['next_seq'], next);
    if (types.includes(type) || content['over'] === true) return { types, next };
  }
}

for (const era of ERAS) {
  const kind = { era, transport: era === 'modern' ? 'http' : 'stdio' } as const;

  test(`${era}: a run is started, followed and read when it is over`, () =>
    withClient(kind, async (to) => {
      const started = await to.call('agent_start', { runtime: 'demo', prompt: 'say one then slow 3' });
      assert.not.ok(started.isError, started.text);
      const { types } = await until(to, id(started), 'done');
      assert.equal([types[0], types.at(-1)], ['start', 'done']);
      const { content } = await to.call('agent_get', { run_id: id(started) });
      assert.equal([content['status'], content['exit_code'], content['questions']], ['completed', 0, []]);
    }));

  test(`${era}: guidance reaches a run, and a stop ends it with all it started`, () =>
    withClient(kind, async (to) => {
      const started = await to.call('agent_start', { runtime: 'demo', prompt: 'slow 2 then hang hard' });
      await until(to, id(started), 'assistant');
      const steered = await to.call('agent_steer', { run_id: id(started), text: 'faster' });
      assert.equal([steered.content['accepted'], steered.content['steer_id']], [true, 's1']);
      const stopped = await to.call('agent_stop', { run_id: id(started) });
      assert.equal([stopped.content['status'], stopped.content['stopped']], ['cancelled', true]);
      assert.equal(await agentsLeft(to.place.mark), []);
      assert.is((await to.call('agent_stop', { run_id: id(started) })).content['stopped'], false);
      const late = await to.call('agent_steer', { run_id: id(started), text: 'too late' });
      assert.ok(late.isError);
      assert.match(late.text, 'is cancelled');
    }));

  test(`${era}: what the caller allows is put to the person`, async () => {
    const asked: string[] = [];
    const person = (message: string): ElicitResult => {
      asked.push(message);
      return { action: 'accept', content: { choice: 'deny' } };
    };
    await withClient({ ...kind, person }, async (to) => {
      const run = id(await to.call('agent_start', { runtime: 'demo', prompt: 'ask then ask', approvals: 'ask' }));
      await until(to, run, 'permission_request');
      const { content } = await to.call('agent_get', { run_id: run });
      assert.is(content['status'], 'waiting_for_approval');
      const [question] = Array.isArray(content['questions']) ? content['questions'] : [];
      assert.ok(isObject(question) && question['request_id'] === 'pr_1');
      const answered = await to.call('agent_approve', { run_id: run, choice: 'allow_once' });
      assert.equal([answered.content['choice'], answered.content['request_id']], ['deny', 'pr_1']);
      assert.match(asked[0] ?? '', 'make deploy');
      const unknown = await to.call('agent_approve', { run_id: run, choice: 'deny', request_id: 'pr_1' });
      assert.ok(unknown.isError);
      assert.match(unknown.text, 'pr_1');
    });
  });
}

test('without a person only a denial is taken, unless the caller may decide', async () => {
  const ask = { runtime: 'demo', prompt: 'ask', approvals: 'ask' };
  await withClient({ era: 'legacy', transport: 'stdio' }, async (to) => {
    const run = id(await to.call('agent_start', ask));
    await until(to, run, 'permission_request');
    const allowed = await to.call('agent_approve', { run_id: run, choice: 'allow_once' });
    assert.ok(allowed.isError);
    assert.match(allowed.text, '--approvals caller');
    const denied = await to.call('agent_approve', { run_id: run, choice: 'deny', message: 'not today' });
    assert.not.ok(denied.isError, denied.text);
    await until(to, run, 'done');
    assert.match(String((await to.call('agent_get', { run_id: run })).content['text']), 'deny');
  });
  await withClient({ era: 'modern', transport: 'stdio', args: ['--approvals', 'caller'] }, async (to) => {
    const run = id(await to.call('agent_start', ask));
    await until(to, run, 'permission_request');
    assert.not.ok((await to.call('agent_approve', { run_id: run, choice: 'allow_once' })).isError);
    await until(to, run, 'done');
    assert.match(String((await to.call('agent_get', { run_id: run })).content['text']), 'allow_once');
  });
});

test.run();
