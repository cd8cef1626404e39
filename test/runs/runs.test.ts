import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import { liveGiven } from '../../src/runs/clock-and-ids.js';
import { follow } from '../../src/runs/event-log.js';
import { CoreError } from '../../src/runs/failure.js';
import { done, plan, says, settled, stage, start } from './fake-turn.js';

function reason(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof CoreError) return error.reason;
    throw error;
  }
  return 'none';
}

const question: Event = {
  v: 1,
  type: 'permission_request',
  id: 'pr_1',
  tool_use_id: 't1',
  name: 'shell',
  kind: 'shell',
  input: { command: 'make' },
  choices: ['allow_once', 'deny'],
};

test('a run goes from queued to completed and keeps what it said', async () => {
  const { core, turns, submit } = stage();
  const run = submit();
  assert.is(run.record.status, 'queued');
  await settled();
  assert.is(run.record.status, 'running');
  turns[0]?.emit(start);
  turns[0]?.emit(says('Hi '));
  turns[0]?.emit(says('there'));
  turns[0]?.end();
  await run.over;
  const kept = core.store.run(run.id);
  assert.is(kept?.status, 'completed');
  assert.is(kept?.text, 'Hi there');
  assert.is(kept?.last_seq, 4);
  assert.is(core.runs.record(run.id).exit_code, 0);
});

test('the status is final before anybody can read `done`', async () => {
  const { core, turns, submit } = stage();
  const run = submit();
  await settled();
  turns[0]?.emit(start);
  let seen = '';
  const reading = (async () => {
    for await (const one of follow(run.log, { after: 0, follow: true })) {
      if ('entry' in one && one.entry.json.includes('"done"')) seen = core.runs.record(run.id).status;
    }
  })();
  turns[0]?.end(1);
  await reading;
  assert.is(seen, 'failed');
});

test('more runs than slots wait in the order they came', async () => {
  const { turns, submit } = stage({ concurrency: 1 });
  const [first, second] = [submit('one'), submit('two')];
  await settled();
  assert.equal([first?.record.status, second?.record.status], ['running', 'queued']);
  turns[0]?.end();
  await settled();
  assert.is(second?.record.status, 'running');
  assert.is(turns[1]?.plan.request.prompt, 'two');
});

test('a full queue refuses', () => {
  const { submit } = stage({ concurrency: 1, queue: 1 });
  submit();
  submit();
  assert.is(reason(submit), 'busy');
});

test('a queued run that is cancelled ends at once with a whole stream, and is never started', async () => {
  const { core, turns, submit } = stage({ concurrency: 1 });
  submit();
  const waiting = submit();
  assert.ok(waiting.cancel('user'));
  assert.is(waiting.record.status, 'cancelled');
  const types = core.runs
    .log(waiting.id)
    .read(0)
    .map(({ json }) => JSON.parse(json).type);
  assert.equal(types, ['start', 'error', 'done']);
  await settled();
  turns[0]?.end();
  await settled();
  assert.is(turns.length, 1);
});

test('cancel belongs to one run', async () => {
  const { turns, submit } = stage();
  const [one, two] = [submit(), submit()];
  await settled();
  one?.cancel('user');
  assert.equal([one?.record.status, two?.record.status], ['stopping', 'running']);
  assert.equal([turns[0]?.calls, turns[1]?.calls], [['cancel'], []]);
  turns[0]?.end(130);
  await one?.over;
  assert.is(one?.record.status, 'cancelled');
  assert.is(one?.cancel('user'), false);
});

test('a turn that ends well in the race with a cancel is completed', async () => {
  const { turns, submit } = stage();
  const run = submit();
  await settled();
  run.cancel('user');
  turns[0]?.end(0);
  await run.over;
  assert.is(run.record.status, 'completed');
});

test('what the end of the server takes along is interrupted', async () => {
  const { core, turns, submit } = stage();
  const run = submit();
  await settled();
  core.runs.cancelAll('shutdown');
  turns[0]?.end(130);
  await run.over;
  assert.is(run.record.status, 'interrupted');
});

test('a question makes the run wait, its answer lets it go on', async () => {
  const { turns, submit } = stage();
  const run = submit();
  await settled();
  turns[0]?.emit(start);
  turns[0]?.emit(question);
  assert.is(run.record.status, 'waiting_for_approval');
  assert.is(
    reason(() => run.approve('allow_session')),
    'bad-request',
  );
  assert.is(
    reason(() => run.approve('deny', 'pr_9')),
    'not-pending',
  );
  assert.is(run.approve('allow_once'), 'pr_1');
  assert.is(run.record.status, 'running');
  assert.equal(turns[0]?.frames, [{ type: 'permission_result', id: 'pr_1', choice: 'allow_once' }]);
  assert.is(
    reason(() => run.approve('deny')),
    'not-pending',
  );
});

test('a question that was withdrawn is no longer open', async () => {
  const { turns, submit } = stage();
  const run = submit();
  await settled();
  turns[0]?.emit(question);
  turns[0]?.emit({
    v: 1,
    type: 'tool_activity',
    phase: 'end',
    id: 't1',
    name: 'shell',
    ok: false,
    output: '',
    output_truncated: false,
    duration_ms: 1,
  });
  assert.is(run.record.status, 'running');
  assert.equal(run.questions(), []);
});

test('a call is answered once', async () => {
  const { turns, submit } = stage();
  const run = submit();
  await settled();
  turns[0]?.emit({ v: 1, type: 'tool_call', id: 'tc_1', name: 'add', args: {} });
  run.toolResult('tc_1', true, 'three');
  assert.equal(turns[0]?.frames, [{ type: 'tool_result', id: 'tc_1', ok: true, result: 'three' }]);
  assert.is(
    reason(() => run.toolResult('tc_1', true, 'four')),
    'not-pending',
  );
});

test('guidance is kept until the run begins, and comes back when nobody took it', async () => {
  const { turns, submit } = stage({ concurrency: 1 });
  submit();
  const run = submit();
  run.steer('be brief');
  run.steer('in French');
  await settled();
  turns[0]?.end();
  await settled();
  assert.equal(turns[1]?.frames, [
    { type: 'steer', id: 's1', text: 'be brief' },
    { type: 'steer', id: 's2', text: 'in French' },
  ]);
  turns[1]?.emit({ v: 1, type: 'status', phase: 'notice', steer: { id: 's1', delivered: true } });
  turns[1]?.end();
  await run.over;
  assert.is(run.record.pending_steer, 'in French');
  assert.is(
    reason(() => run.steer('too late')),
    'not-active',
  );
});

test('the same key with the same request is the same run, whatever the order of its keys', async () => {
  const { core, turns } = stage();
  const given = liveGiven();
  const idempotency = (request: Record<string, string>, key = 'k') => ({ key, scope: 'a', request });
  const submit = (request: Record<string, string>, key = 'k') =>
    core.runs.submit({ plan: plan(), session: 's', given, idempotency: idempotency(request, key) });
  const first = submit({ a: '1', b: '2' });
  assert.is(core.runs.seen(idempotency({ b: '2', a: '1' }))?.run_id, first.id);
  assert.is(
    reason(() => core.runs.seen(idempotency({ a: '9' }))),
    'conflict',
  );
  assert.is(
    reason(() => submit({ a: '1', b: '2' })),
    'conflict',
  );
  assert.is(core.runs.seen(idempotency({ a: '9' }, 'other')), null);
  await settled();
  turns[0]?.end();
  assert.is(core.runs.seen(idempotency({ a: '1', b: '2' }))?.run_id, first.id);
});

test('a drained server takes nothing more and waits for what runs', async () => {
  const { core, turns, submit } = stage();
  submit();
  await settled();
  let over = false;
  const drained = core.runs.drain().then(() => {
    over = true;
  });
  assert.is(reason(submit), 'draining');
  await settled();
  assert.is(over, false);
  turns[0]?.emit(done());
  turns[0]?.end();
  await drained;
});

test.run();
