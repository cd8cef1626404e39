import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Policy, PolicyRule } from '../../../src/contract/policy.js';
import type { JsonObject, ToolKind } from '../../../src/contract/vocabulary.js';
import { realPath } from '../../../src/turn/place.js';
import { type Call, decide } from '../../../src/turn/policy/decide.js';

const test = suite('policy');

const call = (kind: ToolKind, input: JsonObject, name: string = kind): Call => ({
  runtime: 'claude',
  name,
  kind,
  input,
});
const shell = (command: string) => call('shell', { command });
const by =
  (rules: readonly PolicyRule[], over: Partial<Policy> = {}) =>
  (asked: Call) =>
    decide({ rules, ...over }, asked, { cwd: '/work' }).decision;

test('the first rule that fits decides, then the default, then the mode', () => {
  const rules: PolicyRule[] = [
    { decision: 'deny', kind: 'shell', command: 'npm publish' },
    { decision: 'allow', kind: 'shell', command: ['npm', 'cargo test'] },
  ];
  assert.is(by(rules)(shell('npm publish --tag x')), 'deny');
  assert.is(by(rules)(shell('npm test')), 'allow');
  assert.is(by(rules)(shell('cargo test -q')), 'allow');
  assert.is(by(rules)(shell('cargo build')), null);
  assert.is(by(rules, { default: 'ask' })(shell('cargo build')), 'ask');
  assert.equal(decide({ rules }, shell('npm test'), { cwd: '/' }), { decision: 'allow', rule: 1 });
});

test('a prefix is whole words, and an exact command is the whole of it', () => {
  const rules: PolicyRule[] = [
    { decision: 'allow', command: 'npm te' },
    { decision: 'allow', command_exactly: 'make all' },
  ];
  assert.is(by(rules)(shell('npm test')), null);
  assert.is(by(rules)(shell('make all')), 'allow');
  assert.is(by(rules)(shell('\'make\' "all"')), 'allow');
  assert.is(by(rules)(shell('make all install')), null);
});

test('a chain gets the strictest word on any of its parts, and names it', () => {
  const rules: PolicyRule[] = [
    { decision: 'deny', command: 'rm' },
    { decision: 'allow', command: ['ls', 'cat'] },
  ];
  for (const one of ['ls; cat x', 'ls && cat x', 'ls | cat', 'ls\ncat x'])
    assert.is(by(rules)(shell(one)), 'allow', one);
  for (const one of ['ls; rm x', 'ls | rm x', 'cat x & rm x', 'ls || /bin/rm x', 'ls\nrm x'])
    assert.is(by(rules)(shell(one)), 'deny', one);
  assert.is(by(rules)(shell('ls; whoami')), null);
  assert.is(decide({ rules }, shell('ls; rm x'), { cwd: '/' }).part, 'rm x');
});

test('what a command runs in a way that its words do not say gets no leave, and every refusal that may be meant', () => {
  const rules: PolicyRule[] = [
    { decision: 'deny', command: 'rm' },
    { decision: 'allow', kind: 'shell' },
  ];
  for (const one of [
    'env rm x',
    'sh -c "rm x"',
    'sudo rm x',
    'echo $(rm x)',
    'ls > x',
    'X=1 rm x',
    'find . -exec rm {} +',
    'xargs rm',
    '"r"m x',
    '\\rm x',
    'r${EMPTY}m x',
  ])
    assert.is(by(rules)(shell(one)), 'deny', one);
  assert.is(by(rules)(shell('git status')), 'allow');
  assert.is(by([{ decision: 'allow', command: 'ls' }])(shell('ls > x')), null);
  assert.is(by([{ decision: 'allow', command: 'ls' }])(shell('ls `x`')), null);
  assert.is(by([{ decision: 'allow', command: 'env' }])(shell('env ls')), 'allow');
});

test('paths are globs; a leave needs every form of a path, a refusal any', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-policy-')));
  try {
    const cwd = join(folder, 'work');
    mkdirSync(join(folder, 'secret'));
    mkdirSync(cwd);
    symlinkSync(join(folder, 'secret'), join(cwd, 'src'));
    const around = { cwd, real: (path: string) => realPath(path, cwd) };
    const is = (rules: PolicyRule[], path: string, kind: ToolKind = 'read') =>
      decide({ rules }, call(kind, { file_path: path }), around).decision;
    const src: PolicyRule[] = [{ decision: 'allow', path: 'src/**' }];
    assert.is(is(src, 'src/a.ts'), null, 'it leads out of the folder');
    assert.is(is([{ decision: 'allow', path: 'lib/**' }], 'lib/deep/a.ts', 'write'), 'allow');
    assert.is(is([{ decision: 'allow', path: 'lib/**' }], 'lib/../x'), null);
    assert.is(is([{ decision: 'deny', path: `${folder}/secret/**` }], 'src/key'), 'deny');
    assert.is(is([{ decision: 'deny', path: '**/*.pem' }], 'a/b/key.pem'), 'deny');
    assert.is(is([{ decision: 'deny', path: '*.pem' }], 'a/key.pem'), null);
    const patch = call('patch', { files: [{ file_path: 'lib/a' }, { file_path: 'x' }] });
    assert.is(decide({ rules: [{ decision: 'allow', path: 'lib/**' }] }, patch, around).decision, null);
    assert.is(decide({ rules: [{ decision: 'deny', path: 'lib/**' }] }, patch, around).decision, 'deny');
    assert.is(decide({ rules: [{ decision: 'deny', path: 'lib/**' }] }, shell('cat lib/a'), around).decision, 'deny');
    assert.is(decide({ rules: [{ decision: 'allow', path: 'lib/**' }] }, shell('cat lib/a'), around).decision, null);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('hosts, MCP servers, tools and runtimes are conditions too', () => {
  const rules: PolicyRule[] = [
    { decision: 'allow', kind: 'web', host: '*.example.com' },
    { decision: 'deny', server: 'files', tool: 'delete' },
    { decision: 'allow', server: 'files' },
    { decision: 'deny', runtime: 'codex' },
  ];
  const web = (url: string) => by(rules)(call('web', { url }));
  assert.is(web('https://docs.example.com/x'), 'allow');
  assert.is(web('https://EXAMPLE.com'), 'allow');
  assert.is(web('https://example.com.evil.org'), null);
  assert.is(web('https://example.com@evil.org/'), null);
  assert.is(by(rules)(call('mcp', { server: 'files', tool: 'read' })), 'allow');
  assert.is(by(rules)(call('mcp', { server: 'files', tool: 'delete' })), 'deny');
  assert.is(by(rules)(call('mcp', {}, 'mcp__files__delete')), 'deny');
  assert.is(decide({ rules }, { ...shell('ls'), runtime: 'codex' }, { cwd: '/' }).decision, 'deny');
  assert.is(by([{ decision: 'deny', host: 'evil.org' }])(shell('curl https://evil.org/x')), 'deny');
});

const WORDS = [
  'ls',
  'rm',
  'cat',
  'npm',
  'test',
  '-x',
  'x',
  'env',
  'sh',
  '-c',
  '"rm x"',
  "'ls'",
  '$(rm x)',
  '>',
  'X=1',
  '\\rm',
  '/bin/rm',
  'git',
  'push',
];
const JOINTS = [';', ' ; ', '&&', ' || ', '|', ' & ', '\n', ' |& '];

test('no command line gets a leave that its parts would not get', () => {
  let state = Number(process.env['TURNOUT_SEED'] ?? 11);
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <One>(from: readonly One[]): One => from[next(from.length)] as One;
  const words = (most: number) => Array.from({ length: 1 + next(most) }, () => pick(WORDS)).join(' ');
  let allowed = 0;
  for (let run = 0; run < Number(process.env['TURNOUT_RUNS'] ?? 20_000); run++) {
    const rules = Array.from({ length: 1 + next(4) }, (): PolicyRule => {
      const decision = pick(['allow', 'allow', 'deny', 'ask'] as const);
      return {
        decision,
        ...(next(4) === 0 ? {} : { command: pick(['ls', 'rm', 'cat', 'npm test', 'git', 'git push', 'env']) }),
      };
    });
    const rule = by(rules);
    const parts = Array.from({ length: 1 + next(4) }, () => words(3));
    const whole = parts.reduce((text, part) => `${text}${pick(JOINTS)}${part}`);
    if (rule(shell(whole)) !== 'allow') continue;
    allowed++;
    for (const part of parts) assert.is(rule(shell(part)), 'allow', JSON.stringify({ rules, whole, part }));
  }
  assert.ok(allowed > 100, `only ${allowed} were allowed at all`);
});

test.run();
