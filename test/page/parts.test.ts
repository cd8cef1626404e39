import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ansi } from '../../src/page/ansi.js';
import { blocks } from '../../src/page/blocks.js';
import { cost, tokens } from '../../src/page/format.js';
import { readRoute } from '../../src/page/route.js';
import { visible } from '../../src/page/visible.js';
import { filesOfTool, sideBySide } from '../../src/view/diff.js';
import type { ToolItem } from '../../src/view/item.js';

const test = suite('what the page makes of texts');

test('characters that reorder or hide others are shown by their number', () => {
  assert.equal(visible('a\u202eb'), [
    { text: 'a', mark: false },
    { text: 'U+202E', mark: true },
    { text: 'b', mark: false },
  ]);
  for (const char of ['\u2066', '\u200b', '\ufeff', '\u0000', '\u001b', '\u00ad', '\u{e0041}'])
    assert.is(visible(char)[0]?.mark, true, JSON.stringify(char));
  assert.equal(visible('a\n\tb ü 漢'), [{ text: 'a\n\tb ü 漢', mark: false }]);
});

test('joined emoji stay whole in running text, not in commands', () => {
  assert.is(visible('👩\u200d💻', true).length, 1);
  assert.is(visible('👩\u200d💻').length, 3);
});

test('colours of a terminal become names, and all else that it would obey is gone', () => {
  assert.equal(ansi('\u001b[1;31mred\u001b[0m plain\u001b[2J\u001b]0;title\u0007'), [
    { text: 'red', look: 'red bold' },
    { text: ' plain', look: '' },
  ]);
  assert.equal(ansi('\u001b[38;5;196mx'), [{ text: 'x', look: '' }]);
});

test('an edit is a change of lines, and a removal stands beside what replaced it', () => {
  const input = { file_path: 'a.ts', old_string: 'one\ntwo\n', new_string: 'one\n2\nthree\n' };
  const [file] = filesOfTool('edit', input);
  assert.equal([file?.path, file?.added, file?.removed], ['a.ts', 2, 1]);
  const rows = sideBySide(file?.hunks[0]?.lines ?? []);
  assert.equal(
    rows.map(({ left, right }) => [left?.text, right?.text]),
    [
      ['one', 'one'],
      ['two', '2'],
      [undefined, 'three'],
    ],
  );
  assert.equal(filesOfTool('edit', { file_path: 'a.ts' }), []);
});

test('what is not known is said so', () => {
  assert.is(cost(null), 'unknown');
  assert.is(cost(0), '$0.0000');
  assert.is(tokens(null), 'unknown');
});

test('reads in a row are one block', () => {
  const read = (id: string, state: ToolItem['state'] = 'ok'): ToolItem => ({
    kind: 'tool',
    key: id,
    seq: 1,
    id,
    name: 'read',
    tool: 'read',
    label: 'read a',
    input: null,
    state,
    output: '',
    cut: false,
    durationMs: 1,
    exitCode: null,
    depth: 0,
  });
  const made = blocks([read('a'), read('b'), read('c', 'failed'), read('d')]);
  assert.equal(
    made.map((block) => ('reads' in block ? block.reads.length : block.item.kind)),
    [2, 'tool', 'tool'],
  );
});

test('an address names a view; one that is not known is home', () => {
  assert.equal(readRoute('#/s/ses_1'), { view: 'session', id: 'ses_1' });
  assert.equal(readRoute('#/usage'), { view: 'usage' });
  for (const other of ['', '#/', '#/nonsense', '#/s/', '#t=code']) assert.equal(readRoute(other), { view: 'home' });
});

test.run();
