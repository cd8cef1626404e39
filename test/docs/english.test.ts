/** The word list of CONTRIBUTING: phrases that read as translated. What is left of them may only shrink. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { documents, root } from './documents.js';

const AVOIDED = {
  // "There is no such run" is how everybody says it.
  'is no X': /(?<!\bthere )\b(?:is|are) no\b(?! longer| more)/gi,
  'is told': /\btold\b/gi,
  'tells of': /\btells? of\b/gi,
  'none that': /\bnone that\b/gi,
  'as it must': /\bas it must\b/gi,
  'of ours': /\bof ours\b/gi,
  nobody: /\bnobody\b/gi,
  'sudden death': /\bsudden death\b/gi,
} as const;
type Phrase = keyof typeof AVOIDED;

/** How often each phrase may still occur. Lower a number when you mend a place; never raise one. */
const LEFT: Readonly<Record<'docs' | 'src', Readonly<Record<Phrase, number>>>> = {
  docs: {
    'is no X': 12,
    'is told': 32,
    'tells of': 2,
    'none that': 0,
    'as it must': 0,
    'of ours': 5,
    nobody: 18,
    'sudden death': 3,
  },
  src: {
    'is no X': 219,
    'is told': 523,
    'tells of': 9,
    'none that': 8,
    'as it must': 0,
    'of ours': 67,
    nobody: 166,
    'sudden death': 5,
  },
};

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
const pages = ['clients/python/README.md', 'clients/go/README.md', 'action/README.md'];
const texts = {
  // The list itself names the phrases.
  docs: [
    ...documents().map(({ text }) => text.replace(/<!-- words -->[\s\S]*?<!-- \/words -->/, '')),
    ...pages.map((name) => readFileSync(join(root, name), 'utf8')),
  ],
  src: [...sources('src'), ...sources('runners')],
};

for (const place of ['docs', 'src'] as const) {
  for (const [phrase, left] of Object.entries(LEFT[place])) {
    test(`${place}: “${phrase}” does not come back`, () => {
      const pattern = Object.entries(AVOIDED).find(([name]) => name === phrase)?.[1] ?? /$^/;
      const lines = texts[place].flatMap((text) => text.split('\n').filter((line) => line.match(pattern)));
      const found = texts[place].reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
      assert.ok(found <= left, `${found}, ${left} are allowed; see “Style” in CONTRIBUTING:\n${lines.join('\n')}`);
    });
  }
}

test.run();
