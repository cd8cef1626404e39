import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { diskFiles } from '../../src/discovery/files.js';
import { plain, withMachine } from './lay-out.js';

const MIB = 1024 * 1024;

test('a file of at most 1 MiB is read as text; a larger one is taken for a program', () =>
  withMachine({ small: plain('x'.repeat(MIB)), large: plain('x'.repeat(MIB + 1)) }, async (m) => {
    const files = diskFiles('linux');
    assert.is((await files.text(m.at('small')))?.length, MIB);
    assert.is(await files.text(m.at('large')), null);
  }));

test('a folder and what is missing have no text', () =>
  withMachine({ sub: 'folder' }, async (m) => {
    const files = diskFiles('linux');
    assert.is(await files.text(m.at('sub')), null);
    assert.is(await files.text(m.at('missing')), null);
  }));

test.run();
