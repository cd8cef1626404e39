import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { place, run } from '../contract/cli.js';

const RUNNER = `
const report = { native_sandbox: 'none', approvals: 'off', gaps: ['write', 'shell', 'network', 'read_outside'] };
export default {
  id: 'toy', title: 'Toy', bins: ['sh'], packages: [], install: { kind: 'manual' }, installHint: 'get a shell',
  loginHint: null, testedVersions: [], transport: 'text', streamsIncrementally: false, toolActivity: 'none',
  access: { scoped: report }, sandbox: {}, toolsDoor: 'none', parallelCalls: false, resume: false, effort: false,
  maxTurns: false, reportsCost: false, silentRetries: false, promptInArgv: true, decidesPerCommand: false, steer: false,
  settingsLoaded: [], nesting: [], keys: [],
  tools: () => 'none',
  invoke: (request, machine) => ({
    argv: [machine.program.path, '-c', 'echo "you said: $1"', 'toy', request.prompt], env: {}, stdin: 'null', stdout: 'pipe',
  }),
  converse: () => ({
    hear(heard) {
      if (heard.type === 'line') return [{ do: 'say', event: { type: 'assistant', text: heard.text, message_id: 'm1' } }];
      if (heard.type === 'exit') return [{ do: 'finish', outcome: { ok: true, stopReason: 'end_turn' } }];
      return [];
    },
  }),
};
`;

test('a runner from a file runs like a built-in one', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: needs sh');
  const where = place();
  writeFileSync(join(where.cwd, 'toy.mjs'), RUNNER);
  const { events, code } = await run(['agent', 'exec', '--runner', 'toy.mjs', '-r', 'toy', '-p', 'hi'], {
    place: where,
  }).ended;
  assert.is(code, 0);
  const result = events.find((event) => event['type'] === 'result');
  assert.is(result?.['text'], 'you said: hi');
});

test('a broken one is a clear line and nothing is started', async () => {
  const where = place();
  writeFileSync(join(where.cwd, 'bad.mjs'), 'export default { id: "bad" };');
  for (const file of ['bad.mjs', 'missing.mjs']) {
    const ended = await run(['agent', 'exec', '--runner', file, '-r', 'bad', '-p', 'hi'], { place: where }).ended;
    assert.is(ended.code, 2);
    assert.is(ended.lines.length, 0);
    assert.match(ended.stderr, file);
    assert.match(ended.stderr, '"code":"usage"');
  }
});

test('acp: names a command line, and says what is wrong with one that is none', async () => {
  const where = place();
  const odd = await run(['agent', 'exec', '-r', 'acp:x | y', '-p', 'hi'], { place: where }).ended;
  assert.is(odd.code, 2);
  const missing = await run(['agent', 'exec', '-r', 'acp:no-such-agent --acp', '-p', 'hi'], { place: where }).ended;
  assert.is(missing.code, 2);
  assert.is(missing.events.find((event) => event['type'] === 'error')?.['code'], 'missing-binary');
});

test.run();
