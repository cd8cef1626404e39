import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../src/contract/error.js';
import { readInputFile, readInputStream } from '../../src/request/input-file.js';
import { place } from '../../src/request/place.js';
import { asFlags } from '../../src/request/spelling.js';
import { scratch } from '../contract/scratch.js';

const test = suite('files that flags name');
const folder = scratch('input');
const at = place(asFlags, ['prompt']);

/** What is read of a file of these bytes. */
function read(bytes: Uint8Array): Promise<string> {
  writeFileSync(join(folder, 'given.txt'), bytes);
  return readInputFile('given.txt', folder, at, 1024);
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

test('the text of an editor of Windows is what its person wrote', async () => {
  assert.is(await read(Buffer.from('\ufeffGrüße 🙂', 'utf8')), 'Grüße 🙂');
  assert.is(await read(utf16('Grüße 🙂\r\n')), 'Grüße 🙂\r\n');
  assert.is(await read(utf16('Grüße 🙂').swap16()), 'Grüße 🙂');
});

test('bytes that are no text are refused with words, from a file and from stdin', async () => {
  const refused = async (reading: Promise<string>) => {
    const error = await reading.catch((thrown: unknown) => thrown);
    assert.instance(error, UsageError);
    if (!(error instanceof UsageError)) return;
    assert.is(error.rule, 'form');
    assert.match(error.message, /text: save it as UTF-8/);
  };
  for (const bytes of [Buffer.from('Grüße', 'latin1'), Buffer.concat([utf16('a'), Buffer.from([1])])]) {
    await refused(read(bytes));
  }
  const stdin = (async function* () {
    yield Buffer.from([0xff, 0x41]);
  })();
  await refused(readInputStream(stdin, at, 1024));
});

test.run();
