import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fault, folder, read, readBare, refuses } from './reading.js';

test('an ordinary call has every default', async () => {
  const plan = await read();
  assert.equal(plan, {
    request: {
      runtime: 'demo',
      prompt: 'hello',
      system: null,
      model: null,
      effort: null,
      cwd: folder,
      resume: null,
      access: 'scoped',
      isolate: 'none',
      sandbox: null,
      sandboxFallback: 'fail',
      allowBashPrefix: [],
      approvals: 'deny',
      toolsOn: false,
      tools: [],
      toolTimeoutMs: 120_000,
      maxTurns: null,
      budgetUsd: null,
      settings: [],
      mcpServers: [],
      outputSchema: null,
    },
    limits: { timeoutMs: 0, idleMs: 0, startupMs: null },
    env: {},
    allowRoot: false,
    verboseNative: false,
    claudePath: null,
    stdinTaken: false,
    record: null,
    speed: 'original',
    format: 'ndjson',
    runners: [],
    keep: false,
  });
});

test('short flags, joined values and --flag=value mean the same', async () => {
  const plan = await readBare('-r=demo', '-phello', '--model=gpt=5', '--json');
  assert.is(plan.request.runtime, 'demo');
  assert.is(plan.request.prompt, 'hello');
  assert.is(plan.request.model, 'gpt=5');
});

test('a prompt is any text, also one that looks like a flag', async () => {
  for (const text of ['--help', '-', '--', '-really?', '--runtime', '--prompt=x', '-h', 'a=b']) {
    assert.is((await readBare('--runtime', 'demo', '--prompt', text)).request.prompt, text);
    assert.is((await readBare('--runtime', 'demo', `--prompt=${text}`)).request.prompt, text);
  }
});

test('an unknown flag names the nearest one', async () => {
  await refuses(read('--promt', 'x'), /^unknown flag --promt; did you mean --prompt\?$/);
  await refuses(read('--max-turn=3'), /--max-turn; did you mean --max-turns\?/);
  const error = await fault(read('--zzzzzzzz'));
  assert.is(error.message, 'unknown flag --zzzzzzzz');
  assert.is(error.hint, 'turnout agent exec --help');
});

test('a value is never taken from the next flag', async () => {
  await refuses(readBare('--runtime', '--prompt', 'x'), /^--runtime needs a value/);
  await refuses(readBare('--runtime', 'demo', '--model', '-p', 'x'), /^--model needs a value/);
  await refuses(readBare('--runtime', 'demo', '--prompt'), /^--prompt needs a value/);
});

test('a flag given twice, a stray argument and a value on a switch are refused', async () => {
  await refuses(read('--prompt', 'again'), /^--prompt is given more than once$/);
  await refuses(read('--json', '--json'), /^--json is given more than once$/);
  await refuses(read('hello'), /^unexpected argument "hello"/);
  await refuses(read('--', 'hello'), /^unexpected argument "--"/);
  await refuses(read('--json=true'), /^--json takes no value$/);
});

test('a runtime is needed', async () => {
  const error = await fault(readBare('--prompt', 'x'));
  assert.is(error.message, '--runtime: expected the id of a runtime that a scan lists, or auto');
  assert.is(error.hint, 'turnout agent scan');
  await refuses(readBare('--prompt', 'x', '--runtime', ''), /^--runtime: expected a text that is not empty$/);
});

test('words are checked against their list', async () => {
  await refuses(
    read('--access', 'ful'),
    /^--access: expected one of scoped, none, read, edit, full, not "ful"; did you mean full\?$/,
  );
  await refuses(read('--effort', 'extreme'), /^--effort: expected one of off, low/);
  await refuses(read('--sandbox', 'none'), /^--sandbox: expected one of read-only/);
  await refuses(read('--sandbox-fallback', ''), /^--sandbox-fallback: expected one of/);
  await refuses(read('--approvals', 'ask'), /^--approvals: expected one of deny, stdio/);
  await refuses(read('--tools', 'mcp'), /^--tools: expected one of none, stdio/);
  await refuses(read('--protocol', '2'), /^--protocol: expected one of 1, not "2"$/);
  const plan = await read('--access', 'edit', '--effort', 'xhigh', '--sandbox', 'restricted', '--protocol', '1');
  assert.is(plan.request.access, 'edit');
  assert.is(plan.request.effort, 'xhigh');
  assert.is(plan.request.sandbox, 'restricted');
});

test('durations are seconds unless they say otherwise', async () => {
  const plan = await read(
    '--timeout',
    '1.5',
    '--idle-timeout',
    '250ms',
    '--startup-timeout',
    '2m',
    '--tool-timeout',
    '0',
  );
  assert.equal(plan.limits, { timeoutMs: 1500, idleMs: 250, startupMs: 120_000 });
  assert.is(plan.request.toolTimeoutMs, 0);
  for (const text of ['', '5 s', '-1', '1d', 'abc', '1e3', '.5']) {
    await refuses(read(`--timeout=${text}`), /^--timeout: expected a duration/);
  }
});

test('rounds are whole numbers from 1 on', async () => {
  assert.is((await read('--max-turns', '25')).request.maxTurns, 25);
  for (const text of ['0', '-1', '1.5', 'NaN', '', '1e2', '99999999999999999999']) {
    await refuses(read(`--max-turns=${text}`), /^--max-turns: expected a whole number of at least 1/);
  }
});

test('a budget is above zero and may have an exponent', async () => {
  assert.is((await read('--budget-usd', '1e-05')).request.budgetUsd, 0.00001);
  assert.is((await read('--budget-usd', '.5')).request.budgetUsd, 0.5);
  for (const text of ['0', '-1', 'NaN', 'Infinity', '1e999', '', '$5', '0x10']) {
    await refuses(read(`--budget-usd=${text}`), /^--budget-usd: expected a number of dollars above 0/);
  }
});

test('modes that contradict each other are refused', async () => {
  await refuses(read('--access', 'read', '--sandbox', 'full'), /^--sandbox: full contradicts --access read$/);
  await refuses(
    read('--access', 'full', '--allow-bash-prefix', 'git'),
    /^--allow-bash-prefix: has no meaning with --access full/,
  );
  assert.equal((await read('--allow-bash-prefix', 'git log, npm test')).request.allowBashPrefix, [
    'git log',
    'npm test',
  ]);
  await refuses(read('--allow-bash-prefix', 'git,,ls'), /no empty entry/);
});

test('settings are none or sources', async () => {
  assert.equal((await read('--settings', 'none')).request.settings, []);
  assert.equal((await read('--settings', 'project, user')).request.settings, ['user', 'project']);
  await refuses(read('--settings', 'none,user'), /none stands alone/);
  await refuses(read('--settings', 'users'), /did you mean user\?/);
  await refuses(read('--settings', ''), /no empty entry/);
});

test('switches and the old names are read', async () => {
  const plan = await read('--allow-root', '--verbose-native', '--claude-path', '/opt/claude', '--resume', 's1');
  assert.is(plan.allowRoot, true);
  assert.is(plan.verboseNative, true);
  assert.is(plan.claudePath, '/opt/claude');
  assert.is(plan.request.resume, 's1');
  await refuses(read('--resume', ''), /^--resume: expected a text that is not empty$/);
});

test.run();
