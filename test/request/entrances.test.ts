/** One bad value at every entrance: the same rule and code, in the entrance's own spelling. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readExec } from '../../src/commands/exec.js';
import { UsageError, type UsageRule } from '../../src/contract/error.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { toolDefinitions } from '../../src/host/tools.js';
import { checkAnswerSchema } from '../../src/request/answer-schema.js';
import { checkSchema, planKeys, readKeys } from '../../src/request/from-json.js';
import { planOptions } from '../../src/request/from-options.js';
import { place } from '../../src/request/place.js';
import { asOptions, flagName, keyName } from '../../src/request/spelling.js';
import { type OptionName, TABLE, takes } from '../../src/request/table.js';
import { refusal } from '../../src/serve/mcp/results.js';
import { type Bad, bad, REMOTE_CASES } from './bad-value.js';

const folder = mkdtempSync(join(tmpdir(), 'turnout-entrances-'));
const written = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const png = written('a.png', '\x89PNG\r\n\x1a\n');
const text = written('a.txt', 'text');
const binary = written('a.bin', 'a\0b');

const words: OptionName[] = ['effort', 'access', 'isolate', 'sandbox', 'sandboxFallback'];
const filled: OptionName[] = ['runtime', 'model', 'resume', 'cwd'];
const times: OptionName[] = ['timeoutMs', 'idleTimeoutMs', 'startupTimeoutMs', 'toolTimeoutMs'];
const withFull = { flags: ['--access', 'full'], options: { access: 'full' }, json: { access: 'full' } };
const withRead = { flags: ['--access', 'read'], options: { access: 'read' }, json: { access: 'read' } };
const withTools = { flags: ['--tools', 'stdio'] };

const server = (one: Json): { flag: string; value: Json } => ({
  flag: JSON.stringify({ mcpServers: { s: one } }),
  value: { s: one },
});
/** A declared tool; the library has them by name. */
const tool = (rule: UsageRule, one: JsonObject, inside: string): Bad => {
  const { name, ...rest } = one;
  const value = { [typeof name === 'string' ? name : 't']: rest };
  return bad('tools', rule, { flag: JSON.stringify([one]), value, json: [one], inside, beside: withTools });
};

const CASES: Bad[] = [
  ...words.flatMap((option) => [
    bad(option, 'choice', { flag: 'nonsense', value: 'nonsense' }),
    bad(option, 'choice', { flag: '', value: '' }),
    bad(option, 'choice', { value: 7 }),
  ]),
  ...REMOTE_CASES,
  ...filled.flatMap((option) => [
    bad(option, 'empty', { flag: ' ', value: ' ' }),
    bad(option, 'type', { value: 7 }),
    bad(option, 'type', { value: ['x'] }),
  ]),
  bad('org', 'form', { flag: '../x' }),
  bad('role', 'form', { flag: '-x y' }),
  bad('role', 'conflict', { flag: 'lead' }),
  bad('prompt', 'empty', { flag: '', value: '' }),
  bad('prompt', 'type', { value: { text: 'x' } }),
  bad('system', 'empty', { flag: ' ', value: ' ' }),
  bad('system', 'size', { flag: 'x'.repeat(16 * 1024 * 1024 + 1), value: 'x'.repeat(16 * 1024 * 1024 + 1) }),
  ...times.flatMap((option) => [
    bad(option, 'range', { flag: '-1', value: -1 }),
    bad(option, 'range', { flag: 'NaN', value: Number.NaN, json: 'NaN' }),
    bad(option, 'range', { flag: '1e300', value: 1e300, json: '1e300' }),
    bad(option, 'type', { value: true }),
  ]),
  bad('maxTurns', 'range', { flag: '0', value: 0 }),
  bad('maxTurns', 'range', { flag: '-3', value: -3 }),
  bad('maxTurns', 'range', { flag: '1.5', value: 1.5 }),
  bad('maxTurns', 'range', { flag: '1e300', value: 1e300 }),
  bad('maxTurns', 'type', { value: '3' }),
  bad('budgetTokens', 'range', { flag: '0', value: 0 }),
  bad('maxToolCalls', 'range', { flag: '1.5', value: 1.5 }),
  bad('requireMcp', 'type', { value: 'files' }),
  bad('budgetUsd', 'range', { flag: '0', value: 0 }),
  bad('budgetUsd', 'range', { flag: '-1', value: -1 }),
  bad('budgetUsd', 'type', { value: '1' }),
  bad('allowRoot', 'type', { value: 'yes' }),
  bad('sandbox', 'conflict', { flag: 'full', value: 'full', beside: withRead }),
  bad('allowBashPrefix', 'conflict', { flag: 'git', value: ['git'], beside: withFull }),
  bad('allowBashPrefix', 'type', { value: 'git' }),
  bad('allowBashPrefix', 'empty', { value: ['git', ''], inside: '[1]' }),
  bad('allowBashPrefix', 'type', { value: [7], inside: '[0]' }),
  bad('settings', 'choice', { flag: 'users', value: ['users'] }),
  bad('settings', 'conflict', { flag: 'none,user', value: ['none', 'user'] }),
  bad('settings', 'type', { value: 'user' }),
  bad('cwd', 'unreadable', { flag: join(folder, 'nowhere'), value: join(folder, 'nowhere') }),
  bad('cwd', 'unreadable', { flag: text, value: text }),
  bad('images', 'unreadable', { flag: join(folder, 'none.png'), value: [join(folder, 'none.png')], inside: '[0]' }),
  bad('images', 'unreadable', { flag: folder, value: [folder], inside: '[0]' }),
  bad('images', 'form', { flag: text, value: [text], inside: '[0]' }),
  bad('images', 'type', { value: png }),
  bad('files', 'unreadable', { flag: join(folder, 'none.txt'), value: [join(folder, 'none.txt')], inside: '[0]' }),
  bad('files', 'form', { flag: binary, value: [binary], inside: '[0]' }),
  bad('files', 'empty', { flag: '', value: [''], inside: '[0]' }),
  bad('env', 'type', { value: { A: 7 }, inside: '.A' }),
  bad('env', 'form', { value: { 'A B': 'x' } }),
  bad('env', 'form', { value: { A: 'x\0' }, inside: '.A' }),
  bad('env', 'type', { value: ['A=1'] }),
  bad('outputSchema', 'schema', { flag: '[]', value: [] }),
  bad('outputSchema', 'schema', { flag: '7', value: 7 }),
  bad('outputSchema', 'schema', { flag: '{"type":"nope"}', value: { type: 'nope' } }),
  bad('outputSchema', 'size', {
    flag: JSON.stringify({ title: 'x'.repeat(1024 * 1024) }),
    value: { title: 'x'.repeat(1024 * 1024) },
  }),
  bad('mcpServers', 'type', { ...server('x'), inside: '.s' }),
  bad('mcpServers', 'type', { ...server({}), inside: '.s.command' }),
  bad('mcpServers', 'choice', { ...server({ type: 'ws', url: 'ws://x' }), inside: '.s.type' }),
  bad('mcpServers', 'form', { ...server({ url: 'file:///x' }), inside: '.s.url' }),
  bad('mcpServers', 'type', { ...server({ command: 'x', args: [1] }), inside: '.s.args[0]' }),
  bad('mcpServers', 'type', { ...server({ command: 'x', env: { A: 1 } }), inside: '.s.env.A' }),
  bad('mcpServers', 'missing', { ...server({ command: '${NOT_SET_ANYWHERE}' }), inside: '.s.command' }),
  tool('type', { name: 'a' }, '.description'),
  tool('size', { name: '', description: '' }, '.name'),
  tool('size', { name: 'x'.repeat(129), description: '' }, '.name'),
  tool('schema', { name: 'a', description: '', schema: { type: 'array' } }, '.schema.type'),
  tool('schema', { name: 'a', description: '', schema: { type: 'nope' } }, '.schema.type'),
  tool('schema', { name: 'a', description: '', schema: [] }, '.schema'),
];

/** @returns the usage error of what must fail */
async function faultOf(call: () => unknown): Promise<UsageError> {
  let got: unknown = 'it was accepted';
  try {
    await call();
  } catch (error) {
    got = error;
  }
  if (got instanceof UsageError) return got;
  throw got instanceof Error ? got : new Error(String(got));
}

const NOTHING = { HOME: folder };
let files = 0;

function argvOf({ option, flag = '', beside }: Bad): string[] {
  const name = `--${flagName(option)}`;
  files += 1;
  const value = TABLE[option].file ? written(`file-${files}`, flag) : flag;
  const needed = [
    ...(option === 'runtime' ? [] : ['--runtime', 'demo']),
    ...(option === 'prompt' ? [] : ['--prompt', 'x']),
  ];
  return [...needed, ...(beside?.flags ?? []), `${name}=${value}`];
}

async function library({ option, value, beside }: Bad): Promise<void> {
  const options = {
    runtime: 'demo',
    prompt: 'x',
    ...beside?.options,
    ...(option === 'tools' ? {} : { [option]: value }),
  };
  const run = () => '';
  const given =
    option === 'tools' ? Object.entries(Object(value)).map(([name, one]) => [name, { ...Object(one), run }]) : [];
  const tools = toolDefinitions(Object.fromEntries(given));
  const { request } = planOptions(options, tools, NOTHING);
  if (request.outputSchema) await checkAnswerSchema(request.outputSchema, place(asOptions, ['outputSchema']));
}

async function json({ option, value, json: own, beside }: Bad): Promise<void> {
  const body: Json = JSON.parse(JSON.stringify(own ?? value) ?? 'null');
  const given = readKeys({ runtime: 'demo', prompt: 'x', ...beside?.json, [keyName(option)]: body });
  await checkSchema(given);
  planKeys(given, { cwd: folder, ambient: NOTHING });
}

const refuse = (kind: string, one: Bad, fault: UsageError, path: string) => {
  const shown = `${kind} ${one.option} ${JSON.stringify(one.flag ?? one.value)?.slice(0, 60)}: ${fault.message.slice(0, 200)}`;
  assert.is(fault.rule, one.rule, shown);
  assert.is(fault.code, 'usage', shown);
  assert.is(fault.path, path, shown);
  assert.ok(fault.message.startsWith(`${path}: `), shown);
  assert.not.match(fault.message, /\bat\b.*\.ts:/);
};

test('there are enough bad values', () => {
  assert.ok(CASES.length >= 60, String(CASES.length));
});

test('flags: same rule, spelled as flags', async () => {
  for (const one of CASES) {
    if (one.flag === undefined || (one.flag === '' && TABLE[one.option].file)) continue;
    const fault = await faultOf(() =>
      readExec(argvOf(one), {
        cwd: folder,
        env: NOTHING,
        stdin: () => {
          throw new Error('stdin was touched');
        },
        firstLine: () => {
          throw new Error('stdin was touched');
        },
      }),
    );
    const flag = `--${flagName(one.option)}`;
    const { many, file } = TABLE[one.option];
    // A file that is empty or too large is refused before its value is looked at.
    const whole = ['size', 'empty'].includes(one.rule) && file && one.option !== 'tools';
    const inner =
      one.option === 'tools' ? `: tools[0]${one.inside}` : one.inside && file ? `: ${one.option}${one.inside}` : '';
    refuse('flag', one, fault, whole ? flag : many ? `${flag} (number 1)` : `${flag}${inner}`);
  }
});

test('options of the library: same rule, spelled as options', async () => {
  for (const one of CASES) {
    if (!('value' in one) || !(takes(one.option, 'option') || one.option === 'tools')) continue;
    const fault = await faultOf(() => library(one));
    const name = one.option === 'tools' ? Object.keys(Object(one.value))[0] : null;
    const own = name === null ? '' : name === '' ? '.' : `.${name}`;
    const places = one.rule === 'choice' && one.option === 'settings' ? '' : (one.inside ?? '');
    refuse('option', one, fault, `${one.option}${own}${places}`);
  }
});

test('keys of JSON: same rule, spelled as keys; MCP says it with the same code, path and rule', async () => {
  for (const one of CASES) {
    if (!('value' in one) || !takes(one.option, 'json')) continue;
    const fault = await faultOf(() => json(one));
    const own = one.option === 'tools' ? '[0]' : '';
    const path = `${keyName(one.option)}${own}${one.inside ?? ''}`;
    refuse('json', one, fault, path);
    const [block] = refusal(fault, []).content;
    const told = block?.type === 'text' ? JSON.parse(block.text) : null;
    assert.equal([told.code, told.path, told.rule], ['usage', path, one.rule]);
  }
});

test('what is missing is named at every entrance', async () => {
  const around = {
    cwd: folder,
    env: NOTHING,
    stdin: () => {
      throw new Error('stdin was touched');
    },
    firstLine: () => {
      throw new Error('stdin was touched');
    },
  };
  const faults = [
    await faultOf(() => readExec(['--prompt', 'x'], around)),
    await faultOf(() => planOptions(JSON.parse('{"prompt":"x"}'), [], NOTHING)),
    await faultOf(() => planKeys(readKeys({ prompt: 'x' }), { cwd: folder, ambient: NOTHING })),
    await faultOf(() => readExec(['--runtime', 'demo'], around)),
    await faultOf(() => planOptions(JSON.parse('{"runtime":"demo"}'), [], NOTHING)),
    await faultOf(() => planKeys(readKeys({ runtime: 'demo' }), { cwd: folder, ambient: NOTHING })),
  ];
  assert.equal(
    faults.map(({ rule, path }) => [rule, path]),
    ['--runtime', 'runtime', 'runtime', '--prompt', 'prompt', 'prompt'].map((path) => ['missing', path]),
  );
});

test('an option that does not exist is named with the nearest one', async () => {
  const { message, rule } = await faultOf(() =>
    planOptions(JSON.parse('{"runtime":"demo","prompt":"x","acces":"full"}'), [], {}),
  );
  assert.is(message, 'acces: there is no such option; did you mean access?');
  assert.is(rule, 'unknown');
});

test('a value never reaches a message of the environment', async () => {
  const { message } = await faultOf(() =>
    planOptions({ runtime: 'demo', prompt: 'x', env: { K: 'sk-secret\0' } }, [], {}),
  );
  assert.not.match(message, 'secret');
});

test.after(() => rmSync(folder, { recursive: true, force: true }));
test.run();
