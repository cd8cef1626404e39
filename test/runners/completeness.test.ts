// limit: 120s
/** What must be there for every runner, one that is added tomorrow too: its data, its fixtures, where they come from. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DoneEvent, ErrorEvent, Event, ResultEvent } from '../../src/contract/event.js';
import { ACCESS_MODES } from '../../src/contract/vocabulary.js';
import { compareVersions } from '../../src/discovery/compare-versions.js';
import { scanEntry } from '../../src/discovery/entry.js';
import { readRecordings } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';
import { runners as all } from '../../src/registry/registry.js';
import { badFields } from '../../src/registry/validate/shape.js';
import { isRefusal, type Runner } from '../../src/runner/runner.js';
import { isObject, parseJson, parseObject, str } from '../../src/text/json.js';
import { checker, readSchema } from '../contract/schema-files.js';
import { machine, request } from './drive.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';
/** `TURNOUT_ONLY=ID` looks at one runner alone. */
const only = process.env['TURNOUT_ONLY'];
const runners = all.filter(({ id }) => only === undefined || id === only);
const checkScan = checker(readSchema('scan'));
const NOTHING = { binary: null, version: null, source: null, notes: [], blocked: null };
/** What a bound on a version may be; a runtime we ship has the version of turnout. */
const VERSION = /^\d+(\.\d+)+([-+.]\S+)?$/;

interface Fixture {
  path: string;
  name: string;
  meta: unknown;
}

function fixturesOf(runner: Runner): Fixture[] {
  const folder = join(root, 'fixtures', runner.id);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ndjson')) : [];
  return names.map((name) => {
    const meta = join(folder, name.replace(/\.ndjson$/, '.meta.json'));
    return { path: join(folder, name), name, meta: existsSync(meta) ? parseJson(readFileSync(meta, 'utf8')) : null };
  });
}

/** What is wrong with the note beside a fixture, or null. */
function metaFault(runner: Runner, meta: unknown): string | null {
  if (!isObject(meta)) return 'it has no .meta.json, or that is no JSON object';
  const { program, version, recorded, note } = meta;
  if (program !== runner.id) return `"program" is not ${runner.id}`;
  if (version !== null && !(typeof version === 'string' && VERSION.test(version)))
    return '"version" is no version and not null';
  if (typeof recorded !== 'boolean') return '"recorded" is neither true nor false';
  if (recorded && version === null) return 'it is recorded from a program of no version';
  if (!recorded && !(typeof note === 'string' && note.length > 20)) return '"note" does not say where it comes from';
  return null;
}

test('no two runners answer to one name', () => {
  const names = all.flatMap((runner) => [runner.id, ...(runner.aliases ?? [])]);
  assert.equal(names, [...new Set(names)]);
});

for (const runner of runners) {
  test(`${runner.id}: its data are complete`, () => {
    assert.equal(
      badFields(runner).filter((name) => !runner.builtin || !['id', 'bins', 'builtin'].includes(name)),
      [],
    );
    assert.is(checkScan({ v: 1, agents: [scanEntry(runner, NOTHING)] }), null);
    assert.ok(Object.keys(runner.access).length > 0 || runner.unsupported, 'no access mode and no reason');
    assert.ok(runner.builtin || runner.installHint !== '', 'no install hint');
    assert.ok(runner.builtin || runner.loginHint !== null, 'no login hint');
    const { install } = runner;
    if (install.kind === 'npm') {
      assert.ok(
        install.packages.every((name) => runner.packages.includes(name)),
        'what it is installed from tells no version',
      );
      assert.match(runner.installHint, install.packages[0] ?? '');
    }
    if (install.kind === 'script') assert.match(runner.installHint, install.url);
    for (const version of runner.testedVersions) assert.match(version, VERSION);
    const sorted = [...runner.testedVersions].sort((a, b) => compareVersions(a, b) ?? 0);
    assert.equal(runner.testedVersions, sorted, 'the newest tested version is not the last');
    // A guarantee is what a probe on the real program has shown.
    if (runner.testedVersions.length === 0 && !runner.builtin)
      assert.not.ok(runner.access.read ?? runner.access.edit, 'a guarantee nobody has seen kept');
  });

  test(`${runner.id}: it has fixtures that say where they come from`, () => {
    const fixtures = fixturesOf(runner);
    assert.ok(fixtures.length > 0, `fixtures/${runner.id} has no .ndjson`);
    assert.equal(
      fixtures.flatMap(({ name, meta }) => metaFault(runner, meta)?.replace(/^/, `${name}: `) ?? []),
      [],
    );
    for (const { path, name, meta } of fixtures) {
      if (!isObject(meta) || meta['recorded'] !== true) continue;
      const entries = readRecordings(readFileSync(path, 'utf8')).flatMap((one) => one.entries);
      assert.ok(
        entries.some((entry) => entry.k === 'spawn'),
        `${name} does not say what was started`,
      );
    }
    const folder = join(root, 'fixtures', runner.id);
    const strays = readdirSync(folder).filter(
      (name) => !/\.(ndjson|meta\.json)$/.test(name) && name !== 'vocabulary.json',
    );
    assert.equal(strays, []);
    if (runner.testedVersions.length > 0)
      assert.ok(
        fixtures.some(({ meta }) => runner.testedVersions.includes(str(isObject(meta) ? meta : {}, 'version') ?? '')),
        'no fixture is of a tested version',
      );
  });
}

for (const runner of runners) {
  test(`${runner.id}: a version that nobody knows is tried like the others`, () => {
    const mode = ACCESS_MODES.find((one) => runner.access[one] !== undefined);
    for (const version of [null, 'nightly', '999.0.0', ...runner.testedVersions]) {
      const on = machine({ program: { ...machine().program, version, variant: runner.packages[0] ?? null } });
      const answer = runner.invoke(request({ runtime: runner.id, access: mode ?? 'scoped' }), on);
      assert.not.ok(isRefusal(answer), `${version}: ${JSON.stringify(answer)}`);
    }
  });
}

test('a fixture folder belongs to a runner', () => {
  const known = new Set(['bin', 'contract', ...all.map(({ id }) => id)]);
  assert.equal(
    readdirSync(join(root, 'fixtures')).filter((name) => !known.has(name)),
    [],
  );
});

/** Lines of a version to come, in the shapes that programs speak. */
const FUTURE: readonly string[] = [
  '{"type":"zz_future","subtype":"zz","data":{"a":[1]}}',
  '{"type":"system","subtype":"zz_future"}',
  '{"jsonrpc":"2.0","method":"zz/future","params":{"a":1}}',
  '{"jsonrpc":"2.0","id":987654,"result":{}}',
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"zz","update":{"sessionUpdate":"zz_future"}}}',
  '{"role":"zz_future"}',
  '{}',
  '[]',
  '"zz"',
];

const spoken = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'done' || event.type === 'result' || event.type === 'error' ? [withoutUnread(event)] : [],
  );

/** A failure says how many lines nobody knew. */
function withoutUnread(event: DoneEvent | ResultEvent | ErrorEvent): Event {
  if (event.type !== 'error') return event;
  const { unread, message, ...rest } = event;
  const told = /\n(?:A line|\d+ lines) of its output could not be read; the last began: .*/;
  return { ...rest, message: message.replace(told, '') };
}

for (const runner of runners) {
  // Where every line is the answer there is no line that nobody knows.
  const lines = /text/.test(runner.transport) ? [] : FUTURE;
  for (const { path, name } of lines.length > 0 ? fixturesOf(runner).slice(0, 4) : []) {
    test(`${runner.id} ${name}: lines that nobody knows change nothing`, async () => {
      const recording = readRecordings(readFileSync(path, 'utf8'))[0];
      if (!recording || recording.request.toolsOn) return;
      const plain = await replay(recording, runner);
      const entries = recording.entries.flatMap((entry) => {
        const native = entry.k === 'out' && parseObject(entry.line) !== undefined;
        return native ? [...lines.map((line) => ({ t: entry.t, k: 'out' as const, line })), entry] : [entry];
      });
      const more = await replay({ ...recording, entries }, runner);
      const steady = (events: readonly Event[]) => JSON.stringify(spoken(events));
      assert.is(steady(more.events), steady(plain.events));
    });
  }
}

test.run();
