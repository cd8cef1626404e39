import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type LineSplitterOptions, lineSplitter } from '../../src/text/lines.js';

const test = suite('lines');

interface Heard {
  lines: string[];
  dropped: number[];
}

/** Feeds the chunks and returns what was delivered. */
function split(chunks: readonly Uint8Array[], options: Partial<LineSplitterOptions> = {}): Heard {
  const heard: Heard = { lines: [], dropped: [] };
  const splitter = lineSplitter({
    max: 1 << 20,
    onLine: (text) => heard.lines.push(text),
    onDropped: (bytes) => heard.dropped.push(bytes),
    ...options,
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return heard;
}

/** Cuts bytes at the given places, in any order and with repeats. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...places].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (const place of [...sorted, bytes.length]) {
    chunks.push(bytes.slice(from, place));
    from = place;
  }
  return chunks;
}

/** The plain definition that the fast one is held to: whole text at once, one line at a time. */
function slowly(bytes: Uint8Array, max: number, long: 'drop' | 'cut'): Heard {
  const heard: Heard = { lines: [], dropped: [] };
  const pieces: Buffer[] = [];
  const all = Buffer.from(bytes);
  let from = 0;
  for (let at = all.indexOf(10); at >= 0; at = all.indexOf(10, from)) {
    pieces.push(all.subarray(from, at));
    from = at + 1;
  }
  if (from < all.length) pieces.push(all.subarray(from));
  pieces.forEach((piece, index) => {
    let text: string;
    if (piece.length <= max) text = piece.toString('utf8');
    else {
      if (long === 'drop') {
        heard.dropped.push(piece.length);
        return;
      }
      heard.dropped.push(piece.length - max);
      text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece.subarray(0, max), { stream: true });
    }
    if (index === 0 && text.startsWith('\ufeff')) text = text.slice(1);
    heard.lines.push(text.endsWith('\r') ? text.slice(0, -1) : text);
  });
  return heard;
}

test('splits on LF and delivers an unterminated last line', () => {
  assert.equal(split([Buffer.from('a\n\nb\nlast')]).lines, ['a', '', 'b', 'last']);
  assert.equal(split([Buffer.from('a\n')]).lines, ['a']);
  assert.equal(split([]).lines, []);
});

test('leaves U+2028, U+2029, NUL, NEL and lone CRs inside a line alone', () => {
  const line = '{"a":"1\u20282\u20293\r4\u00855\v\f\0"}';
  assert.equal(split([Buffer.from(`${line}\n${line}\n`)]).lines, [line, line]);
});

test('takes off one CR before the LF, no more', () => {
  assert.equal(split([Buffer.from('a\r\nb\r\r\n\r\n\rc\r')]).lines, ['a', 'b\r', '', '\rc']);
});

test('takes off a BOM at the start of the stream only', () => {
  assert.equal(split([Buffer.from('\ufeffa\n\ufeffb\n')]).lines, ['a', '\ufeffb']);
  assert.equal(split([Buffer.from('\n\ufeffb\n')]).lines, ['', '\ufeffb']);
});

test('a character split between two chunks at any place survives', () => {
  const line = 'é日本語 😀👩‍👩‍👧 \ud83c\udff4 ß';
  const bytes = Buffer.from(`${line}\n${line}`);
  for (let at = 0; at <= bytes.length; at++) {
    assert.equal(split([bytes.subarray(0, at), bytes.subarray(at)]).lines, [line, line], `cut at ${at}`);
  }
});

test('an incomplete character at the end of a line spoils only itself', () => {
  const bytes = Buffer.concat([
    Buffer.from('a'),
    Buffer.from([0xf0, 0x9f, 0x98]),
    Buffer.from('\nb\n'),
    Buffer.from([0xe6]),
  ]);
  assert.equal(split([bytes]).lines, ['a\ufffd', 'b', '\ufffd']);
});

test('a line over the limit is dropped up to its newline and the next one is delivered', () => {
  const bytes = Buffer.from(`${'x'.repeat(11)}\nok\n${'y'.repeat(10)}\n`);
  for (const size of [1, 2, 3, 7, 100]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, i * size + size),
    );
    assert.equal(split(chunks, { max: 10 }), { lines: ['ok', 'y'.repeat(10)], dropped: [11] }, `chunks of ${size}`);
  }
});

test('an over-long last line without a newline is told as dropped', () => {
  assert.equal(split([Buffer.from('ok\n'), Buffer.alloc(30, 120)], { max: 10 }), { lines: ['ok'], dropped: [30] });
});

test('cut delivers the beginning of an over-long line, never half a character', () => {
  const heard = split([Buffer.from('abc😀def\nnext\n')], { max: 5, long: 'cut' });
  assert.equal(heard, { lines: ['abc', 'next'], dropped: [5] });
});

test('a 64 MiB line over a 16 MiB limit costs no more than the limit and the stream goes on', () => {
  const heard: Heard = { lines: [], dropped: [] };
  const splitter = lineSplitter({
    max: 16 << 20,
    onLine: (text) => heard.lines.push(text),
    onDropped: (bytes) => heard.dropped.push(bytes),
  });
  const chunk = Buffer.alloc(65536, 120);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 1024; i++) splitter.push(chunk);
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 << 20);
  splitter.push(Buffer.from('\nnext\n'));
  assert.equal(heard, { lines: ['next'], dropped: [64 << 20] });
});

test('the work grows with the bytes, not with their square: a long line in one-byte chunks', () => {
  // Quadratic splitting would copy 2 TiB here and run into the test runner's limit.
  let length = 0;
  const splitter = lineSplitter({ max: 4 << 20, onLine: (text) => (length = text.length) });
  const chunk = Buffer.alloc(1, 120);
  for (let i = 0; i < 2 << 20; i++) splitter.push(chunk);
  splitter.end();
  assert.is(length, 2 << 20);
});

test('equals the plain definition for any bytes, chunking and limit', () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\r\n', '\r', '\u2028', '\ufeff', '', '😀', 'é', '{"a":1}'),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  const bytes = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => new Uint8Array(Buffer.from(parts.join('')))),
    fc
      .array(fc.constantFrom(10, 13, 0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0x98, 0x80, 0xc3, 65), { maxLength: 40 })
      .map((list) => Uint8Array.from(list)),
  );
  const chunking = fc.array(fc.nat(200), { maxLength: 8 });
  fc.assert(
    fc.property(
      bytes,
      chunking,
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('drop' as const, 'cut' as const),
      (all, places, max, long) => {
        assert.equal(split(cutAt(all, places), { max, long }), slowly(all, max, long));
      },
    ),
    { numRuns: 3000 },
  );
});

test('a line that is not UTF-8 is reported instead of delivered when somebody asks, and the others come', () => {
  const bytes = Buffer.concat([
    Buffer.from('one\nb'),
    Buffer.from([0xff]),
    Buffer.from('d\nthrée\n'),
    Buffer.from([0xc3]),
  ]);
  for (let size = 1; size <= bytes.length; size++) {
    const seen: string[] = [];
    const lines = lineSplitter({ max: 100, onLine: (text) => seen.push(text), onInvalid: () => seen.push('INVALID') });
    for (let from = 0; from < bytes.length; from += size) lines.push(bytes.subarray(from, from + size));
    lines.end();
    assert.equal(seen, ['one', 'INVALID', 'thrée', 'INVALID'], `chunks of ${size}`);
  }
});

test.run();
