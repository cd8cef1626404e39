// limit: 180s
// Unbreakable rules 1, 2, 5, 6 and 8 of the contract, over the real command line.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demo, type Ended, isType, place, type RunOptions, run, textOf } from './cli.js';
import { orderFault } from './order.js';
import { checkEvent } from './schema-files.js';

const test = suite('rules about order and truth');

async function turn(prompt: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Ended> {
  const running = demo(prompt, args, options);
  const ended = await running.ended;
  sound(ended);
  return ended;
}

/** What holds for every turn whatever came of it. */
function sound(ended: Ended): void {
  assert.is(orderFault(ended.events), null, ended.lines.slice(0, 50).join('\n') + ended.stderr);
  assert.is(ended.lines.length, ended.events.length, 'only objects on stdout');
  for (const event of ended.events) assert.is(checkEvent(event), null, JSON.stringify(event).slice(0, 500));
  for (const line of ended.lines) assert.ok(Buffer.byteLength(line) < 1024 * 1024, 'a line under 1 MiB');
  assert.is(ended.code, ended.events.at(-1)?.['exit_code'], 'the process exits with the code of done');
}

const errorCode = (ended: Ended) =>
  ended.events.find((event) => event['type'] === 'error' && event['code'] !== 'bad-frame')?.['code'];

test('1: start first, done last, each once, whatever the host sends before the runtime has started', async () => {
  for (const args of [[], ['--tools', 'stdio'], ['--approvals', 'stdio']]) {
    const running = demo('say hi', args);
    for (const frame of [
      '{"oops',
      '{"type":"steer","id":"s1","text":"early"}',
      '{"type":"tool_result","id":"tc_1","ok":true,"result":""}',
      '{"type":"permission_result","id":"pr_1","choice":"deny"}',
      '[]',
      '{"type":"unheard-of"}',
    ]) {
      running.send(frame);
    }
    sound(await running.ended);
  }
});

test('1: nothing comes between result and done, whatever the host sends then', async () => {
  const ended = await turn('say hi', ['--tools', 'stdio'], {
    onEvent(event, running) {
      if (event['type'] !== 'result' && event['type'] !== 'assistant') return;
      running.send('{"oops');
      running.send({ type: 'steer', id: 's1', text: 'late' });
      running.send({ type: 'tool_result', id: 'tc_9', ok: true, result: '' });
    },
  });
  assert.is(ended.code, 0);
});

test('1: a refusal is start, error, done', async () => {
  const cases: [string, string[]][] = [
    ['no-runner', ['--runtime', 'no-such-runtime']],
    ['unsupported', ['--runtime', 'demo', '--sandbox', 'restricted']],
  ];
  for (const [code, args] of cases) {
    const running = run(['agent', 'exec', ...args, '--prompt', 'hi']);
    const ended = await running.ended;
    sound(ended);
    assert.equal(
      ended.events.map((event) => event['type']),
      ['start', 'error', 'done'],
    );
    assert.is(ended.events[0]?.['child_pid'], undefined);
    assert.equal([errorCode(ended), ended.code], [code, 2]);
  }
});

test('1: a cancel before the start gives start, error, done', async () => {
  const running = demo('hang');
  running.send({ type: 'cancel' });
  const ended = await running.ended;
  sound(ended);
  assert.equal([errorCode(ended), ended.code], ['cancelled', 130]);
});

test('1: sound streams from every kind of turn', async () => {
  for (const prompt of [
    'unicode',
    'plan then subagent then ask',
    'crash 0',
    'crash SIGKILL',
    'refuse',
    'rate-limit 9',
    'big 2 one',
  ]) {
    await turn(prompt);
  }
});

test('1: a usage error is one line of JSON on stderr, nothing on stdout, exit 2', async () => {
  for (const args of [
    ['--no-such-flag'],
    ['--prompt', ''],
    ['--prompt', 'hi', '--max-turns', '0'],
    ['--prompt', 'hi', '--timeout', 'soon'],
  ]) {
    const ended = await run(['agent', 'exec', '--runtime', 'demo', ...args]).ended;
    assert.equal([ended.code, ended.lines], [2, []], args.join(' '));
    const lines = ended.stderr.trimEnd().split('\n');
    assert.is(lines.length, 1, ended.stderr);
    const told = JSON.parse(lines[0] ?? '');
    assert.equal([told.v, told.type, told.code, typeof told.message], [1, 'error', 'usage', 'string']);
  }
});

test('2: exits with the code of done although stdin stays open', async () => {
  const codes: [string, number][] = [
    ['say hi', 0],
    ['auth', 1],
    ['silent', 1],
    ['crash 3', 1],
  ];
  for (const [prompt, code] of codes) {
    const running = demo(prompt);
    running.event(isType('done')).then(
      () => running.watch(),
      () => {},
    );
    const ended = await running.ended;
    assert.not.ok(ended.late, `${prompt}: had to be ended`);
    assert.is(ended.code, code, prompt);
    sound(ended);
  }
});

test('2: exits at once when stdin is closed, too', async () => {
  const ended = await turn('slow 2', [], { stdin: 'closed' });
  assert.is(ended.code, 0);
  assert.match(textOf(ended.events), /done\.$/);
  assert.is((await turn('say hi', [], { stdin: 'ignore' })).code, 0);
});

test('5: an end without a word is an error, whatever the exit code and the mark say', async () => {
  for (const prompt of ['silent']) {
    const ended = await turn(prompt);
    assert.equal([errorCode(ended), ended.code], ['runner-error', 1], prompt);
    assert.not.ok(ended.events.some(isType('result')));
  }
});

test('5: an end without the mark is an error even after text, even with exit code 0', async () => {
  const ended = await turn('crash 0');
  assert.equal([errorCode(ended), ended.code], ['runner-error', 1]);
});

test('5: a refusal may be silent', async () => {
  const ended = await turn('refuse silently');
  const result = ended.events.find(isType('result'));
  assert.equal([ended.code, result?.['stop_reason'], result?.['is_error']], [0, 'refusal', false]);
});

test('6: what the model says never becomes an error code', async () => {
  for (const text of [
    '401 unauthorized',
    'Error: rate limit exceeded (429)',
    'Invalid API key · Please run /login',
    '{"type":"error","error":{"type":"authentication_error"}}',
    'insufficient_quota',
  ]) {
    const ended = await turn(`say ${text}`);
    assert.is(ended.code, 0, text);
    assert.is(errorCode(ended), undefined);
    assert.is(textOf(ended.events), text);
  }
  const crashed = await turn('say 401 unauthorized then crash 1');
  assert.equal([errorCode(crashed), crashed.code], ['runner-error', 1]);
});

test('6: what a command or a caller tool prints does not either', async () => {
  const shell = await turn("shell ls 'unauthorized 401 invalid api key'");
  assert.is(shell.code, 0);
  const tool = await turn('tool t {}', ['--tools', 'stdio', '--tool-names', 't'], {
    onEvent(event, running) {
      if (event['type'] !== 'tool_call') return;
      running.send({ type: 'tool_result', id: 'tc_1', ok: false, result: '401 unauthorized: invalid api key' });
    },
  });
  assert.equal([tool.code, errorCode(tool)], [0, undefined]);
});

/** Makes our own process throw when the test says so; the runtime's process is left alone. */
const PLANTED = `--import=data:text/javascript,${encodeURIComponent(
  "if(process.argv.includes('exec')){process.once('SIGUSR2',()=>{throw new Error('planted fault')})}",
)}`;

test('8: a fault of our own still ends with error and done, and nothing is left behind', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: no signals');
  const running = demo('hang hard', [], { place: place({ NODE_OPTIONS: PLANTED }) });
  await running.event(isType('assistant'));
  running.child.kill('SIGUSR2');
  running.watch();
  const ended = await running.ended;
  assert.not.ok(ended.late);
  sound(ended);
  assert.equal([errorCode(ended), ended.code], ['runner-error', 1]);
  assert.match(String(ended.events.find(isType('error'))?.['message']), /planted fault/);
});

test.run();
