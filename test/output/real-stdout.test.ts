import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = process.env['TURNOUT_ROOT'] ?? '.';
const folder = mkdtempSync(join(tmpdir(), 'stdout-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A program that writes 8 MiB of events, waits for its reader and exits; 130 when stdout broke. */
const program = join(folder, 'writes-much.mjs');
const source = `
  import { eventWriter } from './src/output/event-writer.js';
  const seen = [];
  const writer = eventWriter(process.stdout, {
    onBroken: (error) => seen.push(error.code),
    onPause: () => seen.push('pause'),
    onResume: () => seen.push('resume'),
  });
  for (let i = 0; i < 128; i++) writer.write({ v: 1, type: 'assistant', text: 'x'.repeat(65536), message_id: String(i) });
  await writer.flush(...process.argv.slice(2).map(Number));
  process.stderr.write(seen.join(' '), () => process.exit(writer.broken ? 130 : 0));
`;
const { outputFiles } = buildSync({
  stdin: { contents: source, resolveDir: root, loader: 'ts' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
});
writeFileSync(program, outputFiles[0]?.text ?? '');

function start(stdout: 'pipe' | number, ...argv: string[]) {
  const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', stdout, 'pipe'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { child, said: () => said };
}

function complete(text: string): boolean {
  const ids = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).message_id);
  return ids.length === 128 && ids.every((id, index) => id === String(index));
}

test('a slow reader on a pipe gets everything before we exit', async () => {
  const { child, said } = start('pipe');
  let text = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk: string) => {
    text += chunk;
    child.stdout?.pause();
    setImmediate(() => child.stdout?.resume());
  });
  const [code] = await once(child, 'close');
  assert.is(code, 0);
  assert.ok(complete(text));
  assert.is(said(), 'pause resume');
});

test('a file gets everything', async () => {
  const path = join(folder, 'out.ndjson');
  const { child } = start(openSync(path, 'w'));
  const [code] = await once(child, 'close');
  assert.is(code, 0);
  assert.ok(complete(readFileSync(path, 'utf8')));
});

test('a reader that leaves is a broken stdout', async () => {
  const { child, said } = start('pipe');
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [code] = await once(child, 'close');
  assert.is(code, 130);
  assert.match(said(), /EPIPE|ECONNRESET/);
});

test('a full disk is a broken stdout', async () => {
  if (process.platform !== 'linux') return console.log('SKIPPED: there is no /dev/full here');
  const { child, said } = start(openSync('/dev/full', 'w'));
  const [code] = await once(child, 'close');
  assert.is(code, 130);
  assert.match(said(), /ENOSPC/);
});

test('a reader that never reads does not hold up a bounded flush', async () => {
  const { child } = start('pipe', '50');
  child.stdout?.pause();
  const [code] = await once(child, 'exit');
  assert.is(code, 0);
});

test.run();
