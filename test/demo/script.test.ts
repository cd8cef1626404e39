import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leadingJson, readScript } from '../../src/demo/script.js';

const test = suite('script of a prompt');
const known = new Set(['say', 'shell', 'rate-limit']);

test('takes a prompt that begins with no known word whole', () => {
  assert.equal(readScript('Hello, then say nothing', known), [{ word: null, rest: 'Hello, then say nothing' }]);
});

test('joins steps with then, only in front of a known word', () => {
  assert.equal(readScript('say first then second then shell ls\nthen rate-limit 2', known), [
    { word: 'say', rest: 'first then second' },
    { word: 'shell', rest: 'ls' },
    { word: 'rate-limit', rest: '2' },
  ]);
});

test('keeps line breaks of a text', () => {
  assert.equal(readScript('say a\n\nb', known), [{ word: 'say', rest: 'a\n\nb' }]);
});

test('finds the JSON value a text begins with', () => {
  assert.equal(leadingJson('{"a":"}\\"{"} rest'), { json: '{"a":"}\\"{"}', rest: ' rest' });
  assert.equal(leadingJson('[1,[2]]'), { json: '[1,[2]]', rest: '' });
  assert.equal(leadingJson('"x" y'), { json: '"x"', rest: ' y' });
  assert.is(leadingJson('nothing'), undefined);
  assert.is(leadingJson('{"open":'), undefined);
});

test.run();
