import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AccessMode, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import { steersByName } from '../../src/text/steering.js';
import { hasPrefix, type JudgeContext, judge, onlyReads } from '../../src/turn/judge.js';
import { literalWords } from '../../src/turn/shell-words.js';

const context = (mode: AccessMode, changes: Partial<JudgeContext> = {}): JudgeContext => ({
  mode,
  writesInside: false,
  bashPrefixes: [],
  mcpServers: [],
  inside: (path) => !path.startsWith('/') || path.startsWith('/project/'),
  steers: steersByName,
  ...changes,
});
const may = (mode: AccessMode, kind: ToolKind, input: JsonObject | null, changes: Partial<JudgeContext> = {}) =>
  judge('tool', kind, input, context(mode, changes)).allow;

const READS = [
  'ls',
  'ls -la src',
  'cat README.md',
  'git status',
  'git log --oneline -5',
  "git log --format='%h %s' -1",
  'git show HEAD~1',
  'git diff HEAD~2..HEAD --stat',
  'rg -n "fn main" src',
  'grep -rn TODO .',
  'find . -name a.ts -type f',
  'head -20 a.txt',
  'pwd',
  'ls src/*.ts',
  'grep "a|b;c>d" file',
];
const NOT = [
  '',
  'touch x',
  'git log; touch x',
  'git log && touch x',
  'git log | tee x',
  'git log > x',
  'git log >> x',
  'cat < x',
  'cat $(touch x)',
  'cat `touch x`',
  'cat "$(touch x)"',
  'cat $HOME/x',
  'ls\ntouch x',
  'ls & touch x',
  'find . -delete',
  'find . -exec rm {} +',
  'find . -fprintf x y',
  'find . -fls x',
  'find . -okdir rm',
  'find *',
  'find . -name *',
  'rg --pre=sh x',
  'rg --pre sh x',
  'rg --hostname-bin=sh x',
  'git diff --output=x',
  'git diff --outp=x',
  'git diff --ext-diff',
  'git -c core.pager=sh log',
  'git commit -m x',
  'FOO=1 ls',
  '/tmp/ls',
  'env ls',
  'ls #',
  "ls 'a",
  'ls \\\ntouch',
];

test('only literal invocations of reading programs read', () => {
  for (const command of READS) assert.ok(onlyReads(command), command);
  for (const command of NOT) assert.not.ok(onlyReads(command), command);
});

test('words are split as a shell would', () => {
  assert.equal(literalWords(`grep -e 'a b' "c \\"d\\"" e\\ f`), ['grep', '-e', 'a b', 'c "d"', 'e f']);
  assert.equal(literalWords("echo ''"), ['echo', '']);
  assert.is(literalWords('echo "unclosed'), null);
});

test('a prefix is matched by words, of one literal invocation', () => {
  assert.ok(hasPrefix('npm test -- --watch', ['npm test']));
  assert.not.ok(hasPrefix('npm testing', ['npm test']));
  assert.not.ok(hasPrefix('npm test; rm x', ['npm test']));
  assert.not.ok(hasPrefix('npm', ['npm test']));
  assert.not.ok(hasPrefix('anything', ['']));
});

test('scoped reads inside the working directory and changes nothing', () => {
  assert.ok(may('scoped', 'read', { file_path: 'a.txt' }));
  assert.ok(may('scoped', 'shell', { command: 'git status' }));
  assert.ok(may('scoped', 'search', { pattern: 'x' }));
  assert.not.ok(may('scoped', 'read', { file_path: '/etc/passwd' }));
  assert.not.ok(may('scoped', 'shell', { command: 'cat /etc/passwd' }));
  assert.not.ok(may('scoped', 'shell', { command: 'cat ~/x' }));
  assert.not.ok(may('scoped', 'shell', { command: 'cat link' }, { inside: (path) => path !== 'link' }));
  assert.not.ok(may('scoped', 'shell', { command: 'grep --file=/etc/passwd x' }));
  assert.not.ok(may('scoped', 'write', { file_path: 'a.txt', content: '' }));
  assert.not.ok(may('scoped', 'web', { url: 'http://127.0.0.1/' }));
  assert.not.ok(may('scoped', 'other', {}));
  assert.not.ok(may('scoped', 'shell', null));
  assert.ok(may('scoped', 'shell', { command: 'npm test' }, { bashPrefixes: ['npm test'] }));
  assert.ok(may('scoped', 'write', { file_path: 'a.txt', content: '' }, { writesInside: true }));
  assert.not.ok(may('scoped', 'write', { file_path: '/a.txt', content: '' }, { writesInside: true }));
});

test('of a shell that is unknown, only words that all shells read alike are taken', () => {
  const windows = { shell: 'unknown' } as const;
  for (const command of ['ls -la src', 'git log --oneline -5', 'cat README.md', 'grep -rn TODO .']) {
    assert.ok(may('scoped', 'shell', { command }, windows), command);
  }
  const hostile = [
    "git log 'x & echo hacked > hacked.txt'",
    'ls "a\\" & echo hacked > x & rem "',
    'git log "a\\" ; Remove-Item x #"',
    'cat \u2018a\u2019; Remove-Item x; \u2018b\u2019',
    "git log 'a\nRemove-Item x'",
    'git log %COMSPEC%',
    'git log a^b',
    'cat ..\\..\\secret.txt',
    'cat C:\\outside\\secret.txt',
    'cat C:/outside/secret.txt',
    'cat Env:PATH',
    'cat HKLM:SOFTWARE',
    'ls\tx',
    'ls @args',
  ];
  for (const command of hostile) {
    assert.not.ok(may('read', 'shell', { command }, windows), command);
    assert.not.ok(
      may('scoped', 'shell', { command: `npm test ${command}` }, { ...windows, bashPrefixes: ['npm test'] }),
    );
  }
});

test('a bare name that a file of the folder would answer to is refused where the shell is unknown', () => {
  const planted = (program: string) => program === 'ls';
  assert.not.ok(may('scoped', 'shell', { command: 'ls' }, { shell: 'unknown', planted }));
  assert.not.ok(may('scoped', 'shell', { command: 'ls' }, { shell: 'unknown', planted, bashPrefixes: ['ls'] }));
  assert.ok(may('scoped', 'shell', { command: 'cat a' }, { shell: 'unknown', planted }));
  assert.ok(may('scoped', 'shell', { command: 'ls' }, { planted }));
});

test('read reads everywhere and the web', () => {
  assert.ok(may('read', 'read', { file_path: '/etc/hosts' }));
  assert.ok(may('read', 'web', { url: 'http://127.0.0.1/' }));
  assert.not.ok(may('read', 'edit', { file_path: 'a.txt' }));
});

test('edit writes inside and nowhere else', () => {
  assert.ok(may('edit', 'edit', { file_path: 'a.txt' }));
  assert.not.ok(may('edit', 'edit', { file_path: '/tmp/a.txt' }));
  assert.not.ok(may('edit', 'edit', {}));
  assert.ok(may('edit', 'patch', { files: [{ file_path: 'a', action: 'add' }] }));
  assert.not.ok(may('edit', 'patch', { files: [{ file_path: 'a' }, { file_path: '/b' }] }));
  assert.not.ok(may('edit', 'patch', { files: [] }));
  assert.not.ok(may('edit', 'shell', { command: 'touch x' }));
});

test('where files may be written, git and rg do not run unasked, and what steers others is not written', () => {
  for (const command of ['git status', 'git diff', 'git log -1', 'git blame a', 'rg x']) {
    assert.ok(may('read', 'shell', { command }), command);
    assert.not.ok(may('edit', 'shell', { command }), command);
    assert.not.ok(may('scoped', 'shell', { command }, { writesInside: true }), command);
    // The host let a file be written in this turn.
    assert.not.ok(may('scoped', 'shell', { command }, { touched: true }), command);
  }
  for (const command of ['ls -la', 'cat a', 'grep -rn x .', 'find . -name a', 'wc -l a']) {
    assert.ok(may('edit', 'shell', { command }), command);
  }
  for (const file_path of [
    '.git/config',
    '.GIT/hooks/x',
    '.gitattributes',
    'sub/HEAD',
    '.env',
    '.claude/settings.json',
  ]) {
    assert.not.ok(may('edit', 'write', { file_path }), file_path);
    assert.not.ok(may('edit', 'patch', { files: [{ file_path: 'a' }, { file_path }] }), file_path);
    assert.not.ok(may('scoped', 'edit', { file_path }, { writesInside: true }), file_path);
  }
});

test('none lets no native tool run, whatever else is allowed', () => {
  const wide = { bashPrefixes: ['ls'], writesInside: true, mcpServers: ['files'] };
  assert.not.ok(may('none', 'shell', { command: 'ls' }, wide));
  assert.not.ok(may('none', 'read', { file_path: 'a' }, wide));
  assert.not.ok(may('none', 'write', { file_path: 'a' }, wide));
  assert.not.ok(may('none', 'todo', {}, wide));
  assert.ok(may('none', 'mcp', { server: 'files' }, wide));
});

test('full allows everything', () => {
  assert.ok(may('full', 'shell', { command: 'rm -rf x' }));
  assert.ok(may('full', 'other', null));
});

test('servers that the caller brought are allowed at every mode', () => {
  const with_ = { mcpServers: ['files'] };
  assert.ok(judge('mcp__files__read', 'mcp', null, context('scoped', with_)).allow);
  assert.ok(may('read', 'mcp', { server: 'files', tool: 'x' }, with_));
  assert.not.ok(judge('mcp__other__read', 'mcp', null, context('scoped', with_)).allow);
});

test.run();
