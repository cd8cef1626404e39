// limit: 180s
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { arr, isObject, parseObject, str } from '../../src/text/json.js';
import { type Place, place, run } from '../contract/cli.js';
import { checker, readSchema } from '../contract/schema-files.js';
import { toyModule } from '../registry/toy.js';

const checkScan = checker(readSchema('scan'));

/** Writes files below the project, or below the folder of the user's configuration (`~config/…`). */
function placed(files: Readonly<Record<string, string>>): Place {
  const where = place();
  const config = join(where.env['XDG_CONFIG_HOME'] ?? '', 'turnout');
  mkdirSync(config, { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(name.startsWith('~config/') ? join(config, name.slice(8)) : join(where.cwd, name), text);
  return where;
}

const execute = (where: Place, ...args: string[]) =>
  run(['agent', 'exec', ...args, '-p', 'hi'], { place: where, stdin: 'ignore' }).ended;
const command = (where: Place, ...args: string[]) => run(args, { place: where, stdin: 'ignore' }).ended;
const textOf = (events: readonly JsonObject[]) => events.find((event) => event['type'] === 'result')?.['text'];
const errorOf = (events: readonly JsonObject[]) => events.find((event) => event['type'] === 'error');

async function scanned(where: Place, ...args: string[]) {
  const ended = await command(where, 'agent', 'scan', '--json', ...args);
  assert.is(ended.code, 0, ended.stderr);
  const found = parseObject(ended.lines.join('\n'));
  assert.is(checkScan(found), null);
  const agents = (arr(found, 'agents') ?? []).filter(isObject);
  return { ids: agents.map((one) => one['id']), broken: (arr(found, 'broken_runners') ?? []).filter(isObject), ended };
}

if (process.platform === 'win32') console.log('SKIPPED: needs sh');
else {
  test('a runner from a file runs like a built-in one; what it logs is no event', async () => {
    const where = placed({ 'toy.mjs': toyModule({}, 'console.log("hello from the module");') });
    const { events, code, lines } = await execute(where, '--runner', 'toy.mjs', '-r', 'toy');
    assert.is(code, 0);
    assert.is(textOf(events), 'you said: hi');
    assert.not.ok(lines.some((line) => line.includes('hello from the module')));
  });

  test('a runner of the configuration is there for exec, run, auto, scan, doctor, models, test and the server', async () => {
    const where = placed({
      '~config/config.json': '{"runners":["./toy.mjs"],"runtimes":["toy"]}',
      '~config/toy.mjs': toyModule(),
    });
    for (const runtime of ['toy', 'auto'])
      assert.is(textOf((await execute(where, '-r', runtime)).events), 'you said: hi', runtime);
    const people = await command(where, 'run', 'hi', '-q');
    assert.is(people.lines.join(''), 'you said: hi');
    const { ids, broken } = await scanned(where);
    assert.equal([ids.includes('toy'), broken], [true, []]);
    assert.match((await command(where, 'doctor', '-c', 'toy')).lines.join('\n'), /toy/);
    const models = parseObject((await command(where, 'agent', 'models', '-r', 'toy', '--json')).lines[0] ?? '');
    assert.is(models?.['supported'], false);
    const tested = parseObject((await command(where, 'agent', 'test', 'toy', '--json')).lines[0] ?? '');
    assert.is(str(tested, 'status'), 'ok_unexpected');
    const server = run(['agent', 'serve', '--store', 'memory'], { place: where });
    server.send({ op: 'exec', runtime: 'toy', prompt: 'hi' });
    server.closeStdin();
    assert.match((await server.ended).lines.join('\n'), 'you said: hi');
  });

  test('the code of configured runners is not loaded for a turn of a built-in runtime', async () => {
    const where = placed({
      '~config/config.json': '{"runners":["./toy.mjs"]}',
      '~config/toy.mjs': toyModule({}, 'throw new Error("loaded");'),
    });
    const { code, stderr } = await execute(where, '-r', 'demo');
    assert.equal([code, stderr], [0, '']);
  });

  test('a broken one that was named for this call is a usage error, and nothing is started', async () => {
    const where = placed({ 'bad.mjs': 'export default { id: "bad" };' });
    for (const file of ['bad.mjs', 'missing.mjs']) {
      const ended = await execute(where, '--runner', file, '-r', 'bad');
      assert.is(ended.code, 2);
      assert.is(ended.lines.length, 0);
      assert.match(ended.stderr, file);
      assert.match(ended.stderr, '"code":"usage"');
    }
    const { broken, ended } = await scanned(where, '--runner', 'bad.mjs');
    assert.equal([broken[0]?.['runner'], broken[0]?.['from'], broken[0]?.['code']], ['bad.mjs', '--runner', 'shape']);
    assert.match(ended.stderr, /^turnout: the runner bad\.mjs \(named by --runner\) is left out: .*\n$/);
  });

  test('a runner whose module leaves something running does not keep a scan from its end', async () => {
    const where = placed({ 'toy.mjs': toyModule({}, 'setInterval(() => {}, 1000);') });
    assert.ok((await scanned(where, '--runner', 'toy.mjs')).ids.includes('toy'));
    const table = await command(where, 'agent', 'scan', '--runner', 'toy.mjs');
    assert.equal([table.code, /toy/.test(table.lines.join())], [0, true]);
  });

  test('broken ones of the configuration are a line each on stderr and an entry in scan; the others work', async () => {
    const where = placed({
      '~config/config.json': '{"runners":["./boom.mjs","./exits.mjs","./claude.mjs","./toy.mjs"]}',
      '~config/boom.mjs': 'throw new Error("boom\\nsk-ant-REDACTED");',
      '~config/exits.mjs': 'process.exit(0);',
      '~config/claude.mjs': toyModule({ id: "'claude'" }),
      '~config/toy.mjs': toyModule(),
      'turnout.config.json': '{"runners":["./toy.mjs"]}',
      'toy.mjs': toyModule(),
    });
    const { ids, broken, ended } = await scanned(where);
    assert.ok(ids.includes('toy') && ids.includes('claude'));
    assert.equal(
      broken.map((one) => [one['runner'], one['code']]),
      [
        ['./toy.mjs', 'untrusted'],
        ['./boom.mjs', 'load'],
        ['./exits.mjs', 'load'],
        ['./claude.mjs', 'taken'],
      ],
    );
    const told = ended.stderr.trimEnd().split('\n');
    assert.is(told.length, 4);
    assert.ok(told.every((line) => /^turnout: the runner \.\/\w+\.mjs \(named by .*\) is left out: ./.test(line)));
    const turn = await execute(where, '-r', 'toy');
    assert.equal([turn.code, textOf(turn.events)], [0, 'you said: hi']);
    assert.is(turn.stderr, ended.stderr);
    const doctor = await command(where, 'doctor', '--json');
    const checks = (arr(parseObject(doctor.lines[0] ?? ''), 'results') ?? []).filter(isObject);
    const statuses = checks.filter((one) => one['name'] === 'runner').map((one) => one['status']);
    assert.equal(statuses, ['info', 'fail', 'fail', 'fail']);
    assert.is(doctor.code, 1);
    const unknown = await execute(where, '-r', 'boom');
    assert.equal([unknown.code, errorOf(unknown.events)?.['code']], [2, 'no-runner']);
  });

  test('a configuration that is not in order stops no turn of a runtime that was named', async () => {
    const where = placed({ '~config/config.json': '{', 'toy.mjs': toyModule() });
    const { code, stderr, events } = await execute(where, '--runner', 'toy.mjs', '-r', 'toy');
    assert.equal([code, textOf(events), stderr], [0, 'you said: hi', '']);
    const { broken } = await scanned(where);
    assert.is(broken[0]?.['code'], 'config');
  });

  const FAULTS: readonly [where: string, changes: Record<string, string>][] = [
    ['invoke', { invoke: '() => { throw new Error("boom"); }' }],
    ['converse', { converse: '() => { throw new Error("boom"); }' }],
    ['hear', { converse: '() => ({ hear() { throw new Error("boom"); } })' }],
    ['tools', { toolTransport: '"prompt"', tools: '() => { throw new Error("boom"); }' }],
  ];
  for (const [name, changes] of FAULTS) {
    test(`one that throws in ${name} ends its turn with its name, and is no fault of turnout's`, async () => {
      const where = placed({ 'toy.mjs': toyModule(changes) });
      const ended = await execute(where, '--runner', 'toy.mjs', '-r', 'toy', '--tools', 'stdio', '--tool-names', 'a');
      const plain = await execute(where, '--runner', 'toy.mjs', '-r', 'toy');
      const { code, events, stderr } = name === 'tools' ? ended : plain;
      const error = errorOf(events);
      assert.equal([code, error?.['code'], events.at(-1)?.['exit_code'], stderr], [1, 'runner-error', 1, '']);
      assert.match(String(error?.['message']), new RegExp(`^the runner toy \\(.*toy\\.mjs\\) failed in ${name}: boom`));
    });
  }

  test('an action that nobody knows ends the turn with words', async () => {
    const where = placed({ 'toy.mjs': toyModule({ converse: '() => ({ hear: () => [{ do: "dance" }] })' }) });
    const { code, events } = await execute(where, '--runner', 'toy.mjs', '-r', 'toy');
    assert.is(code, 1);
    assert.match(String(errorOf(events)?.['message']), 'failed in hear: it gave {"do":"dance"}, which is no action');
  });

  test('a line that nobody knows is kept: --verbose-native shows it once more, masked, and the turn goes on', async () => {
    const converse = `() => ({
      hear(heard) {
        if (heard.type === 'line' && heard.text.includes('future')) return [{ do: 'unread', text: heard.text }];
        if (heard.type === 'line') return [{ do: 'say', event: { type: 'assistant', text: heard.text, message_id: 'm' } }];
        return heard.type === 'exit' ? [{ do: 'finish', outcome: { ok: true, stopReason: 'end_turn' } }] : [];
      },
    })`;
    const invoke = `(request, machine) => ({
      argv: [machine.program.path, '-c', 'echo "future $SAMPLE_TOKEN"; echo known; echo "future to stderr" >&2'],
      env: {}, stdin: 'null', stdout: 'pipe',
    })`;
    const where = placed({ 'toy.mjs': toyModule({ converse, invoke }) });
    const secret = 'q8Zr2LmN5vXc7Bt1';
    const args = ['--runner', 'toy.mjs', '-r', 'toy', '--env', `SAMPLE_TOKEN=${secret}`];
    const { code, events, stderr } = await execute(where, ...args, '--verbose-native');
    assert.equal([code, textOf(events)], [0, 'known']);
    assert.match(stderr, /^not understood: future (?!q8Z)\S+$/m);
    assert.match(stderr, /^known$/m);
    assert.not.match(stderr, /not understood: known|not understood: future to stderr/);
    assert.not.ok(stderr.includes(secret));
    assert.is((await execute(where, ...args)).stderr, '');
  });

  test('a recording of such a runtime is replayed with the same runner', async () => {
    const where = placed({ 'toy.mjs': toyModule() });
    await execute(where, '--runner', 'toy.mjs', '-r', 'toy', '--record', 'turn.ndjson');
    const same = await command(where, 'agent', 'replay', 'turn.ndjson', '--runner', 'toy.mjs');
    assert.equal([same.code, same.lines.length], [0, 1], same.stderr);
    assert.is((await command(where, 'agent', 'replay', 'turn.ndjson')).code, 1);
  });
}

test('acp: names a command line, and says what is wrong with one that is none', async () => {
  const where = place();
  const odd = await run(['agent', 'exec', '-r', 'acp:x | y', '-p', 'hi'], { place: where }).ended;
  assert.is(odd.code, 2);
  const missing = await run(['agent', 'exec', '-r', 'acp:no-such-agent --acp', '-p', 'hi'], { place: where }).ended;
  assert.is(missing.code, 2);
  assert.is(missing.events.find((event) => event['type'] === 'error')?.['code'], 'missing-binary');
});

test.run();
