import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lineSplitter } from '../../src/text/lines.js';
import { idOfOversized } from '../../src/text/oversized.js';

test('the id before the parameters is known, of either kind and in either order', () => {
  assert.is(idOfOversized('{"jsonrpc":"2.0","id":7,"method":"a","params":{'), 7);
  assert.is(idOfOversized('{ "method": "a/b", "jsonrpc": "2.0", "id": "x-1", "params": {'), 'x-1');
});

test('an id inside or behind the parameters is nobody’s', () => {
  assert.is(idOfOversized('{"jsonrpc":"2.0","method":"a","params":{"id":7,'), null);
  assert.is(idOfOversized('{"jsonrpc":"2.0","method":"a","params":["id'), null);
  assert.is(idOfOversized(''), null);
});

test('a dropped line is told with its beginning, however it was cut', () => {
  for (const size of [1, 3, 100]) {
    const told: [number, string][] = [];
    const lines: string[] = [];
    const splitter = lineSplitter({
      max: 10,
      onLine: (text) => lines.push(text),
      onDropped: (bytes, head) => told.push([bytes, head]),
    });
    const bytes = new TextEncoder().encode('short\nabcdefghijklmno\nzyxwvutsrqponml\nend\n');
    for (let from = 0; from < bytes.length; from += size) splitter.push(bytes.subarray(from, from + size));
    splitter.end();
    assert.equal(lines, ['short', 'end']);
    assert.equal(told, [
      [15, 'abcdefghij'],
      [15, 'zyxwvutsrq'],
    ]);
  }
});

test.run();
