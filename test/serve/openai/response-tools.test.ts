import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at, str } from '../../../src/text/json.js';
import { begins, settled } from '../../runs/fake-turn.js';
import { json } from '../listen/raw.js';
import { calls, objects, uses, withApi } from './site.js';

const RESPONSES = '/v1/responses';
const tools: JsonObject[] = [
  { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'wait', parameters: { type: 'object' } }] },
  {
    type: 'custom',
    name: 'patch',
    description: 'Changes files',
    format: { type: 'grammar', definition: 'start: LINE' },
  },
  { type: 'web_search' },
];
const request = (more: JsonObject = {}): JsonObject => ({ model: 'test/opus', input: 'go', tools, ...more });

test('an agent knows tools of a namespace and those of a grammar as its own, and none of the vendor’s', () =>
  withApi(async (on) => {
    const asked = on.post(RESPONSES, request());
    const turn = await on.turn(0);
    const declared = turn.plan.request.tools ?? [];
    assert.equal(
      declared.map(({ name }) => name),
      ['agents__wait', 'patch'],
    );
    assert.match(declared[1]?.description ?? '', /Changes files\n\nGrammar:\nstart: LINE/);
    turn.emit(begins(1));
    turn.emit(calls(1, 'agents__wait', { id: 'a' }));
    turn.emit(calls(2, 'patch', { input: '*** begin' }));
    const output = arr(await json(await asked), 'output') ?? [];
    assert.equal(
      output.map((one) => [str(one, 'type'), str(one, 'namespace'), str(one, 'name')]),
      [
        ['function_call', 'agents', 'wait'],
        ['custom_tool_call', undefined, 'patch'],
      ],
    );
    assert.is(str(output[1], 'input'), '*** begin');
    const results = [
      { type: 'function_call_output', call_id: str(output[0], 'call_id') ?? '', output: 'waited' },
      { type: 'custom_tool_call_output', call_id: str(output[1], 'call_id') ?? '', output: 'patched' },
    ];
    const next = on.post(RESPONSES, request({ input: [{ role: 'user', content: 'go' }, ...output, ...results] }));
    while (turn.frames.length < 2) await settled();
    assert.equal(
      turn.frames.map((frame) => (frame.type === 'tool_result' ? frame.result : null)),
      ['waited', 'patched'],
    );
    turn.end();
    await next;
  }));

test('the stream tells the input of a grammar as such', () =>
  withApi(async (on) => {
    const asked = on.post(RESPONSES, request({ stream: true }));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(calls(1, 'patch', { input: 'x' }));
    const types = (await objects(await asked)).map(({ type }) => type);
    assert.ok(types.includes('response.custom_tool_call_input.done'));
    turn.end();
  }));

test('Codex gets no detail of usage that is not a number', () =>
  withApi(async (on) => {
    for (const [index, originator] of ['codex_exec', 'somebody'].entries()) {
      const asked = on.post(RESPONSES, request(), { originator });
      const turn = await on.turn(index);
      turn.emit(begins(1));
      turn.emit({ v: 1, type: 'assistant', text: 'so', message_id: 'm1' });
      turn.emit(uses(3, 2));
      turn.end();
      const usage = at(await json(await asked), 'usage');
      assert.equal(at(usage, 'output_tokens_details'), index === 0 ? null : { reasoning_tokens: null });
    }
  }));

test.run();
