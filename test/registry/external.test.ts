import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { UsageError } from '../../src/contract/error.js';
import { loadRunner, withExternal } from '../../src/registry/external.js';
import { byId } from '../../src/registry/registry.js';
import { sample } from '../discovery/lay-out.js';

/** A sample as the text of a module; functions included. */
function moduleText(changes: Record<string, string> = {}): string {
  const data = Object.entries(sample({ id: 'mine' })).filter(([, value]) => typeof value !== 'function');
  const fields = Object.fromEntries(data.map(([name, value]) => [name, JSON.stringify(value)]));
  const all = {
    ...fields,
    tools: "() => 'none'",
    invoke: "() => ({ refuse: 'unsupported', message: 'never' })",
    converse: '() => ({ hear: () => [] })',
    ...changes,
  };
  return `export default {${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')}};`;
}

async function withModule(text: string, run: (file: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'runner-test-'));
  try {
    const file = path.join(root, 'mine.mjs');
    await writeFile(file, text);
    await run(file);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function complaint(file: string): Promise<string> {
  try {
    await loadRunner(file);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    assert.match(error.message, file);
    return error.message;
  }
  throw new Error('it was loaded');
}

test('a module that exports a runner is loaded', () =>
  withModule(moduleText(), async (file) => assert.is((await loadRunner(file)).id, 'mine')));

test('what is missing or wrong is named together', () =>
  withModule(
    moduleText({ id: "'No Id'", bins: "'text'", converse: 'undefined', toolsDoor: "'window'" }),
    async (file) => {
      assert.match(await complaint(file), 'missing or wrong are id, bins, toolsDoor, converse');
    },
  ));

test('a module without a default export, one that throws and one that is not there are usage errors', async () => {
  await withModule('export const runner = 1;', async (file) =>
    assert.match(await complaint(file), 'the default export'),
  );
  await withModule("throw new Error('boom');", async (file) =>
    assert.match(await complaint(file), /can't be loaded: boom/),
  );
  assert.match(await complaint('/nonexistent/mine.mjs'), "can't be loaded");
});

test('a loaded runner comes first and takes the place of a built-in one of its id', () => {
  const builtin = [sample({ id: 'claude' }), sample({ id: 'codex' })];
  const list = withExternal([sample({ id: 'codex', title: 'Mine' })], builtin);
  assert.equal(
    list.map((runner) => runner.id),
    ['codex', 'claude'],
  );
  assert.is(byId('codex', list)?.title, 'Mine');
});

test.run();
