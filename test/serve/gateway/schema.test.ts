import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { METHODS } from '../../../src/serve/gateway/methods.js';
import { schemaOf } from '../../../src/serve/gateway/params.js';
import { obj } from '../../../src/text/json.js';
import { frameFault, methodSchema, paramsFault, schema } from './frames.js';

test('the schema names the methods that there are, each with what it takes', () => {
  const named = Object.keys(obj(schema, '$defs', 'methods', 'properties') ?? {});
  assert.equal(named.sort(), Object.keys(METHODS).sort());
  for (const [name, { params }] of Object.entries(METHODS))
    assert.equal(obj(methodSchema(name), 'params'), schemaOf(params), name);
});

test('frames that are none of the gateway are found', () => {
  const event = (params: object) => ({ jsonrpc: '2.0', method: 'event', params }) as never;
  for (const params of [
    { type: 'message.delta', session_id: 's', payload: { text: 'x' } },
    { type: 'message.delta', session_id: 's', seq: 0, payload: { text: 'x' } },
    { type: 'message.delta', session_id: 's', seq: 1, payload: {} },
    { type: 'unknown', session_id: 's', seq: 1, payload: {} },
    { type: 'gateway.ready', session_id: 's', payload: {} },
  ])
    assert.ok(frameFault(event(params)), JSON.stringify(params));
  assert.ok(frameFault({ jsonrpc: '2.0', id: 1 }));
  assert.ok(frameFault({ jsonrpc: '2.0', id: 'srq-1', method: 'approval', params: {} }));
  assert.ok(paramsFault('session.create', { cols: 'x' }));
  assert.is(paramsFault('session.create', { cols: null, anything: 1 }), null);
});

test.run();
