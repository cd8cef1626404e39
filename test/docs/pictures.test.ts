import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { documents, root } from './documents.js';

const words = (name: string) =>
  readFileSync(join(root, 'docs', 'images', `${name}.svg`), 'utf8').replace(/<style>[\s\S]*?<\/style>|<[^>]*>/g, ' ');

test('the recordings show what the pages say about them', () => {
  assert.match(words('run'), /\? +write notes\.md[\s\S]*\[y\]es +\[n\]o +\[a\]lways[\s\S]*I wrote notes\.md/);
  assert.match(words('chat'), /turnout chat[\s\S]*Which tests\?[\s\S]*\/runtime \[ID\]/);
  assert.match(words('compare'), /Land one\?[\s\S]*changed notes\.md/);
  for (const name of ['run', 'chat', 'compare']) {
    const shown = documents().some(({ text }) => text.includes(`images/${name}.svg`));
    assert.ok(shown, `${name}.svg is shown somewhere`);
  }
});

test('nothing of the machine that recorded them is in the recordings', () => {
  for (const name of ['run', 'chat', 'compare']) assert.not.match(words(name), /\/(?:home|root|work|Users)\//);
});

test.run();
