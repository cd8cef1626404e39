// limit: 120s
/** Hostile values of a caller against every runner, with a fake program that writes down what it was started with. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../src/contract/error.js';
import type { Event } from '../../src/contract/event.js';
import { execTurn } from '../../src/exec/exec-turn.js';
import { runners } from '../../src/registry/registry.js';
import { planOptions } from '../../src/request/from-options.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { request } from './drive.js';

const test = suite("a caller's values are data");
let folder = '';
let program = '';
let started = '';
test.before(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-values-')));
  program = join(folder, 'program');
  started = join(folder, 'started');
  mkdirSync(join(folder, 'work'));
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\0' "$@" > ${started}\n`);
  chmodSync(program, 0o755);
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

const real = runners.filter((runner) => runner.unsupported === undefined && runner.builtin === undefined);
const variable = (runner: Runner) =>
  runner.binVariables?.[0] ?? `${runner.id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_CLI_BIN`;

/** @returns the argv that reached the program (null when it was not started), and the code of the error */
async function turn(runner: Runner, changes: Partial<TurnRequest>): Promise<{ argv: string[] | null; code: string }> {
  rmSync(started, { force: true });
  const events: Event[] = [];
  await execTurn({
    // Inside walls the program could not write down what it got.
    request: { ...request({ cwd: join(folder, 'work'), confine: 'none', ...changes }), runtime: runner.id },
    limits: { timeoutMs: 5000, idleMs: 0, startupMs: 2000 },
    env: {},
    ambient: { PATH: process.env['PATH'], HOME: folder, [variable(runner)]: program },
    allowRoot: true,
    turnout: [process.execPath, 'turnout.js'],
    version: '0.0.0',
    emit: (event) => events.push(event),
  }).done;
  const error = events.find((event) => event.type === 'error');
  const argv = existsSync(started) ? readFileSync(started, 'utf8').split('\0').slice(0, -1) : null;
  return { argv, code: error?.type === 'error' ? error.code : '' };
}

const OPTIONS = ['--dangerously-skip-permissions', '--openai-base-url=http://other/v1', '-y', '-', '--'];
const PATHS = ['/any/new.jsonl', '../up.jsonl', './here.jsonl', '~/x', 'a/../../b', 'a\\..\\b'];
const BROKEN = ['', ' ', '\u0000', 'a\nb', 'a\u001b[0m', 'x'.repeat(600)];
const server = (name: string): TurnRequest['mcpServers'][number] => ({
  name,
  type: 'stdio',
  command: 'true',
  args: [],
  env: {},
});

const HOSTILE: readonly (readonly [
  kind: string,
  change: (value: string) => Partial<TurnRequest>,
  values: readonly string[],
])[] = [
  ['model', (model) => ({ model }), [...OPTIONS, ...BROKEN, '../../etc/passwd', '/etc/passwd', ' --x']],
  ['session', (resume) => ({ resume }), [...OPTIONS, ...PATHS, ...BROKEN]],
  ['server', (name) => ({ mcpServers: [server(name)] }), [...OPTIONS, ...BROKEN, 'x,Bash', 'x*', 'x)', '../x', 'a=b']],
];

test('every runner × every kind: a hostile value is refused, and nothing is started', async () => {
  for (const runner of real) {
    for (const [kind, change, values] of HOSTILE) {
      for (const value of values) {
        const { argv, code } = await turn(runner, change(value));
        const what = `${runner.id} ${kind} ${JSON.stringify(value.slice(0, 40))}`;
        assert.is(argv, null, `${what} was started with ${JSON.stringify(argv)}`);
        assert.is(code, 'unsupported', what);
      }
    }
  }
});

test('they are usage errors where options are read', () => {
  for (const [kind, change, values] of HOSTILE) {
    for (const value of values) {
      const { mcpServers, model, resume } = change(value);
      const servers = Object.fromEntries((mcpServers ?? []).map(({ name }) => [name, { command: 'true' }]));
      const options = {
        ...{ runtime: 'claude', prompt: 'Go', cwd: folder },
        ...(model === undefined || model === null ? {} : { model }),
        ...(resume === undefined || resume === null ? {} : { resume }),
        ...(mcpServers === undefined ? {} : { mcpServers: servers }),
      };
      let thrown: unknown = null;
      try {
        planOptions(options, [], {});
      } catch (error) {
        thrown = error;
      }
      assert.instance(thrown, UsageError, `${kind} ${JSON.stringify(value.slice(0, 40))}`);
    }
  }
});

test('names of tools and paths of pictures reach a program as data, or not at all', async () => {
  const picture = join(folder, 'work', '--yolo=a.png');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a', 'hex'));
  const names = ['--yolo', '-y', '../up', '$(id)', 'a b', 'x"y', '`id`'];
  const tools = names.map((name) => ({ name, description: 'd', schema: { type: 'object' } }));
  const images = [{ path: picture, mediaType: 'image/png', data: 'iVBORw0KGgo=' }] as const;
  let seen = 0;
  for (const runner of real) {
    for (const changes of [{ tools, toolsOn: true }, ...(runner.images ? [{ images }] : [])]) {
      const { argv } = await turn(runner, changes);
      if (argv === null) continue;
      seen++;
      const at = argv.indexOf('--');
      const options = at < 0 ? argv : argv.slice(0, at);
      for (const name of names) assert.not.ok(options.includes(name), `${runner.id}: ${name} stands alone`);
      // A path is whole: it begins at the root, whatever its last part looks like.
      const paths = argv.filter((word) => word.includes('a.png'));
      assert.ok(
        paths.every((word) => word === picture),
        `${runner.id}: ${paths}`,
      );
    }
  }
  assert.ok(seen > 15, `${seen} programs were started`);
});

test("a server's name is no name of a tool on copilot", async () => {
  const copilot = real.find(({ id }) => id === 'copilot');
  assert.ok(copilot);
  if (!copilot) return;
  for (const name of ['shell', 'Write']) {
    assert.equal(await turn(copilot, { mcpServers: [server(name)] }), { argv: null, code: 'unsupported' });
  }
  assert.ok((await turn(copilot, { mcpServers: [server('files')] })).argv?.includes('--allow-tool=files'));
});

test('texts that look like options never stand alone in argv, and names of models stay whole', async () => {
  const words = { prompt: '--help', system: '--yolo', model: 'vendor/model-1:free[1m]' };
  let seen = 0;
  for (const runner of real) {
    const { argv } = await turn(runner, words);
    if (argv === null) continue;
    seen++;
    for (const word of ['--help', '--yolo']) {
      const at = argv.indexOf(word);
      // Behind `--` everything is an operand.
      assert.ok(at < 0 || argv.slice(0, at).includes('--'), `${runner.id}: ${word} in ${JSON.stringify(argv)}`);
    }
    const model = argv.filter((word) => word.includes('model-1'));
    assert.ok(
      model.every((word) => word === words.model || word.endsWith(words.model)),
      `${runner.id}: ${model}`,
    );
  }
  assert.ok(seen > 10, `${seen} programs were started`);
});

test.run();
