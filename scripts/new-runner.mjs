// Writes a runner to begin with, which works at once: for a program that takes its prompt by stdin and prints JSON lines.
//
//   npm run new-runner NAME                   runners/NAME.ts and fixtures/NAME/, for turnout itself
//   npm run new-runner NAME -- --out FOLDER   a file of your own for --runner, with a recording, a stand-in and a test
//   npm run new-runner NAME -- --title TEXT   what people call the program
//
// Exit codes: 0 written, 2 a bad name, a name that is taken, or a file that is there already. Nothing is overwritten.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadRunners, root } from './load-runners.mjs';
import { meta, recording, standIn } from './new-runner/recording.mjs';
import { runnerSource } from './new-runner/source.mjs';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** Names that mean something else where an id is expected. */
const RESERVED = ['auto', 'acp', 'replay', 'turnout', 'demo', 'dialects', 'prompt', 'bin', 'contract'];

class BadCall extends Error {}

function testSource(id) {
  return `// node --test: the recorded turn is read by the runner once more; what differs is a failure.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));

test('the runner makes the recorded events of the recorded lines', () => {
  const turnout = process.env.TURNOUT_BIN ? [process.execPath, process.env.TURNOUT_BIN] : ['turnout'];
  const args = [...turnout.slice(1), 'agent', 'replay', at('text.ndjson'), '--runner', at('${id}.mjs')];
  const ran = spawnSync(turnout[0], args, { encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
});
`;
}

/** @returns path → text and mode */
function ownFiles(id, title, folder) {
  const at = (name) => join(folder, name);
  return {
    [at(`${id}.mjs`)]: { text: runnerSource({ id, title, ts: false }) },
    [at('text.ndjson')]: { text: recording(id) },
    [at(`${id}-stand-in.mjs`)]: { text: standIn(id), mode: 0o755 },
    [at(`${id}.test.mjs`)]: { text: testSource(id) },
  };
}

function files(id, title) {
  const folder = join(root, 'fixtures', id);
  return {
    [join(root, 'runners', `${id}.ts`)]: { text: runnerSource({ id, title, ts: true }) },
    [join(folder, 'text.ndjson')]: { text: recording(id) },
    [join(folder, 'text.meta.json')]: { text: meta(id) },
  };
}

/** npm runs us in the project, wherever the command was typed. */
const typedIn = () =>
  (process.env.npm_lifecycle_event === 'new-runner' ? process.env.INIT_CWD : undefined) ?? process.cwd();

async function main(argv) {
  const options = { out: { type: 'string' }, title: { type: 'string' } };
  let parsed;
  try {
    parsed = parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    throw new BadCall(error.message);
  }
  const { positionals, values } = parsed;
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) throw new BadCall('one name is needed: npm run new-runner NAME');
  if (!NAME.test(id)) throw new BadCall(`${id} is no name: up to 40 small letters, digits and -, a letter first`);
  const title = values.title ?? id;
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .()+-]*$/u.test(title))
    throw new BadCall(`${title} is no title: letters, digits, blanks and . ( ) + -`);
  const runners = await loadRunners();
  const owner = runners.find((one) => one.id === id || one.aliases?.includes(id));
  if (RESERVED.includes(id)) throw new BadCall(`${id} means something else where a runtime is named`);
  if (owner) throw new BadCall(`the name ${id} belongs to ${owner.title}`);
  const written = values.out === undefined ? files(id, title) : ownFiles(id, title, resolve(typedIn(), values.out));
  const there =
    Object.keys(written).find((path) => existsSync(path)) ??
    (existsSync(join(root, 'runners', id)) && values.out === undefined ? join(root, 'runners', id) : undefined);
  if (there !== undefined) throw new BadCall(`${there} is there already`);
  for (const [path, { text, mode }] of Object.entries(written)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode, flag: 'wx' });
    console.log(`wrote ${relative(process.cwd(), path) || path}`);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadCall)) throw error;
  console.error(`new-runner: ${error.message}`);
  process.exitCode = 2;
}
