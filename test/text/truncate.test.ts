import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cutUtf8, splitUtf8 } from '../../src/text/truncate.js';

const test = suite('truncate');
const size = (text: string) => Buffer.byteLength(text);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', '\ud83d', '\ude00'), maxLength: 60 }),
);

test('text that fits is returned as it is', () => {
  assert.equal(cutUtf8('abc', 3), { text: 'abc', cut: false });
  assert.equal(cutUtf8('日本', 6), { text: '日本', cut: false });
  assert.equal(cutUtf8('', 0), { text: '', cut: false });
});

test('nothing is cut inside a character', () => {
  assert.equal(cutUtf8('aé日😀b', 1), { text: 'a', cut: true });
  assert.equal(cutUtf8('aé日😀b', 2), { text: 'a', cut: true });
  assert.equal(cutUtf8('aé日😀b', 5), { text: 'aé', cut: true });
  assert.equal(cutUtf8('aé日😀b', 9), { text: 'aé日', cut: true });
  assert.equal(cutUtf8('aé日😀b', 10), { text: 'aé日😀', cut: true });
  assert.equal(cutUtf8('aé日😀b', 11), { text: 'aé日😀b', cut: false });
  assert.equal(cutUtf8('😀', 3), { text: '', cut: true });
});

test('a cut is the longest beginning that fits and ends between code points', () => {
  fc.assert(
    fc.property(anyText, fc.nat(80), (text, max) => {
      const { text: kept, cut } = cutUtf8(text, max);
      assert.ok(text.startsWith(kept));
      assert.ok(size(kept) <= max);
      assert.is(cut, kept !== text);
      if (!cut) return;
      const next = String.fromCodePoint(text.codePointAt(kept.length) ?? 0);
      assert.ok(size(kept) + size(next) > max);
      assert.ok([...text].join('').startsWith([...kept].join('')));
      const points = [...text];
      assert.equal([...kept], points.slice(0, [...kept].length));
    }),
    { numRuns: 3000 },
  );
});

test('pieces join to the text, fit, and break between code points', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 4, max: 80 }), (text, max) => {
      const pieces = splitUtf8(text, max);
      assert.is(pieces.join(''), text);
      assert.ok(pieces.every((piece) => size(piece) <= max));
      assert.equal(
        pieces.flatMap((piece) => [...piece]),
        [...text],
      );
    }),
    { numRuns: 3000 },
  );
});

test('splitting never loops or drops text when a character is wider than a piece', () => {
  assert.equal(splitUtf8('a😀日', 1), ['a', '😀', '日']);
  assert.equal(splitUtf8('', 10), ['']);
});

test.run();
