import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readExec } from '../../src/commands/exec.js';
import type { Event } from '../../src/contract/event.js';
import { firstLine } from '../../src/exec/stdin-frames.js';
import { around, refuses } from './reading.js';

const bin = join(process.env['TURNOUT_ROOT'] ?? '.', 'bin', 'turnout.js');
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');
const flags = ['--runtime', 'demo', '--prompt-frame'];
const withLine = (line: string) => readExec(flags, around({ firstLine: async () => ({ line }) }));
const frame = (fields: object) => JSON.stringify({ v: 1, type: 'prompt', ...fields });

async function ran(args: readonly string[], input: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [bin, 'agent', 'exec', ...args], { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  // Never ended: the turn must not wait for it.
  child.stdin.write(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err };
}

test('the first frame is the prompt, and a frame behind it in the same write is heard', async () => {
  const { code, out, err } = await ran(flags, `${frame({ text: 'hang' })}\n{"v":1,"type":"cancel"}\n`);
  assert.is(code, 130, err);
  assert.match(out, '"code":"cancelled"');
});

test('a prompt in UTF-8 reaches the agent whole', async () => {
  const { code, out, err } = await ran(flags, `${frame({ text: 'say grüße, 日本 \u2028 end' })}\n`);
  assert.is(code, 0, err);
  const said = out
    .trimEnd()
    .split('\n')
    .map((line): Event => JSON.parse(line))
    .flatMap((event) => (event.type === 'assistant' ? [event.text] : []))
    .join('');
  assert.is(said, 'grüße, 日本 \u2028 end');
});

test('pictures come with it, and their bytes say what they are', async () => {
  const plan = await withLine(frame({ text: 'look', images: [{ media_type: 'image/png', data: PNG }, { data: PNG }] }));
  assert.equal(plan.request.images, [
    { path: null, mediaType: 'image/png', data: PNG },
    { path: null, mediaType: 'image/png', data: PNG },
  ]);
  const bad = (image: object) => withLine(frame({ text: 'look', images: [image] }));
  await refuses(bad({ media_type: 'image/gif', data: PNG }), /the bytes are image\/png, not image\/gif$/);
  await refuses(bad({ data: 'aGVsbG8=' }), /not a PNG, JPEG, GIF or WebP image$/);
  await refuses(bad({ data: '%' }), /not base64$/);
  await refuses(bad({}), /expected "data" in base64$/);
});

test('what is not a prompt frame is a usage error before anything is spawned', async () => {
  await refuses(withLine('hello'), /not a JSON object$/);
  await refuses(withLine('{"type":"cancel"}'), /must be of type prompt, not "cancel"$/);
  await refuses(withLine(frame({ text: ' ' })), /expected "text" that is not empty$/);
  const { code, out, err } = await ran(flags, 'hello\n');
  assert.is(code, 2);
  assert.is(out, '');
  assert.is(JSON.parse(err).path, '--prompt-frame');
});

test('it is given instead of a prompt, not beside one', async () => {
  await refuses(readExec([...flags, '--prompt', 'x'], around()), /not both$/);
  await refuses(readExec([...flags, '--prompt-file', 'x'], around()), /not both$/);
});

test('a line is taken from its stream, and the rest stays', async () => {
  const stream = new PassThrough();
  stream.write('one');
  const line = firstLine(stream, { bytes: 100, ms: 10_000 });
  stream.write(' line\r\nnext\n');
  assert.equal(await line, { line: 'one line' });
  stream.end('last\n');
  let rest = '';
  for await (const chunk of stream) rest += String(chunk);
  assert.is(rest, 'next\nlast\n');
});

test('an end, silence and a flood are told apart', async () => {
  const ended = new PassThrough();
  ended.end();
  assert.equal(await firstLine(ended, { bytes: 10, ms: 10_000 }), { why: 'ended' });
  const without = new PassThrough();
  without.end('no newline');
  assert.equal(await firstLine(without, { bytes: 10, ms: 10_000 }), { line: 'no newline' });
  assert.equal(await firstLine(new PassThrough(), { bytes: 10, ms: 1 }), { why: 'late' });
  const flood = new PassThrough();
  flood.write('x'.repeat(11));
  assert.equal(await firstLine(flood, { bytes: 10, ms: 10_000 }), { why: 'long' });
});

test.run();
