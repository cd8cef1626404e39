// limit: 120s
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { UsageError } from '../../src/contract/error.js';
import { readRecordings } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';
import { adoptAll, loadRunner, withExternal } from '../../src/registry/external.js';
import { byId, runners } from '../../src/registry/registry.js';
import { badFields } from '../../src/registry/validate/shape.js';
import { RunnerFault } from '../../src/runner/fault.js';
import type { Runner } from '../../src/runner/runner.js';
import { sample } from '../discovery/lay-out.js';
import { runProgram } from '../run-program.js';
import { machine, request } from '../runners/drive.js';
import { toyModule } from './toy.js';

async function withModule(text: string, run: (file: string) => Promise<void>, name = 'mine.mjs'): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'runner-test-'));
  try {
    const file = path.join(root, name);
    await writeFile(file, text);
    await run(file);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function complaint(file: string, limitMs?: number): Promise<string> {
  try {
    await loadRunner(file, limitMs);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    assert.match(error.message, file);
    return error.message;
  }
  throw new Error('it was loaded');
}

test('a module that exports a runner is loaded, also one that a compiler made CommonJS of', async () => {
  await withModule(toyModule(), async (file) => assert.is((await loadRunner(file)).id, 'toy'));
  const text = toyModule().replace('export default', 'exports.__esModule = true; exports.default =');
  await withModule(text, async (file) => assert.is((await loadRunner(file)).id, 'toy'), 'mine.cjs');
});

test('what is missing or wrong is named together', () =>
  withModule(
    toyModule({
      id: "'No Id'",
      bins: "'text'",
      converse: 'undefined',
      toolTransport: "'window'",
      access: "{ scoped: { native_sandbox: 'none' } }",
      install: "{ kind: 'npm' }",
      builtin: 'true',
      chatter: "'text'",
      aliases: '[1]',
    }),
    async (file) => {
      const fields = 'id, aliases, builtin, bins, install, toolTransport, access, chatter, converse'.split(', ');
      const told = /missing or wrong are (.*)$/.exec(await complaint(file))?.[1]?.split(', ') ?? [];
      assert.equal(told.sort(), fields.sort());
    },
  ));

test('every built-in runner would pass the same check', () => {
  for (const runner of runners) {
    const expected = runner.builtin ? ['builtin', 'bins', 'id'] : [];
    assert.equal(badFields(runner).sort(), expected.sort(), runner.id);
  }
});

test('names that mean something else are no ids; a getter that throws is a wrong field', () => {
  for (const id of ['auto', 'acp', 'replay', 'turnout']) assert.equal(badFields(sample({ id })), ['id']);
  const trap = Object.defineProperty({ ...sample() }, 'title', {
    get() {
      throw new Error('no');
    },
  });
  assert.equal(badFields(trap), ['title']);
});

const BROKEN: readonly [title: string, text: string, says: RegExp][] = [
  ['no default export', 'export const runner = 1;', /the default export/],
  ['throws while it is loaded', "throw new Error('boom');", /can't be loaded: boom/],
  ['throws nothing at all', 'throw undefined;', /can't be loaded: undefined/],
  ['is no JavaScript', 'export default {', /can't be loaded/],
  ['imports what is not there', "import 'no-such-package-at-all';", /no-such-package-at-all/],
  ['ends the process', 'process.exit(0);', /it ends, or waits without end/],
  ['waits for what never comes', 'await new Promise(() => {});', /it ends, or waits without end/],
  ['waits for ever', 'setInterval(() => {}, 1000); await new Promise(() => {});', /not loaded after 0.5 s/],
  ['loops for ever', 'for (;;) {}', /not loaded after 0.5 s/],
];

for (const [title, text, says] of BROKEN) {
  test(`a usage error that names the file: ${title}`, () =>
    withModule(text, async (file) =>
      assert.match(await complaint(file, title.endsWith('for ever') ? 500 : undefined), says),
    ));
}

test('a file that is not there is a usage error', async () => {
  assert.match(await complaint('/nonexistent/mine.mjs'), "can't be loaded");
});

test('a pipe in the place of a module is refused, and not waited for', () =>
  withModule('export default 1;', async (file) => {
    if (process.platform === 'win32') return console.log('SKIPPED: needs mkfifo');
    runProgram('mkfifo', [`${file}.mjs`], {});
    assert.match(await complaint(`${file}.mjs`), "can't be loaded: it is not a file");
  }));

test('a loaded runner comes first and takes the place of a built-in one of its id', () => {
  const builtin = [sample({ id: 'claude' }), sample({ id: 'codex' })];
  const list = withExternal([sample({ id: 'codex', title: 'Mine' })], builtin);
  assert.equal(
    list.map((runner) => runner.id),
    ['codex', 'claude'],
  );
  assert.is(byId('codex', list)?.title, 'Mine');
});

/** A runner whose function does not keep to its type, as JavaScript may. */
function broken(changes: Record<string, unknown>): Runner {
  const [runner] = adoptAll([Object.assign(sample(), changes)]);
  if (!runner) throw new Error('it is gone');
  return runner;
}

test('what a host hands over is looked at too; it may be made of the built-in runtime', () => {
  const demo = byId('demo');
  assert.ok(demo);
  assert.is(broken({ ...demo, id: 'mine' }).builtin, true);
  assert.throws(
    () => broken({ transport: 1, keys: undefined }),
    /runners\[0\] is no runner: missing or wrong are transport, keys/,
  );
});

const FAULTS: readonly [title: string, changes: Record<string, unknown>, says: RegExp][] = [
  [
    'throws',
    {
      invoke: () => {
        throw new Error('boom');
      },
    },
    /failed in invoke: boom$/,
  ],
  ['answers later', { invoke: async () => ({}) }, /failed in invoke: it gave a promise/],
  ['gives nothing', { invoke: () => undefined }, /failed in invoke: it gave no object/],
  ['gives no argv', { invoke: () => ({ env: {} }) }, /its argv is no list/],
  [
    'gives a hole in argv',
    { invoke: () => ({ argv: ['a', undefined], env: {} }) },
    /its argv is no list of texts and files/,
  ],
  ['knows no such stdin', { invoke: () => ({ argv: ['a'], env: {}, stdin: 'x' }) }, /its stdin is none of/],
  ['converses with nobody', { converse: () => ({}) }, /failed in converse: it gave no object with hear/],
  [
    'hears with a throw',
    {
      converse: () => ({
        hear: () => {
          throw new Error('boom');
        },
      }),
    },
    /failed in hear: boom$/,
  ],
  ['says nothing', { converse: () => ({ hear: () => undefined }) }, /failed in hear: it gave no list of actions/],
  ['says what is no action', { converse: () => ({ hear: () => [{ say: 'x' }] }) }, /\{"say":"x"\}, which is no action/],
  ['has no such transport', { tools: () => 'window' }, /failed in tools: it is none of/],
];

const ACTIONS: readonly unknown[] = [
  { do: 'dance' },
  { do: 'say' },
  { do: 'say', event: { type: 'assistant', text: 5, message_id: 'm' } },
  { do: 'say', event: { type: 'assistant', text: 'x' } },
  { do: 'say', event: { type: 'done', exit_code: 0 } },
  { do: 'say', event: { type: 'tool_activity', phase: 'start', id: 'a', name: 'b', kind: 'nonsense', input: null } },
  { do: 'say', event: { type: 'plan', entries: [{ content: 'x', status: 'later' }] } },
  { do: 'say', event: { type: 'notice', message: 'without a code' } },
  { do: 'say', event: { type: 'notice', code: 'a-code-of-its-own', message: 'x' } },
  { do: 'write', line: { a: 1 } },
  { do: 'call', key: 'k', name: 'n', args: '{}' },
  { do: 'spend', scope: 'turn', spent: { input: '5', output: null, costUsd: null } },
  { do: 'spawn', invocation: { argv: [] } },
  { do: 'finish', outcome: { ok: true } },
  { do: 'finish', outcome: { ok: false, code: 'usage', message: 'x' } },
];

test('what is no action, or has a wrong field, never becomes an event', () => {
  for (const action of ACTIONS) {
    const turn = broken({ converse: () => ({ hear: () => [action] }) }).converse(request(), machine());
    assert.throws(() => turn.hear({ type: 'spawned' }), /which is no action, or one with a wrong field/);
  }
});

test('every answer of the built-in runners would pass', async () => {
  const root = process.env['TURNOUT_ROOT'] ?? '.';
  for (const runner of runners) {
    const own = { ...runner, ...adoptAll([runner])[0] };
    const folder = path.join(root, 'fixtures', runner.id);
    for (const name of readdirSync(folder)
      .filter((one) => one.endsWith('.ndjson'))
      .slice(0, 6)) {
      for (const recording of readRecordings(readFileSync(path.join(folder, name), 'utf8'))) {
        if (recording.request.toolsOn) continue;
        const { events } = await replay(recording, own);
        assert.not.match(JSON.stringify(events), /which is no action/, `${runner.id} ${name}`);
      }
    }
  }
});

for (const [title, changes, says] of FAULTS) {
  test(`a fault of its own, told as such: it ${title}`, () => {
    const runner = broken(changes);
    try {
      runner.tools(request(), machine());
      runner.invoke(request(), machine());
      runner.converse(request(), machine()).hear({ type: 'spawned' });
      assert.unreachable();
    } catch (error) {
      if (!(error instanceof RunnerFault)) throw error;
      assert.match(error.message, /^the runner sample \(runners\[0\]\) /);
      assert.match(error.message, says);
    }
  });
}

test.run();
