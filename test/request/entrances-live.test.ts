// limit: 120s
/** A few bad values at programs that run: argv, a server over HTTP, one on its stdin, and a client of MCP. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { arr, obj, parseObject, str } from '../../src/text/json.js';
import { place, run, TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';
import { withClient } from '../serve/mcp/clients.js';
import { ask, lines, serve } from '../serve/server.js';

interface Bad {
  rule: string;
  /** The flag without its dashes, and its value. */
  flag: [name: string, value: string];
  /** The key, its value, and its path where that says more. */
  key: [name: string, value: Json, path?: string];
}

const BAD: readonly Bad[] = [
  { rule: 'choice', flag: ['access', 'nonsense'], key: ['access', 'nonsense'] },
  { rule: 'choice', flag: ['effort', ''], key: ['effort', ''] },
  { rule: 'empty', flag: ['model', ' '], key: ['model', ' '] },
  { rule: 'range', flag: ['timeout', '-1'], key: ['timeout', '-1'] },
  { rule: 'range', flag: ['max-turns', '0'], key: ['max_turns', 0] },
  { rule: 'range', flag: ['budget-usd', '0'], key: ['budget_usd', 0] },
  { rule: 'unreadable', flag: ['cwd', '/no/such/folder'], key: ['cwd', '/no/such/folder'] },
  { rule: 'empty', flag: ['prompt', ''], key: ['prompt', ''] },
];

const request = ([name, value]: Bad['key']): JsonObject => ({ runtime: 'demo', prompt: 'hello', [name]: value });
const shown = ({ flag }: Bad) => flag.join('=');

/** Of an op's answer: an error, no run, and exit 2. */
function judge(bad: Bad, answer: readonly JsonObject[], entrance: string): void {
  const failed = answer.find((line) => str(line, 'kind') === 'error');
  const [name, , path = name] = bad.key;
  assert.equal(
    [str(failed, 'code'), str(failed, 'rule'), str(failed, 'path'), answer.at(-1)?.['exit_code']],
    ['usage', bad.rule, path, 2],
    `${entrance} ${shown(bad)}: ${JSON.stringify(answer)}`,
  );
}

test('argv: exit 2, one JSON line on stderr, nothing on stdout', () => {
  for (const bad of BAD) {
    const { env, cwd } = place();
    const [name, value] = bad.flag;
    const needed = ['--runtime', 'demo', ...(name === 'prompt' ? [] : ['--prompt', 'hello'])];
    const args = [TURNOUT, 'agent', 'exec', ...needed, `--${name}=${value}`];
    const { status, stdout, stderr } = runProgram(process.execPath, args, { env, cwd });
    const told = parseObject(stderr.trim());
    const error = obj(told, 'error') ?? told;
    assert.equal([status, stdout], [2, ''], shown(bad));
    assert.equal(
      [str(error, 'code'), str(error, 'rule'), str(error, 'path')],
      ['usage', bad.rule, `--${name}`],
      stderr,
    );
  }
});

test('a server over HTTP, and the same requests in one batch', async () => {
  const where = place({ TURNOUT_TOKEN: 's3cret' });
  const server = await serve(['--transport', 'http', '--listen', '127.0.0.1:0', '--store', 'memory'], where);
  for (const bad of BAD) judge(bad, await ask(server.at, { op: 'exec', ...request(bad.key) }), 'http');
  const [left] = await ask(server.at, { op: 'runs' });
  assert.equal(arr(left, 'runs'), [], 'nothing was begun');
  assert.is((await server.stop()).code, 0);
});

test('a server on its stdin: every request has its answer, and the next one is heard', async () => {
  const running = run(['agent', 'serve', '--store', 'memory']);
  for (const [id, bad] of BAD.entries()) running.send({ op: 'exec', id, ...request(bad.key) });
  running.send({ op: 'ping', id: 'last' });
  running.child.stdin?.end();
  const { lines: all } = await running.ended;
  const answers = lines(all.join('\n'));
  for (const [id, bad] of BAD.entries())
    judge(
      bad,
      answers.filter((line) => line['id'] === id),
      'stdin',
    );
  assert.is(answers.filter((line) => line['id'] === 'last').at(-1)?.['exit_code'], 0);
});

test('a client of MCP', () =>
  withClient({ era: 'modern', transport: 'stdio' }, async ({ call }) => {
    // What the tool's schema refuses by itself has no rule of ours.
    for (const bad of BAD) {
      const [name, , path = name] = bad.key;
      if (name === 'prompt') continue;
      const { content, text } = await call('agent_exec', request(bad.key));
      assert.equal([content['ok'] ?? false, text.includes(path)], [false, true], `${shown(bad)}: ${text}`);
    }
  }));

test.run();
