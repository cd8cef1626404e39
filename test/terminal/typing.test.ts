import { PassThrough } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inputLine } from '../../src/chat/input.js';
import { edit, emptyDraft, insert, vertical } from '../../src/terminal/editor.js';
import { hearKeys, type Press } from '../../src/terminal/keys.js';
import { region } from '../../src/terminal/region.js';
import { layDraft, tail, window } from '../../src/terminal/rows.js';
import { columnsOf } from '../../src/text/printable.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function heard(...chunks: string[]): Promise<Press[]> {
  const input = new PassThrough();
  const presses: Press[] = [];
  hearKeys(input, (press) => void presses.push(press));
  for (const chunk of chunks) {
    input.write(chunk);
    await turn();
  }
  return presses;
}

const text = (presses: readonly Press[]) =>
  presses.map((one) => (one.kind === 'key' ? `<${one.name}>` : one.text)).join('');

test('keys have names, letters are text', async () => {
  assert.is(text(await heard('hi', '\u001b[D', '\r', '\u0003', '\u007f')), 'hi<left><enter><interrupt><backspace>');
  assert.is(text(await heard('漢字🎉')), '漢字🎉');
  assert.is(text(await heard('\u001b')), '<escape>');
});

test('a new line by Shift+Enter, Alt+Enter and Ctrl-J, whatever the terminal sends', async () => {
  assert.is(text(await heard('\u001b[13;2u', '\u001b[27;2;13~', '\u001b\r', '\n')), '<newline>'.repeat(4));
});

test('reports of a mouse, focus and unknown keys are no text', async () => {
  assert.is(text(await heard('\u001b[<0;10;20M', '\u001b[I', '\u001b[97;5u', '\u001b[27;5;97~', 'x')), 'x');
});

test('a paste is one event with line feeds, in whatever pieces it comes', async () => {
  assert.equal(await heard('\u001b[200~one\r\ntwo', '\rthree\u001b[201~!'), [
    { kind: 'paste', text: 'one\ntwo\nthree' },
    { kind: 'text', text: '!' },
  ]);
});

test('many characters at once with a line end are a paste without brackets', async () => {
  assert.equal(await heard('first line\rsecond line\r'), [{ kind: 'paste', text: 'first line\nsecond line\n' }]);
});

test('editing moves by what is seen as one character', () => {
  const draft = insert(emptyDraft, 'a👨‍👩‍👧é');
  assert.is(edit(draft, 'backspace').text, 'a👨‍👩‍👧');
  assert.is(edit(edit(draft, 'backspace'), 'backspace').text, 'a');
  assert.is(edit(insert(emptyDraft, 'one two'), 'delete-word').text, 'one ');
  const lines = insert(emptyDraft, 'long line\nb');
  assert.is(vertical(lines, -1)?.at, 1);
  assert.is(vertical(insert(emptyDraft, 'x'), -1), null);
});

test('a draft is laid so that the cursor is where the next character goes', () => {
  const laid = layDraft({ text: 'abcdefgh', at: 8 }, '> ', 6);
  assert.equal(laid, { rows: ['> abc', '  def', '  gh'], row: 2, column: 4 });
  assert.ok(layDraft({ text: '漢字漢字', at: 2 }, '> ', 7).rows.every((row) => columnsOf(row) < 7));
  assert.equal(window(laid, 2), { rows: ['  def', '  gh'], row: 1, column: 4 });
  assert.equal(tail(['a', 'b', 'c'], 2), ['…', 'c']);
});

test('after the screen became narrower, all rows that were drawn are taken off', () => {
  let written = '';
  let columns = 20;
  const live = region(
    (more) => {
      written = more;
    },
    () => columns,
  );
  live.draw({ above: [], rows: ['x'.repeat(18), '> '], cursor: { row: 1, column: 2 } });
  columns = 10;
  live.draw({ above: ['done'], rows: ['> '], cursor: { row: 0, column: 2 } });
  // One row of 18 columns takes two of 10.
  assert.match(written, '\u001b[2A\r\u001b[J' + 'done\r\n');
  assert.is(written.split('\u001b[3J').length, 1);
});

test('a long paste is shown by its size and sent whole', () => {
  const line = inputLine(
    () => [],
    () => [],
  );
  const long = Array.from({ length: 250 }, (_, n) => `line ${n}`).join('\n');
  line.type('read: ');
  line.paste(long);
  assert.is(line.draft().text, 'read: [pasted 250 lines #1]');
  assert.is(line.take().whole, `read: ${long}`);
});

test('earlier prompts by the arrows and by search', () => {
  const line = inputLine(
    () => ['first', 'fix the test', 'last'],
    () => [],
  );
  line.type('dra');
  line.key('up');
  assert.is(line.draft().text, 'last');
  line.key('up');
  line.key('down');
  line.key('down');
  assert.is(line.draft().text, 'dra');
  line.key('search');
  line.type('test');
  assert.equal(line.searched(), { query: 'test', found: 'fix the test' });
  line.key('enter');
  assert.is(line.draft().text, 'fix the test');
});

test('a slash, a word and a file are completed by Tab', () => {
  const line = inputLine(
    () => [],
    () => ['src/main.ts', 'docs/a b.md'],
  );
  line.type('/acc');
  line.key('tab');
  line.type('ed');
  assert.ok(line.key('tab'));
  assert.is(line.take().whole, '/access edit');
  line.type('look at @main');
  line.key('tab');
  line.type('and @a');
  line.key('down');
  line.key('escape');
  assert.equal(line.suggestions().list, []);
  assert.is(line.take().whole, 'look at @src/main.ts and @a');
});

test.run();
