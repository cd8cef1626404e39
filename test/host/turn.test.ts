import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TurnoutError, UsageError } from '../../src/contract/error.js';
import type { HostOptions } from '../../src/host/turn.js';
import { all, call, done, failure, say, settled, stage, told } from './stage.js';

test('events are read in order, also those that came before anybody read', async () => {
  const { turn, listener } = stage();
  listener.event(say('a'));
  const reading = all(turn);
  await settled();
  listener.event(say('b'));
  listener.event(done());
  assert.equal(await reading, ['assistant', 'assistant', 'done']);
});

test('a failed turn does not throw; its result holds the error', async () => {
  const { turn, listener } = stage();
  listener.event(failure());
  listener.event(done(1));
  assert.equal(await all(turn), ['error', 'done']);
  const result = await turn.result();
  assert.is(result.ok, false);
  assert.instance(result.error, TurnoutError);
  assert.is(result.error?.code, 'auth');
  assert.is(result.error?.hint, 'agent login');
});

test('a turn that could not begin throws before the first event, and from its result', async () => {
  const { turn, listener } = stage();
  listener.failed(new UsageError('no'));
  await turn.result().then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, UsageError),
  );
  await all(turn).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, UsageError),
  );
});

test('the text that a result leaves out is gathered from its last message', async () => {
  const { turn, listener } = stage();
  listener.event(say('first', 'm1'));
  listener.event({ v: 1, type: 'assistant', text: 'of a helper', message_id: 'h', parent_tool_use_id: 't' });
  listener.event(say('se', 'm2'));
  listener.event(say('cond', 'm2'));
  listener.event(say('\n', 'm3'));
  listener.event({
    v: 1,
    type: 'result',
    subtype: 'success',
    is_error: false,
    stop_reason: 'end_turn',
    text_omitted: true,
    input_tokens: null,
    output_tokens: null,
    cost_usd: null,
  });
  listener.event(done());
  const result = await turn.result();
  assert.is(result.text, 'second');
  assert.is(result.totals.cost_usd, null, 'unknown is not 0');
});

test('leaving the loop cancels the turn and waits for its end', async () => {
  const { turn, listener, asked } = stage();
  listener.event(say('a'));
  let left = false;
  const reading = (async () => {
    for await (const _ of turn) break;
    left = true;
  })();
  await settled();
  assert.equal(asked, ['cancel']);
  assert.is(left, false);
  listener.event(failure('cancelled'));
  listener.event(done(130));
  await reading;
  assert.is((await turn.result()).exitCode, 130);
});

test('an abort signal cancels, also one that was aborted before; after the end it does nothing', async () => {
  assert.equal(stage({ signal: AbortSignal.abort() }).asked, ['cancel']);
  const controller = new AbortController();
  const first = stage({ signal: controller.signal });
  const second = stage({ signal: controller.signal });
  second.listener.event(done());
  controller.abort();
  assert.equal(first.asked, ['cancel']);
  assert.equal(second.asked, []);
});

test('a slow reader holds the runtime back, and lets it go on when it has read', async () => {
  const { turn, listener, asked } = stage();
  const reader = turn[Symbol.asyncIterator]();
  const big = 'x'.repeat(600 * 1024);
  listener.event(say(big));
  listener.event(say(big));
  assert.equal(asked, ['pause']);
  await reader.next();
  assert.equal(asked, ['pause']);
  await reader.next();
  assert.equal(asked, ['pause', 'resume']);
});

test('who only wants the result holds nothing back and keeps nothing', async () => {
  const { turn, listener, asked } = stage();
  const result = turn.result();
  for (let i = 0; i < 40; i++) listener.event(say('x'.repeat(100 * 1024)));
  listener.event(done());
  assert.is((await result).text?.length, 40 * 100 * 1024);
  assert.equal(asked, []);
  assert.throws(() => turn[Symbol.asyncIterator](), /let go/);
});

test('asking for the result first and reading then works', async () => {
  const { turn, listener } = stage();
  const result = turn.result();
  const reading = all(turn);
  listener.event(say('a'));
  listener.event(done());
  assert.equal(await reading, ['assistant', 'done']);
  assert.is((await result).ok, true);
});

test('events are read once', () => {
  const { turn } = stage();
  turn[Symbol.asyncIterator]();
  assert.throws(() => turn[Symbol.asyncIterator](), /read once/);
});

test('steering tells whether it was delivered; what is open at the end was not', async () => {
  const { turn, listener, frames } = stage();
  const first = turn.steer('be brief');
  const second = turn.steer('be kind');
  assert.equal(frames[0], { v: 1, type: 'steer', id: 's1', text: 'be brief' });
  listener.event({
    v: 1,
    type: 'status',
    phase: 'notice',
    code: 'steer',
    message: 'x',
    steer: { id: 's1', delivered: true },
  });
  listener.event(done());
  assert.equal([await first, await second, await turn.steer('late')], [true, false, false]);
});

const question = { v: 1, type: 'permission_request', id: 'pr_1', name: 'Bash', kind: 'shell', input: null } as const;

test('a permission handler answers; one that throws, or answers nonsense, denies', async () => {
  const answers = [
    () => 'allow_once' as const,
    async () => ({ choice: 'deny' as const, message: 'not today' }),
    () => {
      throw new Error('broken');
    },
    () => JSON.parse('"yes"'),
  ];
  const got = await Promise.all(
    answers.map(async (onPermission) => {
      const { listener, frames } = stage({ onPermission });
      listener.event({ ...question, choices: ['allow_once', 'deny'] });
      await settled();
      return frames[0];
    }),
  );
  const base = { v: 1, type: 'permission_result', id: 'pr_1' };
  assert.equal(got[0], { ...base, choice: 'allow_once' });
  assert.equal(got[1], { ...base, choice: 'deny', message: 'not today' });
  assert.equal(got[2], { ...base, choice: 'deny', message: 'broken' });
  assert.match(JSON.stringify(got[3]), /"deny".*answered yes/);
});

test('a question handler answers; one that throws, or answers what was not asked, declines and warns', async () => {
  const asks = {
    v: 1,
    type: 'question',
    id: 'q_1',
    source: 'agent',
    questions: [{ id: 'colour', question: 'Which?', choices: [{ value: 'red' }] }],
  } as const;
  const warned: string[] = [];
  const listen = (warning: Error) => warned.push(warning.message);
  process.on('warning', listen);
  const handlers: NonNullable<HostOptions['onQuestion']>[] = [
    () => ({ colour: 'red' }),
    () => null,
    () => ({ colour: 'pink' }),
    () => {
      throw new Error('broken');
    },
  ];
  const got = await Promise.all(
    handlers.map(async (onQuestion) => {
      const { listener, frames } = stage({ onQuestion });
      listener.event({ ...asks, questions: [{ ...asks.questions[0], choices: [{ value: 'red' }] }] });
      await settled();
      return frames[0];
    }),
  );
  const unanswered = stage();
  unanswered.listener.event({ ...asks, questions: [{ id: 'name', question: 'Who?' }] });
  await settled();
  process.off('warning', listen);
  const base = { v: 1, type: 'question_result', id: 'q_1' };
  assert.equal(got[0], { ...base, answers: { colour: 'red' } });
  assert.equal([...got.slice(1), unanswered.frames[0]], new Array(4).fill({ ...base, answers: {} }));
  assert.equal(warned.sort(), ['broken', 'onQuestion: colour takes red, not "pink"']);
});

test('a call is run and answered; one without a handler, or that throws, is told as a failure', async () => {
  const { listener, frames } = stage({
    tools: {
      add: { description: 'a tool of the test', run: ({ a, b }) => Number(a) + Number(b) },
      fail: {
        description: 'a tool of the test',
        run: () => {
          throw new Error('disk full');
        },
      },
      quiet: { description: 'a tool of the test', run: () => undefined },
    },
  });
  listener.event(call('tc_1', 'add', { a: 2, b: 3 }));
  listener.event(call('tc_2', 'fail'));
  listener.event(call('tc_3', 'toString'));
  listener.event(call('tc_4', 'quiet'));
  await settled();
  const by = Object.fromEntries(frames.map((frame) => ['id' in frame ? frame.id : '', frame]));
  assert.equal(by['tc_1'], { v: 1, type: 'tool_result', id: 'tc_1', ok: true, result: { text: '5' } });
  assert.equal(by['tc_2'], { v: 1, type: 'tool_result', id: 'tc_2', ok: false, result: { text: 'disk full' } });
  assert.match(JSON.stringify(by['tc_3']), /no handler for toString/);
  assert.equal(by['tc_4'], { v: 1, type: 'tool_result', id: 'tc_4', ok: true, result: { text: '' } });
});

test('a call nobody waits for any more is aborted, and its late answer is not sent', async () => {
  let reason: unknown;
  let finish: (value: string) => void = () => {};
  const { listener, frames } = stage({
    tools: {
      slow: {
        description: 'a tool of the test',
        run: (_, { signal }) =>
          new Promise<string>((resolve) => {
            finish = resolve;
            signal.addEventListener('abort', () => {
              reason = signal.reason;
            });
          }),
      },
    },
  });
  listener.event(call('tc_1', 'slow'));
  await settled();
  listener.event(told('tc_1', 'ERROR: tool timeout'));
  assert.match(String(reason), 'tool timeout');
  finish('late');
  await settled();
  assert.equal(frames, []);
});

test('the end of the turn aborts what still runs', async () => {
  let aborted = false;
  const { listener } = stage({
    tools: {
      slow: {
        description: 'a tool of the test',
        run: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => {
              aborted = true;
            });
          }),
      },
    },
  });
  listener.event(call('tc_1', 'slow'));
  await settled();
  listener.event(done());
  assert.ok(aborted);
});

test.run();
