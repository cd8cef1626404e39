import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Swap, statOf, swapFiles } from '../../src/workspace/swap-files.js';
import { scratch } from '../contract/scratch.js';
import { fails } from './made.js';

interface Folder {
  tree: string;
  aside: string;
  write(path: string, text: string): void;
  read(path: string): string;
  /** The swap that brings a file, or removes one. */
  swap(path: string, text: string | null): Promise<Swap>;
}

function folder(): Folder {
  const root = scratch('swap');
  const at = (name: string) => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  const [tree, fresh, aside] = [at('tree'), at('fresh'), at('aside')];
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  return {
    tree,
    aside,
    write: (path, text) => put(join(tree, path), text),
    read: (path) => readFileSync(join(tree, path), 'utf8'),
    async swap(path, text) {
      const from = text === null ? null : join(fresh, path);
      if (from !== null) put(from, text ?? '');
      return { path, from, seen: await statOf(join(tree, path)) };
    },
  };
}

test('files are replaced, made and removed, and folders come and go with them', async () => {
  const { tree, aside, write, read, swap } = folder();
  write('a.txt', 'old');
  write('deep/only/b.txt', 'b');
  write('was-a-file', 'x');
  const swaps = [
    await swap('a.txt', 'new'),
    await swap('new/folder/c.txt', 'c'),
    await swap('deep/only/b.txt', null),
    await swap('was-a-file/d.txt', 'd'),
    await swap('was-a-file', null),
  ];
  await swapFiles(tree, swaps, aside);
  assert.equal([read('a.txt'), read('new/folder/c.txt'), read('was-a-file/d.txt')], ['new', 'c', 'd']);
  assert.not.ok(existsSync(join(tree, 'deep')));
});

test('a file that changed since it was seen stops everything, and what was done is undone', async () => {
  const { tree, aside, write, read, swap } = folder();
  write('a.txt', 'old');
  write('deep/b.txt', 'b');
  write('z.txt', 'z');
  chmodSync(join(tree, 'a.txt'), 0o755);
  const swaps = [
    await swap('deep/b.txt', null),
    await swap('a.txt', 'new'),
    await swap('new/c.txt', 'c'),
    await swap('z.txt', 'Z'),
  ];
  write('z.txt', 'mine');
  assert.equal((await fails('changed-meanwhile', swapFiles(tree, swaps, aside))).paths, ['z.txt']);
  assert.equal([read('a.txt'), read('deep/b.txt'), read('z.txt')], ['old', 'b', 'mine']);
  assert.is(lstatSync(join(tree, 'a.txt')).mode & 0o777, 0o755);
  assert.equal(readdirSync(tree).sort(), ['a.txt', 'deep', 'z.txt']);
});

test('a file that appeared meanwhile is not overwritten', async () => {
  const { tree, aside, write, read, swap } = folder();
  const swaps = [await swap('made.txt', 'made')];
  write('made.txt', 'mine');
  await fails('changed-meanwhile', swapFiles(tree, swaps, aside));
  assert.is(read('made.txt'), 'mine');
});

test('nothing is written through a link in the place of a folder', async () => {
  const { tree, aside, write, swap } = folder();
  write('elsewhere/x', 'x');
  const swaps = [await swap('into/c.txt', 'c')];
  symlinkSync(join(tree, 'elsewhere'), join(tree, 'into'));
  await fails('conflict', swapFiles(tree, swaps, aside));
  assert.equal(readdirSync(join(tree, 'elsewhere')), ['x']);
});

test.run();
