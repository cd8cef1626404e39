// limit: 120s

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from '../run-program.js';
import { node, program, stagePackage } from './staged.js';

const { project, folder } = stagePackage();

test('publint has nothing to say', async () => {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
  const told = messages.map((message) => formatMessage(message, pkg) ?? message.code);
  assert.equal(told, []);
});

test('are-the-types-wrong finds no problem for ES modules', () => {
  const packed = runProgram('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], {
    cwd: folder,
  });
  assert.is(packed.status, 0, packed.stderr);
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  const cli = program('@arethetypeswrong', 'cli', 'dist', 'index.js');
  const ran = node(cli, [join(project, tarball), '--profile', 'esm-only', '--no-color', '--no-emoji'], project);
  assert.is(ran.status, 0, ran.stdout + ran.stderr);
});

const CONSUMER = `
import { exec, scan, runners, tool, type Event, type TurnResult } from 'turnout';
import { connect, TurnoutError, type Client } from 'turnout/client';
import { z } from 'zod';

const turn = exec({
  runtime: 'demo',
  prompt: 'tool add {"a":2,"b":3}',
  tools: {
    add: { description: 'Adds.', schema: z.object({ a: z.number(), b: z.number() }), run: ({ a, b }) => a.toFixed() + b.toFixed() },
    any: { description: 'Counts.', run: (args) => Object.keys(args).length },
    plain: { description: 'Asks.', schema: { type: 'object', properties: {} }, run: (args, { signal }) => signal.aborted },
    own: tool({ description: 'Dates.', schema: z.object({ when: z.string().transform((text) => new Date(text)) }), run: ({ when }) => when.getTime() }),
  },
  onPermission: (question) => (question.kind === 'shell' ? 'deny' : { choice: 'allow_once' }),
});
const types: Event['type'][] = [];
for await (const event of turn) {
  types.push(event.type);
  // @ts-expect-error an event has no such field
  event.nonsense;
}
const result: TurnResult = await turn.result();
// @ts-expect-error a typo in a mode
exec({ runtime: 'demo', prompt: 'x', access: 'ful' });
// @ts-expect-error the schema says number
exec({ runtime: 'demo', prompt: 'x', tools: { a: { description: 'Trims.', schema: z.object({ n: z.number() }), run: ({ n }) => n.trim() } } });
const client: Client = await connect({ requires: ['agent-exec'] });
const other = client.exec({
  runtime: 'demo',
  prompt: 'x',
  tools: { add: { description: 'Adds.', schema: z.object({ a: z.number() }), run: ({ a }) => a.toFixed() } },
});
const { error } = await other.result();
if (error instanceof TurnoutError && error.code === 'auth') console.log(error.hint);
console.log(result.text, types.length > 0, (await scan()).agents.length > 0, runners.length > 0);
`;

for (const [resolution, module] of [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
]) {
  test(`a host in TypeScript compiles with moduleResolution ${resolution}`, () => {
    writeFileSync(join(project, 'host.ts'), CONSUMER);
    const ran = node(
      program('typescript', 'bin', 'tsc'),
      // Without skipLibCheck: our declarations must stand by themselves, without Node's types.
      [
        '--strict',
        '--noEmit',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom',
        '--types',
        '',
        '--module',
        `${module}`,
      ].concat(['--moduleResolution', `${resolution}`, 'host.ts']),
      project,
    );
    assert.is(ran.status, 0, ran.stdout + ran.stderr);
  });
}

/** Bytes of a folder and all below it. */
function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Packages that come along with these. */
function neededBy(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names.filter((one) => !found.has(one))) {
    found.add(name);
    const { dependencies = {} } = JSON.parse(readFileSync(program(name, 'package.json'), 'utf8'));
    neededBy(Object.keys(dependencies), found);
  }
  return found;
}

test('an installation is at most 12 MiB, with every package that is needed', () => {
  const packed = runProgram('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder });
  const [own]: { unpackedSize: number; files: { path: string; size: number }[] }[] = JSON.parse(packed.stdout);
  assert.ok(own && own.unpackedSize > 2 ** 20, packed.stdout);
  const needed = [...neededBy(['ajv'])];
  assert.equal(Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies), ['ajv']);
  const bytes = needed.reduce((sum, name) => sum + bytesOf(program(name)), own.unpackedSize);
  const largest = own.files.sort((a, b) => b.size - a.size).slice(0, 8);
  assert.ok(bytes <= 12 * 2 ** 20, `${bytes} bytes; the largest: ${JSON.stringify(largest)}`);
});

test('an error of the library names the functions it came through, without a source map', () => {
  const script =
    "import { exec } from 'turnout'; try { exec({ runtime: 'demo' }); } catch (error) { console.log(error.stack); }";
  writeFileSync(join(project, 'wrong.mjs'), script);
  const { stdout } = node('wrong.mjs', [], project);
  assert.match(stdout, /UsageError: prompt/);
  assert.match(stdout, /at planOptions \(.*\.js:\d+:\d+\)/);
});

test.after(() => rmSync(project, { recursive: true, force: true }));
test.run();
