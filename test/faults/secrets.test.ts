// limit: 120s
// Keys over the real command line: what a runtime is given, and what people and files get to see of them.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseObject } from '../../src/text/json.js';
import { isType, run } from '../contract/cli.js';
import { placeOf, runTurn, type TurnEnd } from './turn.js';

const test = suite('secrets');

/** Values that no pattern knows: they are masked because of their variables' names. */
const OWN = 'Plain-Value.of+the/key~1';
const GIVEN = 'another"odd\\value-22';
const FILED = 'third value with blanks';
/** Shapes that are known wherever they stand. Put together here, so that no scanner takes them for real ones. */
const SHAPES = [
  `sk-ant-${'api03-Ab1'.repeat(4)}`,
  `sk-proj-${'Ab1_'.repeat(8)}`,
  `AIza${'Sy0b'.repeat(8)}`,
  `ghp_${'a1B2'.repeat(9)}`,
  `xai-${'a1B2'.repeat(8)}`,
  `gsk_${'a1B2'.repeat(8)}`,
  `AKIA${'ABCD1234'.repeat(2)}`,
  `eyJ${'hbGciOi1'.repeat(2)}.eyJ${'zdWIiOi1'.repeat(2)}.${'c2ln'.repeat(6)}`,
];

const everywhere = (end: TurnEnd) => [...end.events.map((event) => JSON.stringify(event)), end.stderr].join('\n');

function clean(text: string, where: string): void {
  for (const secret of [OWN, GIVEN, FILED, ...SHAPES]) {
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      assert.not.ok(text.includes(form), `${where} holds ${form}`);
  }
}

test('no key comes out in errors, in --verbose-native or in a recording', async () => {
  const where = placeOf(['tells-its-secrets.js'], { ANTHROPIC_API_KEY: OWN, SAMPLES: SHAPES.join(' ') });
  const file = join(where.cwd, 'variables');
  const recording = join(where.cwd, 'turn.ndjson');
  writeFileSync(file, `# keys\nFILE_SECRET=${FILED}\n`);
  const flags = ['--env', `SAMPLE_TOKEN=${GIVEN}`, '--env-file', file, '--verbose-native', '--record', recording];
  const end = await runTurn(where, flags);
  assert.is(end.exit, 1);
  const error = end.events.find(isType('error'));
  assert.match(String(error?.['message']), '[redacted]');
  assert.match(end.stderr, 'x-api-key: [redacted]');
  clean(everywhere(end), 'the output');
  clean(readFileSync(recording, 'utf8'), 'the recording');
  assert.is(statSync(recording).mode & 0o777, 0o600);
});

test('no key that was typed comes back in a usage error', async () => {
  const where = placeOf(['answers.js'], { SAMPLE_API_KEY: OWN });
  for (const args of [
    ['agent', 'exec', SHAPES[0] ?? ''],
    ['agent', 'exec', '--runtime', 'demo', '--prompt', 'x', '--timeout', SHAPES[1] ?? ''],
    ['agent', 'exec', '--runtime', 'demo', '--prompt', 'x', '--access', OWN],
    ['agent', 'exec', '--runtime', 'demo', '--prompt', 'x', '--env', SHAPES[3] ?? ''],
    ['agent', 'scan', SHAPES[4] ?? ''],
    [SHAPES[5] ?? ''],
  ]) {
    const { code, stderr, lines } = await run(args, { place: where, stdin: 'ignore' }).ended;
    assert.is(code, 2, args.join(' '));
    assert.equal(lines, []);
    assert.not.match(stderr, / at .*:\d+:\d+/);
    clean(stderr, args.slice(0, 2).join(' '));
  }
});

async function got(where: ReturnType<typeof placeOf>, flags: readonly string[]) {
  const end = await runTurn(where, flags);
  assert.is(end.exit, 0, everywhere(end));
  assert.is(end.temp, 0);
  const told = parseObject(end.text) ?? {};
  const list = (name: string) => (Array.isArray(told[name]) ? told[name] : []).map(String);
  return { env: list('env'), argv: list('argv'), modes: told['modes'] };
}

test('ambient provider keys reach only the runtime that owns them, and nesting variables none', async () => {
  const foreign = ['OPENAI_API_KEY', 'CODEX_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'];
  const nesting = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT'];
  const kept = ['ANTHROPIC_API_KEY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'UNKNOWN_SETTING'];
  const all = Object.fromEntries([...foreign, ...nesting, ...kept].map((name) => [name, `value-of-${name}`]));
  const { env } = await got(placeOf(['tells-what-it-got.js'], all), ['--env', 'GEMINI_API_KEY=given']);
  for (const name of kept) assert.ok(env.includes(name), `${name} is missing`);
  for (const name of nesting) assert.not.ok(env.includes(name), `${name} passes`);
  const passed = foreign.filter((name) => env.includes(name));
  assert.equal(passed, ['GEMINI_API_KEY'], 'what is given by --env passes, nothing else');
});

test('keys are in no argv; files with them are for us alone, and gone', async () => {
  const where = placeOf(['tells-what-it-got.js'], { ANTHROPIC_API_KEY: OWN });
  const servers = join(where.cwd, 'servers.json');
  const local = { command: 'true', args: [], env: { TOKEN: GIVEN } };
  const remote = { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer ${SHAPES[0]}` } };
  writeFileSync(servers, JSON.stringify({ mcpServers: { local, remote } }));
  const prompt = join(where.cwd, 'prompt.txt');
  writeFileSync(prompt, `a prompt with ${SHAPES[1]}`);
  const { argv, modes } = await got(where, ['--mcp-config', servers, '--env', `SAMPLE_TOKEN=${FILED}`]);
  clean(argv.join('\n'), 'the argv');
  assert.equal(modes, [['600', '700']]);
  const file = argv.find((arg) => arg.startsWith(where.env['TMPDIR'] ?? '?'));
  assert.ok(file, 'the servers are not in a private file');
  assert.not.ok(existsSync(String(file)));
  assert.equal(readdirSync(where.env['TMPDIR'] ?? ''), []);
});

test.run();
