import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { firstValue } from '../../../src/serve/listen/json-values.js';

test('one object over many lines is one request', () => {
  const body = '\uFEFF\n{\n "op": "exec",\n "prompt": "a } and \\" {"\n}\n';
  assert.equal(firstValue(body), { first: body.trim().replace('\uFEFF', '').trim(), more: [] });
});

test('what follows the first object is told apart', () => {
  assert.equal(firstValue('{"a":[{}]} {"b":1}\n{"c":2} rest'), {
    first: '{"a":[{}]}',
    more: ['{"b":1}', '{"c":2}', 'rest'],
  });
});

test('what is no object is the request as a whole', () => {
  assert.equal(firstValue(' nonsense {"a":1} '), { first: 'nonsense {"a":1}', more: [] });
  assert.equal(firstValue('{"a":'), { first: '{"a":', more: [] });
  assert.equal(firstValue(' '), { first: '', more: [] });
});

test.run();
