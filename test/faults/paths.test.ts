// limit: 120s
// Folders and programs with odd names, and folders that are not what they seem, over the real command line.

import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseObject } from '../../src/text/json.js';
import { isType, type Place, place, TURNOUT } from '../contract/cli.js';
import { orderFault } from '../contract/order.js';
import { runProgram } from '../run-program.js';
import { placeOf, runTurn } from './turn.js';

const test = suite('paths');
const ODD = [
  'with blanks',
  "it's",
  'a "quoted" name',
  'new\nline',
  'dollar $HOME `id` ;#',
  'ünïcödé 日本',
  '-p',
  'back\\slash',
  '%TEMP%^&',
];

interface Told {
  status: number | null;
  types: string[];
  stdout: string;
  stderr: string;
}

/** Runs turnout from a shell, for folders that Node itself can't name. `$0` is node, `$1` turnout. */
function fromShell(script: string, where: Place, cwd = where.cwd): Told {
  const ran = runProgram('/bin/sh', ['-c', script, process.execPath, TURNOUT], {
    cwd,
    env: where.env,
  });
  const lines = ran.stdout.split('\n').filter((line) => line !== '');
  return {
    status: ran.status,
    types: lines.map((line) => String(parseObject(line)?.['type'])),
    stdout: ran.stdout,
    stderr: ran.stderr,
  };
}

const usage = (told: Told): string => {
  assert.is(told.status, 2, told.stderr);
  assert.is(told.stdout, '');
  const error = parseObject(told.stderr.trimEnd());
  assert.is(error?.['code'], 'usage', told.stderr);
  return String(error?.['message']);
};

test('a working folder and a program may have any name', async () => {
  for (const name of ODD) {
    const where = placeOf(['tells-what-it-got.js']);
    const cwd = join(where.cwd, name);
    mkdirSync(cwd);
    const bin = join(where.cwd, '..', `bin ${name}`);
    renameSync(dirname(where.env['CLAUDE_CLI_BIN'] ?? ''), bin);
    where.env['CLAUDE_CLI_BIN'] = join(bin, 'claude');
    const end = await runTurn({ ...where, cwd }, []);
    assert.is(orderFault(end.events), null, name);
    assert.is(end.exit, 0, `${name}: ${JSON.stringify(end.events.at(-2))}`);
    assert.is(end.events[0]?.['cwd'], cwd);
    assert.is(parseObject(end.text)?.['cwd'], cwd);
    // Also where it is only found on PATH. A colon can't be in there.
    const { CLAUDE_CLI_BIN: _, ...others } = where.env;
    const found = await runTurn({ ...where, env: { ...others, PATH: `${bin}:${others['PATH']}` } }, ['--cwd', cwd]);
    assert.is(found.exit, 0, `${name} on PATH`);
    rmSync(dirname(where.cwd), { recursive: true, force: true });
  }
});

test('names that are no UTF-8 are refused with words, or not found', () => {
  if (process.platform !== 'linux') return console.log('SKIPPED: needs a file system that takes any bytes');
  const where = place();
  const message = usage(
    fromShell('d=$(printf "odd\\377name"); mkdir "$d"; cd "$d"; "$0" "$1" agent exec -r demo -p hi', where),
  );
  assert.match(message, 'odd');
  const elsewhere = fromShell('cd "$(printf "odd\\377name")"; "$0" "$1" agent exec -r demo -p hi --cwd /', where);
  assert.is(elsewhere.status, 0, elsewhere.stderr);
  const program = fromShell(
    'd=$(printf "$PWD/b\\377n"); mkdir "$d"; printf "#!/bin/sh\\n" >"$d/claude"; chmod +x "$d/claude"; PATH="$d" CLAUDE_CLI_BIN= "$0" "$1" agent exec -r claude -p hi',
    where,
  );
  assert.equal(program.types, ['start', 'error', 'done']);
  assert.match(program.stdout, 'missing-binary');
});

test('a working folder that is gone is a usage error, and no command crashes there', () => {
  const where = place();
  const gone = (command: string) => fromShell(`mkdir gone; cd gone; rmdir ../gone; "$0" "$1" ${command}`, where);
  assert.match(usage(gone('agent exec -r demo -p hi')), 'gone');
  assert.match(usage(gone('agent exec -r demo -p hi --cwd sub')), 'sub');
  assert.is(gone(`agent exec -r demo -p hi --cwd /`).status, 0);
  assert.is(gone('agent scan').status, 0);
  const doctor = gone('doctor --json');
  assert.is(doctor.status, 1);
  assert.match(doctor.stdout, 'does not exist any more');
  assert.match(gone('--version').stdout, /^\d/);
});

test('links that lead back to themselves are told, not followed', async () => {
  const where = placeOf(['answers.js']);
  const loop = join(where.cwd, 'loop');
  symlinkSync('loop', loop);
  assert.match(usage(fromShell('"$0" "$1" agent exec -r demo -p hi --cwd loop', where)), 'loop');
  assert.is(fromShell('PATH="$PWD/loop:$PATH" "$0" "$1" agent scan --json', where).status, 0);
  where.env['CLAUDE_CLI_BIN'] = loop;
  const end = await runTurn(where, []);
  assert.equal([end.exit, end.events[1]?.['code']], [2, 'missing-binary']);
  assert.match(String(end.events[1]?.['message']), 'leads back to itself');
});

test('a turn works where the home folder and the state folder can’t be written', async () => {
  const where = place();
  for (const name of ['HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME'])
    where.env[name] = '/dev/null/nowhere';
  const told = fromShell('"$0" "$1" agent exec -r demo -p hi --access full --allow-root </dev/null', where);
  assert.is(told.status, 0, told.stderr);
  assert.ok(told.types.includes('result'));
  assert.match(told.stdout, 'audit line');
});

test('a temporary folder that can’t be used fails the turn with words', async () => {
  const where = placeOf(['answers.js']);
  const servers = join(where.cwd, 'servers.json');
  writeFileSync(servers, '{"mcpServers":{"x":{"command":"true","args":[]}}}');
  for (const temp of ['/dev/null/nowhere', join(where.cwd, 'none')]) {
    const end = await runTurn({ ...where, env: { ...where.env, TMPDIR: temp } }, ['--mcp-config', servers]);
    assert.is(orderFault(end.events), null);
    const error = end.events.find(isType('error'));
    assert.equal([end.exit, error?.['code']], [1, 'runner-error']);
    assert.match(String(error?.['message']), temp);
    assert.not.match(String(error?.['message']), 'turnout itself failed');
  }
});

test('a program that is a folder, no program, or in a folder without entry is missing with words', async () => {
  for (const [name, words] of [
    ['folder', 'is a folder'],
    ['plain', 'is not executable'],
    ['nothing', 'does not exist'],
  ] as const) {
    const where = placeOf(['answers.js']);
    mkdirSync(join(where.cwd, 'folder'));
    writeFileSync(join(where.cwd, 'plain'), '#!/bin/sh\n');
    chmodSync(join(where.cwd, 'plain'), 0o644);
    where.env['CLAUDE_CLI_BIN'] = join(where.cwd, name);
    const end = await runTurn(where, []);
    assert.equal([end.exit, end.events[1]?.['code']], [2, 'missing-binary'], name);
    assert.match(String(end.events[1]?.['message']), words);
  }
});

test.run();
