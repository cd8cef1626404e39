import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrder, type Row, readSections, type Section, withResults } from './matrix.js';

const order = [
  { name: 'text', title: 'A short answer', core: true },
  { name: 'resume', title: 'A second turn', core: true },
  { name: 'drop', title: 'Breaks off | once' },
] as const;

const row = (name: string, outcome: Row['outcome'], note = ''): Row => ({ name, title: '', outcome, note });
const section = (runtime: string, version: string, ...rows: Row[]): Section => ({ runtime, version, rows });

const whole = section('one', '1.0', row('text', 'pass'), row('resume', 'limit', 'it has | none'), row('drop', 'FAIL'));
const first = withResults('', [whole, section('two', '2.0', row('text', 'pass'))], order);

test('a run of one row of one program changes that cell alone', () => {
  const { document } = withResults(first.document, [section('one', '1.0', row('drop', 'pass'))], order);
  const sections = readSections(document);
  assert.equal(
    sections.get('one')?.rows.map(({ name, outcome, note }) => [name, outcome, note]),
    [
      ['resume', 'limit', 'it has | none'],
      ['text', 'pass', ''],
      ['drop', 'pass', ''],
    ],
  );
  assert.equal(sections.get('two')?.rows.length, 1);
});

test('what an older version did is not told of a newer one', () => {
  const { document } = withResults(first.document, [section('one', '1.1', row('text', 'pass'))], order);
  assert.equal(
    readSections(document)
      .get('one')
      ?.rows.map(({ name }) => name),
    ['text'],
  );
});

test('the overview has a line a program: the core rows, and how many of all came out how', () => {
  assert.ok(first.overview.includes('| one 1.0 | pass | limit | 1, 1, 1 of 3 |'));
  assert.ok(first.overview.includes('| two 2.0 | pass | – | 1, 0, 0 of 3 |'));
});

test('a program is in order when it went through every core row, by its own limits or without', () => {
  const failing = section('three', '1', row('text', 'pass'), row('resume', 'FAIL'));
  assert.equal(inOrder([whole, section('two', '2.0', row('text', 'pass')), failing], order), ['one']);
});

test('what was not run is named', () => {
  assert.ok(first.document.includes('Not run: `resume`, `drop`'));
});

test('writing what was read changes nothing', () => {
  const again = withResults(first.document, [], order);
  assert.is(again.document, first.document);
});

test.run();
