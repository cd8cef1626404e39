import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Look } from '../../src/terminal/blocks.js';
import { markdown } from '../../src/terminal/markdown.js';

const look: Look = { paint: (_, text) => text, columns: () => 60, highlight: (code) => code };

/** What is printed when a text comes in these pieces. */
function printed(pieces: readonly string[], own: Look = look): string[] {
  const stream = markdown(own);
  const lines: string[] = [];
  for (const piece of pieces) {
    stream.push(piece);
    lines.push(...stream.closed());
  }
  stream.end();
  return [...lines, ...stream.closed()];
}

const TEXT = `# Title

A paragraph with **bold**, *italic*, \`code\` and [a link](https://example.org/x)
on two lines.

1. one
2. two
   - inner
   - more
3. three

- [x] done
- [ ] open

| a | bb |
|---|---:|
| 1 | 2 |
| 漢字 | 22 |

> quoted
> text

\`\`\`ts
const a = 1;

  indented();
\`\`\`

---

The end &lt;here&gt;.`;

const LINES = [
  'Title',
  '',
  'A paragraph with bold, italic, code and a link (https://example.org/x) on two lines.',
  '',
  '1. one',
  '2. two',
  '   - inner',
  '   - more',
  '3. three',
  '',
  '- [x] done',
  '- [ ] open',
  '',
  'a     bb',
  '1      2',
  '漢字  22',
  '',
  '> quoted text',
  '',
  '```ts',
  'const a = 1;',
  '',
  '  indented();',
  '```',
  '',
  '---',
  '',
  'The end <here>.',
];

test('blocks become whole lines without frames or trailing blanks', () => {
  assert.equal(printed([TEXT]), LINES);
  assert.ok(LINES.every((line) => line.trimEnd() === line));
});

test('whatever the pieces in which it comes, the same is printed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 20 }), (sizes) => {
      const pieces: string[] = [];
      let at = 0;
      for (const size of sizes) {
        pieces.push(TEXT.slice(at, at + size));
        at += size;
      }
      assert.equal(printed([...pieces, TEXT.slice(at)]), LINES);
    }),
    { numRuns: 200 },
  );
});

test('what is closed is printed before the answer is over: paragraphs, items, lines of code', () => {
  const stream = markdown(look);
  stream.push('One.\n\nTwo');
  assert.equal(stream.closed(), ['One.']);
  assert.equal(stream.open(), ['', 'Two']);
  stream.push('.\n\n- a\n- b\n- c');
  assert.equal(stream.closed(), ['', 'Two.', '', '- a', '- b']);
  stream.push('\n\n```sh\nls\npw');
  assert.equal(stream.closed(), ['- c', '', '```sh', 'ls']);
  assert.equal(stream.open(), ['pw']);
});

test('a table that is wider than the screen becomes lines', () => {
  const narrow = { ...look, columns: () => 10 };
  const table = '| name | value |\n|---|---|\n| long name | long value |\n| b | c |\n';
  assert.equal(printed([table], narrow), ['name: long name', 'value: long value', '', 'name: b', 'value: c']);
});

test('what a terminal would obey is left out', () => {
  assert.equal(printed(['a\u001b]52;c;aGk=\u0007b\u001b[2Jc\u0007\u009b1m']), ['abc1m']);
});

test('a long answer is read once, not again with each piece', () => {
  // Read as a whole with each piece, this takes longer than a test file may.
  const paragraphs = Array.from({ length: 5000 }, (_, n) => `Paragraph ${n} with some words in it.\n\n`);
  assert.is(printed(paragraphs).length, 9999);
});

test.run();
