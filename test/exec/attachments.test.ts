import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { converse as claude } from '../../runners/claude/converse.js';
import { startTurn } from '../../runners/codex/thread.js';
import { UsageError } from '../../src/contract/error.js';
import { byId } from '../../src/registry/registry.js';
import { readImages, withFiles } from '../../src/request/attachments.js';
import { place } from '../../src/request/place.js';
import { asFlags, asOptions } from '../../src/request/spelling.js';
import { admit } from '../../src/turn/admission.js';
import { demo } from '../contract/cli.js';
import { machine, request } from '../runners/drive.js';
import { runner } from '../turn/stage.js';

const folder = mkdtempSync(join(tmpdir(), 'turnout-attachments-'));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return name;
};
const IMAGES = place(asFlags, ['images']);
const FILES = place(asFlags, ['files']);
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const refuses = (run: () => unknown, message: RegExp) =>
  assert.throws(run, (error: unknown) => error instanceof UsageError && message.test(error.message));

test('images are known by their first bytes, whatever their name', () => {
  const names = [
    file('a.txt', PNG),
    file('b', Buffer.from('ffd8ffe0', 'hex')),
    file('c', 'GIF89a...'),
    file('d', 'RIFF1234WEBPxx'),
  ];
  const images = readImages(names, folder, IMAGES);
  assert.equal(
    images.map(({ mediaType }) => mediaType),
    ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  );
  assert.is(images[0]?.path, join(folder, 'a.txt'));
  assert.is(images[0]?.data, PNG.toString('base64'));
});

test('what is no image, not there, a folder or too large is a usage error that names the option', () => {
  refuses(() => readImages([file('e.png', 'text')], folder, IMAGES), /^--image \(number 1\): e\.png: not a PNG/);
  refuses(() => readImages(['none.png'], folder, IMAGES), /no such file/);
  mkdirSync(join(folder, 'sub'));
  refuses(() => readImages(['sub'], folder, place(asOptions, ['images'])), /^images\[0\]: sub: it is a folder/);
  file('big.png', PNG);
  truncateSync(join(folder, 'big.png'), 21 * 1024 * 1024);
  refuses(() => readImages(['big.png'], folder, IMAGES), /more than 20 MiB/);
});

test('text files stand behind the prompt, in order; binary ones are refused', () => {
  const whole = withFiles('Look:', [file('one.md', 'first\n'), file('two.md', 'second')], folder, FILES);
  assert.is(whole, 'Look:\n\n<file name="one.md">\nfirst\n</file>\n\n<file name="two.md">\nsecond\n</file>');
  assert.is(withFiles('Look', [], folder, FILES), 'Look');
  refuses(() => withFiles('x', [file('f', PNG)], folder, FILES), /not a text file/);
  refuses(() => withFiles('x', [file('g', 'a\0b')], folder, FILES), /not a text file/);
});

const IMAGE = { path: '/p/a.png', mediaType: 'image/png', data: 'iVBORw==' } as const;
const asked = request({ images: [IMAGE], cwd: '/p' });

test('claude, codex and ACP agents get a picture in their own form', () => {
  const lines = JSON.stringify([
    ...claude(asked, machine()).hear({ type: 'spawned' }),
    ...claude(request({ prompt: 'x' }), machine()).hear({ type: 'spawned' }),
  ]);
  assert.match(lines, 'initialize');
  assert.match(JSON.stringify(startTurn(asked, 't')), '{"type":"localImage","path":"/p/a.png"}');
});

test('a runtime that takes none refuses', async () => {
  const refused = admit(runner(), asked, { root: false, allowRoot: false });
  assert.is(refused.refuse, 'unsupported');
  const taken = admit(runner({ images: true }), asked, { root: false, allowRoot: false });
  assert.is(taken.refuse, undefined);
  const { code, events } = await demo('x', ['--image', join(folder, file('z.png', PNG))], { stdin: 'ignore' }).ended;
  assert.is(code, 2);
  assert.is(events[1]?.['code'], 'unsupported');
});

test('an ACP agent that does not say that it takes images refuses', () => {
  const gemini = byId('gemini');
  assert.ok(gemini?.images);
  for (const [image, code] of [
    [true, undefined],
    [false, 'unsupported'],
  ] as const) {
    const conversation = gemini.converse(asked, machine());
    const first = conversation.hear({ type: 'spawned' });
    const hello = first.find((action) => action.do === 'write');
    assert.ok(hello?.do === 'write');
    const { id } = JSON.parse(hello.line);
    const reply = {
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: 1, agentCapabilities: { promptCapabilities: { image } } },
    };
    const actions = conversation.hear({ type: 'line', text: JSON.stringify(reply) });
    const end = actions.find((action) => action.do === 'finish');
    assert.is(end?.do === 'finish' && !end.outcome.ok ? end.outcome.code : undefined, code);
  }
});

test('--file reaches the agent', async () => {
  const name = join(folder, file('said.txt', 'from the file'));
  const { events } = await demo('say look', ['--file', name], { stdin: 'ignore' }).ended;
  const text = String(events.find(({ type }) => type === 'result')?.['text']);
  assert.match(text, /^look\n\n<file name="said\.txt">\nfrom the file\n<\/file>$/);
});

test.after(() => rmSync(folder, { recursive: true, force: true }));
test.run();
