/** What each golden stream comes to: the clients of all languages are held to fixtures/contract/expected.json. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type * as ClientLibrary from '../../src/client/index.js';
import { goldenFile } from '../contract/golden.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const built = pathToFileURL(join(root, 'dist', 'client', 'index.js')).href;
const { connect }: typeof ClientLibrary = await import(built);
const fake = join(root, 'fixtures', 'bin', 'speaks-as-turnout.js');
const file = join(root, 'fixtures', 'contract', 'expected.json');
const hello = { v: 1, name: 'turnout', version: '9.9.9', protocol: 1, rev: 30, capabilities: ['agent-exec'] };

async function played(name: string) {
  const exit = /"exit_code":(\d+)/.exec(readFileSync(goldenFile(name), 'utf8'))?.[1] ?? '0';
  const env = {
    PATH: process.env['PATH'],
    FAKE_HELLO: JSON.stringify(hello),
    FAKE_STREAM: goldenFile(name),
    FAKE_EXIT: exit,
  };
  const turn = (await connect({ bin: fake, env })).exec({ runtime: 'demo', prompt: 'anything' });
  const tools: string[] = [];
  let events = 0;
  for await (const event of turn) {
    events += 1;
    if (event.type === 'tool_call') tools.push(event.name);
  }
  const { exitCode, stopReason, text, error, sessionId, totals } = await turn.result();
  return {
    events,
    exit_code: exitCode,
    stop_reason: stopReason,
    output: text,
    error: error?.code ?? null,
    session_id: sessionId,
    tools,
    usage: totals,
  };
}

test('every golden stream comes to what clients of all languages expect', async () => {
  const names = readdirSync(join(root, 'fixtures', 'contract'))
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => name.replace('.ndjson', ''))
    .sort();
  const all: Record<string, Awaited<ReturnType<typeof played>>> = {};
  for (const name of names) all[name] = await played(name);
  if (process.env['TURNOUT_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  assert.equal(all, JSON.parse(readFileSync(file, 'utf8')));
});

test.run();
