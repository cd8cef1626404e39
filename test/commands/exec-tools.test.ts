import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { file, read, refuses } from './reading.js';

const withTools = (content: string | object) => read('--tools', 'stdio', '--tools-file', file('tools.json', content));

test('definitions are read; without a schema any arguments are taken', async () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } };
  const { request } = await withTools([
    { name: 'one', description: '1', schema },
    { name: 'two', description: '2' },
  ]);
  assert.is(request.toolsOn, true);
  assert.equal(request.tools, [
    { name: 'one', description: '1', schema },
    { name: 'two', description: '2', schema: { type: 'object' } },
  ]);
});

test('an empty list and no list at all are fine with --tools stdio', async () => {
  assert.equal((await withTools([])).request.tools, []);
  assert.is((await read('--tools', 'stdio')).request.toolsOn, true);
});

test('bare names are read', async () => {
  const { request } = await read('--tools', 'stdio', '--tool-names', 'a, b');
  assert.equal(
    request.tools.map((tool) => tool.name),
    ['a', 'b'],
  );
  await refuses(
    read('--tools', 'stdio', '--tool-names', 'a,a'),
    /^--tool-names \(number 2\): "a" is the name of another tool already$/,
  );
  await refuses(read('--tools', 'stdio', '--tool-names', 'a,'), /no empty entry/);
});

test('declarations need --tools stdio and exclude each other', async () => {
  const path = file('tools.json', []);
  await refuses(read('--tools-file', path), /^--tools-file: needs --tools stdio$/);
  await refuses(read('--tool-names', 'a'), /^--tool-names: needs --tools stdio$/);
  await refuses(read('--tools', 'none', '--tool-names', 'a'), /^--tool-names: needs --tools stdio$/);
  await refuses(read('--tools', 'stdio', '--tools-file', path, '--tool-names', 'a'), /not both$/);
});

test('a fault names the index and the path', async () => {
  const good = { name: 'good', description: '' };
  await refuses(withTools('{'), /^--tools-file: not valid JSON/);
  await refuses(withTools({}), /expected a JSON array/);
  await refuses(withTools([good, 7]), /tools\[1\]: expected an object/);
  await refuses(withTools([good, { description: '' }]), /tools\[1\]\.name: expected a string/);
  await refuses(withTools([good, { name: 7, description: '' }]), /tools\[1\]\.name: expected a string/);
  await refuses(withTools([{ name: '', description: '' }]), /tools\[0\]\.name: expected 1 to 128/);
  await refuses(withTools([{ name: 'x'.repeat(129), description: '' }]), /tools\[0\]\.name: expected 1 to 128/);
  await refuses(withTools([good, good]), /tools\[1\]\.name: "good" is the name of another tool already/);
  await refuses(withTools([{ name: 'x' }]), /tools\[0\]\.description: expected a string/);
  await refuses(withTools([{ ...good, schema: [] }]), /tools\[0\]\.schema: expected a JSON Schema object/);
  await refuses(withTools([{ ...good, schema: null }]), /tools\[0\]\.schema: expected a JSON Schema object/);
  await refuses(withTools([{ ...good, schema: { type: 'array' } }]), /tools\[0\]\.schema\.type: .*"object"/);
});

test('a name of 128 characters is accepted', async () => {
  assert.is((await withTools([{ name: 'x'.repeat(128), description: '' }])).request.tools.length, 1);
});

test.run();
