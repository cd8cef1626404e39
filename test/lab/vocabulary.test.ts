import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { difference, vocabularyOf } from './vocabulary.js';

const recording = (...said: object[]) =>
  said.map((line) => JSON.stringify({ t: 1, k: 'out', line: JSON.stringify(line) })).join('\n');

test('words are line types and fields, not their values', () => {
  const text = `${recording({ type: 'result', usage: { 'claude-x-1': { input: 3 } }, list: [{ kind: 'a' }] })}\nnot JSON\n`;
  assert.equal(vocabularyOf([text]), [
    '<result>',
    '<result>.list',
    '<result>.list[]<a>',
    '<result>.list[]<a>.kind',
    '<result>.type',
    '<result>.usage',
    '<result>.usage.*',
    '<result>.usage.*.input',
  ]);
});

test('what the program was sent is not its vocabulary', () => {
  assert.equal(vocabularyOf([JSON.stringify({ t: 1, k: 'in', line: '{"type":"user"}' })]), []);
});

test('a line type that is new or gone is one difference, however many fields it has', () => {
  const before = vocabularyOf([recording({ type: 'a', x: 1 }, { type: 'old', y: { z: 1 } })]);
  const now = vocabularyOf([recording({ type: 'a', x: 1, extra: 2 }, { type: 'renamed', y: { z: 1 } })]);
  assert.equal(difference(before, now), { gone: ['<old>'], fresh: ['<a>.extra', '<renamed>'] });
});

test.run();
