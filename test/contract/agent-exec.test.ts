/**
 * docs/compatibility/agent-exec.json lists every deviation from the public Agent Exec Protocol (rev 4 to 30): nothing
 * else differs, and nothing in it is out of date. Held to the schema and to what the recorded turns of real programs print.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import codex from '../../runners/codex/index.js';
import { ERROR_CODES } from '../../src/contract/error.js';
import type { Event } from '../../src/contract/event.js';
import { handshake, REVISION } from '../../src/contract/handshake.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { turnTools } from '../../src/exec/prepare-tools.js';
import { readRecordings } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';
import type { Runner } from '../../src/runner/runner.js';
import { isObject, obj, str } from '../../src/text/json.js';
import { refusedEvents } from '../../src/turn/refusal.js';
import { run } from './cli.js';

type Names = Readonly<Record<string, readonly string[]>>;
interface List {
  revisions: { from: number; to: number };
  original: { events: Names; values: Names; exit_codes: Readonly<Record<string, number>> };
  events: { added: readonly string[] };
  fields: { added: Names; missing: Names };
  values: { added: Names; missing: Names };
  exit_codes: Readonly<Record<string, { original: number; turnout: number }>>;
  behaviour: readonly { id: string; rev: number; original: string; turnout: string }[];
}

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const list: List = json('docs/compatibility/agent-exec.json');
const schema: JsonObject = json('schemas/event.json');
const SHARED = new Set(['v', 'type']);

const definition = (reference: string) => obj(schema, '$defs', reference.split('/').at(-1) ?? '') ?? {};
const resolved = (value: Json | undefined): Json | undefined => {
  const reference = str(value, '$ref');
  return reference === undefined ? value : resolved(definition(reference));
};

/** Every documented field and, where its values are words, those. */
function documented(): { fields: Record<string, string[]>; words: Record<string, string[]> } {
  const fields: Record<string, string[]> = {};
  const words: Record<string, string[]> = {};
  const all = schema['oneOf'];
  if (!Array.isArray(all)) throw new Error('schemas/event.json has no oneOf');
  for (const one of all) {
    const event = definition(str(one, '$ref') ?? '');
    const inherited = obj(definition(str(event, '$ref') ?? ''), 'properties');
    const properties = { ...inherited, ...obj(event, 'properties') };
    const type = str(properties['type'], 'const') ?? '';
    const known = new Set(fields[type]);
    for (const [name, value] of Object.entries(properties)) {
      if (SHARED.has(name)) continue;
      known.add(name);
      const shape = resolved(value);
      const values = isObject(shape) ? [shape['enum'] ?? shape['const']].flat() : [];
      const texts = values.filter((word): word is string => typeof word === 'string');
      if (texts.length > 0) words[`${type}.${name}`] = [...new Set([...(words[`${type}.${name}`] ?? []), ...texts])];
    }
    fields[type] = [...known];
  }
  return { fields, words };
}

function differences(original: Names, ours: Names): { added: Names; missing: Names } {
  const of = (from: Names, to: Names) =>
    Object.fromEntries(
      Object.keys(original)
        .map((key) => [key, (from[key] ?? []).filter((one) => !(to[key] ?? []).includes(one)).sort()] as const)
        .filter(([, names]) => names.length > 0),
    );
  return { added: of(ours, original), missing: of(original, ours) };
}

const sorted = (names: Names) => Object.fromEntries(Object.entries(names).map(([key, all]) => [key, [...all].sort()]));

test('it covers the revisions that the handshake names', () => {
  assert.equal(list.revisions, { from: 4, to: REVISION });
});

test('the list names every event and field that the schema adds or leaves out, and no other', () => {
  const { fields } = documented();
  const types = Object.keys(fields).filter((type) => !(type in list.original.events));
  assert.equal([...list.events.added].sort(), types.sort(), 'add a new event to docs/compatibility/agent-exec.json');
  const found = differences(list.original.events, fields);
  assert.equal(sorted(list.fields.added), found.added, 'add a new field to docs/compatibility/agent-exec.json');
  assert.equal(sorted(list.fields.missing), found.missing);
});

test('the list names every word that a field has or lacks beyond the original', () => {
  const found = differences(list.original.values, documented().words);
  assert.equal(sorted(list.values.added), found.added, 'add a new value to docs/compatibility/agent-exec.json');
  assert.equal(sorted(list.values.missing), found.missing);
});

test('codes end with the exit code of the original, but for those listed', () => {
  for (const [code, original] of Object.entries(list.original.exit_codes)) {
    const ours = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1].exit;
    const listed = list.exit_codes[code];
    assert.is(ours, listed?.turnout ?? original, code);
    if (listed) assert.is(listed.original, original, code);
  }
});

async function realTurns(runner: Runner): Promise<Event[][]> {
  const folder = join(root, 'fixtures', runner.id);
  const turns: Event[][] = [];
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.ndjson'))) {
    for (const recording of readRecordings(readFileSync(join(folder, name), 'utf8'))) {
      const { request, machine } = recording;
      const { tools } = await turnTools({
        runner,
        request,
        machine,
        version: '0.0.0',
        transport: 'none',
        privateDir: () => Promise.reject(new Error('a replay opens no socket')),
        notice: () => {},
      });
      const { events } = await replay(recording, runner, { tools });
      turns.push(JSON.parse(JSON.stringify(events)));
    }
  }
  return turns;
}

const real = { claude: await realTurns(claude), codex: await realTurns(codex) };

for (const [id, turns] of Object.entries(real)) {
  test(`${id}: its recorded turns print nothing that is neither the original's nor listed`, () => {
    assert.ok(turns.length > 20);
    for (const event of turns.flat()) {
      if (list.events.added.includes(event.type)) continue;
      const known = [...(list.original.events[event.type] ?? []), ...(list.fields.added[event.type] ?? [])];
      const strange = Object.keys(event).filter((name) => !SHARED.has(name) && !known.includes(name));
      assert.equal(strange, [], `${event.type} of ${id}`);
      for (const [name, value] of Object.entries(event)) {
        const at = `${event.type}.${name}`;
        const words = list.original.values[at];
        if (words === undefined || typeof value !== 'string') continue;
        assert.ok([...words, ...(list.values.added[at] ?? [])].includes(value), `${at}: ${value}`);
      }
    }
  });
}

const all = [...real.claude, ...real.codex];
const some = (shows: (turn: readonly Event[]) => boolean) => assert.ok(all.some(shows));
const endings = <Type extends Event['type']>(turn: readonly Event[], type: Type) =>
  turn.filter((event): event is Extract<Event, { type: Type }> => event.type === type);

/** What shows each deviation in behaviour. */
const SHOWN: Readonly<Record<string, () => void | Promise<void>>> = {
  'refusal-begins-with-start'() {
    const about = { runtime: 'x', cwd: '/', access: 'scoped', model: null, resume: null } as const;
    const events = refusedEvents({ ...about, code: 'unsupported', message: 'no' });
    assert.equal(
      events.map(({ type }) => type),
      ['start', 'error', 'done'],
    );
  },
  async 'usage-errors-are-json'() {
    const ended = await run(['agent', 'exec', '--runtime', 'demo', '--prompt', 'x', '--unheard-of'], {
      stdin: 'closed',
    }).ended;
    assert.is(ended.code, 2);
    assert.is(str(JSON.parse(ended.stderr), 'code'), 'usage');
  },
  'usage-per-call': () => some((turn) => endings(turn, 'usage').length > 1 && turn.at(-3)?.type === 'usage'),
  'input-includes-cached': () =>
    some((turn) =>
      endings(turn, 'usage').some(
        (one) => (one.cached_tokens ?? 0) > 0 && (one.input_tokens ?? 0) > (one.cached_tokens ?? 0),
      ),
    ),
  'result-text-is-last-message': () =>
    some((turn) => {
      const said = endings(turn, 'assistant').filter((event) => event.parent_tool_use_id === undefined);
      const text = endings(turn, 'result')[0]?.text;
      return text !== undefined && text.length < said.map((event) => event.text).join('').length;
    }),
  'scoped-reads': () =>
    some(
      (turn) =>
        endings(turn, 'start')[0]?.access === 'scoped' &&
        endings(turn, 'tool_activity').some((one) => one.phase === 'end' && one.name === 'Bash' && one.ok),
    ),
  async 'frames-without-tools'() {
    const running = run(['agent', 'exec', '--runtime', 'demo', '--prompt', 'hang']);
    await running.event(({ type }) => type === 'assistant');
    running.send({ type: 'cancel' });
    assert.is((await running.ended).code, 130);
  },
  'no-own-retries': () => {
    for (const turn of all) assert.is(endings(turn, 'start').length, 1);
    some((turn) => endings(turn, 'status').some(({ retry }) => retry !== undefined));
  },
  async 'status-only-on-demand'() {
    const words = ['agent', 'exec', '--runtime', 'demo', '--prompt', 'hi'];
    const types = (await run(words, { stdin: 'closed' }).ended).events.map((event) => str(event, 'type'));
    assert.not.ok(types.includes('status'));
  },
  'own-name'() {
    assert.equal([handshake('1.2.3').name, handshake('1.2.3').version], ['turnout', '1.2.3']);
  },
  'context-peak': () => {
    const peaks = all.flatMap((turn) =>
      endings(turn, 'result').flatMap((one) => (one.peak_context_tokens ? [one] : [])),
    );
    assert.ok(peaks.length > 0);
    for (const { peak_context_tokens = 0, input_tokens } of peaks)
      assert.ok(peak_context_tokens <= (input_tokens ?? 0));
  },
};

test('each deviation in behaviour is listed once and shown by a check', () => {
  assert.equal(list.behaviour.map(({ id }) => id).sort(), Object.keys(SHOWN).sort());
});

for (const { id, turnout } of list.behaviour) test(`${id}: ${turnout}`, async () => SHOWN[id]?.());

test.run();
