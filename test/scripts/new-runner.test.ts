// limit: 240s
/** The template works at once, in the project and as a file of one's own; a new runtime touches its own files alone. */

import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { place, run } from '../contract/cli.js';
import { scratch } from '../contract/scratch.js';
import { runProgram } from '../run-program.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const COPIED = [
  'runners',
  'src',
  'scripts',
  'schemas',
  'fixtures',
  'test',
  'bench',
  'bin',
  'package.json',
  'tsconfig.json',
  'biome.json',
];

function node(cwd: string, script: string, args: readonly string[], env: Record<string, string> = {}) {
  const ran = runProgram(process.execPath, [script, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  return { status: ran.status, text: ran.stdout + ran.stderr };
}

/** The project without what is built or installed, in a folder where it may be changed. */
function copy(): string {
  const folder = join(scratch('copy'), 'turnout');
  mkdirSync(folder);
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

const filesIn = (folder: string): Map<string, string> =>
  new Map(
    COPIED.flatMap((top) =>
      top.includes('.')
        ? [top]
        : readdirSync(join(folder, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
    )
      .filter((name) => /\.\w+$/.test(name) && name !== join('src', 'registry', 'generated.ts'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

test('a new runtime is one file in runners and one folder in fixtures, and passes everything at once', () => {
  const folder = copy();
  const before = filesIn(folder);
  const made = node(folder, 'scripts/new-runner.mjs', ['toy', '--title', 'The Toy']);
  assert.is(made.status, 0, made.text);
  const after = filesIn(folder);
  const changed = [...after].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
  assert.equal(changed.sort(), [
    join('fixtures', 'toy', 'text.meta.json'),
    join('fixtures', 'toy', 'text.ndjson'),
    join('runners', 'toy.ts'),
  ]);

  const tests = ['test/runners/conformance.test.ts', 'test/runners/completeness.test.ts', 'test/architecture'];
  const ran = node(folder, 'test/run.js', tests, { TURNOUT_ONLY: 'toy' });
  assert.is(ran.status, 0, ran.text);
  assert.match(ran.text, /^(?:1[5-9]|[2-9]\d) passed, 0 failed, 0 skipped$/m);
  const types = node(folder, join(root, 'node_modules/typescript/bin/tsc'), ['--noEmit', '-p', '.']);
  assert.is(types.status, 0, types.text);
  const lint = node(folder, join(root, 'node_modules/@biomejs/biome/bin/biome'), [
    'check',
    '--vcs-enabled=false',
    '--error-on-warnings',
    'runners/toy.ts',
  ]);
  assert.is(lint.status, 0, lint.text);

  const built = node(folder, 'scripts/build.mjs', ['--no-types']);
  assert.is(built.status, 0, built.text);
  const scan = node(folder, 'bin/turnout.js', ['agent', 'scan', '--json']);
  assert.match(scan.text, '"id":"toy"');
});

test('a file of one’s own runs, is replayed by its test, and its types are checked against the package', async () => {
  const where = place();
  const made = node(where.cwd, join(root, 'scripts/new-runner.mjs'), ['toy', '--out', '.']);
  assert.is(made.status, 0, made.text);
  assert.equal(readdirSync(where.cwd).sort(), ['text.ndjson', 'toy-stand-in.mjs', 'toy.mjs', 'toy.test.mjs']);
  const TURNOUT_BIN = join(root, 'bin', 'turnout.js');
  const tested = node(where.cwd, '--test', [], { TURNOUT_BIN });
  assert.is(tested.status, 0, tested.text);

  where.env['TOY_CLI_BIN'] = './toy-stand-in.mjs';
  const turn = (prompt: string) =>
    run(['agent', 'exec', '--runner', './toy.mjs', '-r', 'toy', '-p', prompt], { place: where, stdin: 'ignore' }).ended;
  const good = await turn('hi');
  assert.equal([good.code, good.events.find((event) => event['type'] === 'result')?.['text']], [0, 'You said: hi']);
  const bad = await turn('without a key');
  assert.equal([bad.code, bad.events.find((event) => event['type'] === 'error')?.['code']], [1, 'auth']);
  const { lines } = await run(['agent', 'scan', '--json', '--probe', '--runner', './toy.mjs'], { place: where }).ended;
  assert.match(lines.join(''), '"id":"toy","installed":true');

  mkdirSync(join(where.cwd, 'node_modules'));
  symlinkSync(root, join(where.cwd, 'node_modules', 'turnout'), 'junction');
  const types = join(scratch('types'), 'types');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const emitted = node(root, tsc, ['-p', 'tsconfig.build.json', '--outDir', types]);
  assert.is(emitted.status, 0, emitted.text);
  const check = (file: string) => {
    const paths = { turnout: [join(types, 'src/index.d.ts')] };
    const compilerOptions = {
      allowJs: true,
      checkJs: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      module: 'NodeNext',
      target: 'ES2023',
      noEmit: true,
      types: [],
      paths,
    };
    writeFileSync(join(where.cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [file] }));
    return node(where.cwd, tsc, ['-p', '.']);
  };
  assert.equal(check('toy.mjs'), { status: 0, text: '' });
  const source = readFileSync(join(where.cwd, 'toy.mjs'), 'utf8');
  writeFileSync(
    join(where.cwd, 'wrong.mjs'),
    source.replace("stdin: 'end'", "stdin: 'ending'").replace('resume: true', "resume: 'yes'"),
  );
  const wrong = check('wrong.mjs');
  assert.match(wrong.text, /wrong\.mjs\(\d+,\d+\): error .*"ending"/);
  assert.match(wrong.text, /Type 'string' is not assignable to type 'boolean'/);
  writeFileSync(
    join(where.cwd, 'agent.ts'),
    `import { acpAgent, withPromptTools, promptToolsRequest, plainText, type Conversation, type Heard, type Machine, type Runner, type TurnRequest } from 'turnout';
export const acp: Runner = acpAgent({
  id: 'mine', title: 'Mine', bins: ['mine'], packages: [], install: { kind: 'manual' }, installHint: 'x', loginHint: null,
  access: { full: { native_sandbox: 'none', approvals: 'off', gaps: [] } }, args: () => ['acp'],
  quirks: { title: 'Mine', mcpNames: [], model: 'session' },
});
const converse = (request: TurnRequest): Conversation => plainText({ title: 'Mine', grows: false, failure: () => null }, request.prompt);
export const heard: Heard = { type: 'spawned' };
export const tools = (request: TurnRequest, machine: Machine) =>
  withPromptTools({ invoke: acp.invoke, converse, remembers: true }, promptToolsRequest(request, machine.ids.nonce), machine);
`,
  );
  assert.equal(check('agent.ts'), { status: 0, text: '' });
});

const REFUSED: readonly [title: string, args: readonly string[], says: RegExp][] = [
  ['no name', [], /one name is needed/],
  ['two names', ['a', 'b'], /one name is needed/],
  ['capitals', ['Toy'], /Toy is no name/],
  ['a path', ['../toy'], /is no name/],
  ['a name that is taken', ['claude'], /belongs to Claude Code/],
  ['an alias that is taken', ['kimicode'], /belongs to Kimi/],
  ['a word that means something else', ['auto'], /means something else/],
  ['an unknown flag', ['toy', '--nope'], /--nope/],
  ['a title that would be code', ['toy', '--title', "'); process.exit("], /is no title/],
];
for (const [title, args, says] of REFUSED) {
  test(`refused with exit code 2, and nothing is written: ${title}`, () => {
    const cwd = scratch('refused');
    const ran = node(cwd, join(root, 'scripts/new-runner.mjs'), [...args, '--out', 'there']);
    assert.is(ran.status, 2);
    assert.match(ran.text, says);
    assert.equal(readdirSync(cwd), []);
  });
}

test('nothing that is there is overwritten', () => {
  const cwd = scratch('there');
  writeFileSync(join(cwd, 'text.ndjson'), 'mine');
  const ran = node(cwd, join(root, 'scripts/new-runner.mjs'), ['toy', '--out', '.']);
  assert.is(ran.status, 2);
  assert.equal([readdirSync(cwd), readFileSync(join(cwd, 'text.ndjson'), 'utf8')], [['text.ndjson'], 'mine']);
});

test.run();
