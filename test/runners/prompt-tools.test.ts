import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type PlainRunner, promptToolsRequest, withPromptTools } from '../../runners/dialects/prompt-tools.js';
import { promptToolsFilter } from '../../runners/dialects/prompt-tools-filter.js';
import type { Action } from '../../src/runner/action.js';
import { machine, request, saidText } from './drive.js';

const open = '```tool_call:n0nce';
const block = (value: unknown) => `${open}\n${JSON.stringify(value)}\n\`\`\`\n`;
const read = (text: string, size = text.length) => {
  const filter = promptToolsFilter('n0nce');
  let visible = '';
  for (let at = 0; at < text.length; at += Math.max(1, size))
    visible += filter.push(text.slice(at, at + Math.max(1, size)));
  visible += filter.end();
  return { visible, calls: filter.calls, broken: filter.broken };
};

test('a call is found and taken out of the text, however the text is cut', () => {
  const text = `Before.\n${block({ name: 'add', arguments: { count: 2 } })}After.`;
  for (let size = 1; size <= text.length; size++) {
    const got = read(text, size);
    assert.is(got.visible, 'Before.\nAfter.');
    assert.equal(got.calls, [{ name: 'add', args: { count: 2 } }]);
  }
});

test('code fences inside the arguments survive', () => {
  const args = { code: '```js\nlet a;\n```\n', more: open };
  const got = read(`x\n${block({ name: 'write', arguments: args })}`);
  assert.equal(got.calls, [{ name: 'write', args }]);
  const pretty = `${open}\n${JSON.stringify({ name: 'write', arguments: args }, null, 2)}\n\`\`\`\n`;
  assert.equal(read(pretty).calls, [{ name: 'write', args }]);
});

test('quoted, nested, indented and foreign blocks are text', () => {
  const call = block({ name: 'rm', arguments: {} });
  for (const text of [
    `\`\`\`\`md\n${call}\`\`\`\`\n`,
    `~~~\n${call}~~~\n`,
    call
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
    call.replace('n0nce', 'other'),
    call.replace(open, `see ${open}`),
  ]) {
    const got = read(text);
    assert.equal(got.calls, [], text);
    assert.is(got.visible, text);
  }
});

test('a broken block is told, and good ones beside it still count', () => {
  const got = read(
    `${open}\n{"name": "a", "arguments": {\n\`\`\`\n${open}\nnot json\n\`\`\`\n${block({ name: 'b', arguments: {} })}`,
  );
  assert.ok(got.broken.length >= 1);
  assert.ok(!got.visible.includes('tool_call'));
  assert.is(read(`${open}\n{"name":"a"`).broken.length, 1);
  assert.equal(read(`${open}\n{"name":"a","arguments":{}}}\n\`\`\`\n`).calls, [{ name: 'a', args: {} }]);
  assert.is(read(block({ arguments: {} })).broken[0], 'the call has no "name"');
});

test('text without a call comes out as it went in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('`', '``', '```', '\n', 'tool_call:', 'a ', '~~~', 'n0nce', '{', '"')),
      fc.nat(7),
      (parts, size) => {
        const text = parts.join('');
        if (text.includes(open)) return;
        assert.is(read(text, size + 1).visible, text);
      },
    ),
  );
});

/** A runtime that answers each round with the next text. */
function plain(texts: string[], remembers: boolean): PlainRunner & { prompts: string[]; resumed: (string | null)[] } {
  const prompts: string[] = [];
  const resumed: (string | null)[] = [];
  return {
    prompts,
    resumed,
    remembers,
    invoke: () => ({ argv: ['agent'], env: {}, stdin: 'null', stdout: 'pipe' }),
    converse(asked) {
      prompts.push(asked.prompt);
      resumed.push(asked.resume);
      const answer = texts[prompts.length - 1] ?? '';
      return {
        hear: (heard): Action[] =>
          heard.type !== 'exit'
            ? []
            : [
                { do: 'say', event: { type: 'session', session_id: 's1' } },
                { do: 'say', event: { type: 'assistant', text: answer, message_id: 'm1' } },
                { do: 'finish', outcome: { ok: true, stopReason: 'end_turn', text: answer } },
              ],
      };
    },
  };
}

const messageIds = (actions: readonly Action[]) =>
  actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [action.event.message_id] : [],
  );

const tools = [
  {
    name: 'add',
    description: 'Adds.',
    schema: { type: 'object', properties: { n: { type: 'array', items: { enum: [1, 2] } } } },
  },
];
const exit = { type: 'exit', code: 0, signal: null, files: {} } as const;

test('the model sees name, description and the whole schema', () => {
  const { prompt } = promptToolsRequest(request({ tools, toolsOn: true, prompt: 'do it', resume: 'old' }), 'n0nce');
  assert.ok(prompt.includes(JSON.stringify(tools[0]?.schema)));
  assert.ok(prompt.endsWith('do it'));
});

for (const remembers of [true, false]) {
  test(`calls are answered in a next round (${remembers ? 'same session' : 'whole transcript'})`, () => {
    const agent = plain(
      [`Adding.\n${block({ name: 'add', arguments: { n: [1] } })}${block({ name: 'add', arguments: {} })}`, 'Done: 3.'],
      remembers,
    );
    const conversation = withPromptTools(agent, request({ tools, toolsOn: true, prompt: 'do it' }), machine());
    const one = conversation.hear(exit);
    assert.is(saidText(one), 'Adding.\n');
    const calls = one.flatMap((action) => (action.do === 'call' ? [action] : []));
    assert.equal(
      calls.map((call) => call.args),
      [{ n: [1] }, {}],
    );
    assert.equal(conversation.hear({ type: 'answer', key: calls[1]?.key ?? '', ok: false, text: 'ERROR: no' }), []);
    const two = conversation.hear({ type: 'answer', key: calls[0]?.key ?? '', ok: true, text: '```\n3' });
    assert.ok(two.some((action) => action.do === 'spawn'));
    const next = agent.prompts[1] ?? '';
    assert.ok(next.includes(JSON.stringify({ name: 'add', ok: true, result: '```\n3' })));
    assert.is(next.includes('do it'), !remembers);
    assert.is(agent.resumed[1], remembers ? 's1' : null);
    assert.equal(conversation.hear(exit), [], 'the exit of the round before is no end');
    conversation.hear({ type: 'spawned' });
    const end = conversation.hear(exit);
    assert.is(saidText(end), 'Done: 3.');
    assert.equal(messageIds([...one, ...end]), ['m1', 'm1 of round 2'], 'each process numbers its own messages');
    assert.is(end.at(-1)?.do, 'finish');
  });
}

test('a turn that never stops asking ends at the cap', () => {
  const agent = plain(
    Array.from({ length: 9 }, () => block({ name: 'add', arguments: {} })),
    true,
  );
  const conversation = withPromptTools(agent, request({ tools, toolsOn: true, maxTurns: 2 }), machine());
  const one = conversation.hear(exit);
  const call = one.find((action) => action.do === 'call');
  conversation.hear({ type: 'answer', key: call?.do === 'call' ? call.key : '', ok: true, text: '' });
  conversation.hear({ type: 'spawned' });
  const two = conversation.hear(exit);
  const last = two.at(-1);
  assert.is(last?.do === 'finish' && last.outcome.ok && last.outcome.stopReason, 'tool_round_cap');
});

test('a program that repeats its prompt ends with words before the transcript is larger than a prompt may be', () => {
  const tools = [{ name: 'add', description: '', schema: {} }];
  const prompts: number[] = [];
  const inner: PlainRunner = {
    remembers: false,
    invoke: () => ({ argv: ['x'], env: {}, stdin: 'null', stdout: 'pipe' }),
    converse(asked) {
      prompts.push(asked.prompt.length);
      const text = `${'x'.repeat(asked.prompt.length)}\n${block({ name: 'add', arguments: {} })}`;
      const say: Action = { do: 'say', event: { type: 'assistant', text, message_id: 'm' } };
      return { hear: () => [say, { do: 'finish', outcome: { ok: true, stopReason: 'end_turn' } }] };
    },
  };
  const turn = withPromptTools(inner, request({ tools, toolsOn: true, prompt: 'x'.repeat(3_000_000) }), machine());
  let actions = turn.hear({ type: 'spawned' });
  for (let round = 0; round < 10 && !actions.some((action) => action.do === 'finish'); round++) {
    const call = actions.find((action) => action.do === 'call');
    assert.ok(call?.do === 'call', `round ${round}`);
    actions = turn.hear({ type: 'answer', key: call.key, ok: true, text: '3' });
    if (actions.some((action) => action.do === 'spawn')) {
      turn.hear({ type: 'exit', code: 0, signal: null, files: {} });
      actions = turn.hear({ type: 'spawned' });
    }
  }
  const end = actions.find((action) => action.do === 'finish');
  assert.ok(end?.do === 'finish' && !end.outcome.ok);
  assert.match(!end.outcome.ok ? end.outcome.message : '', 'longer than a prompt may be');
  assert.ok(Math.max(...prompts) <= 16 * 1024 * 1024);
});

test.run();
