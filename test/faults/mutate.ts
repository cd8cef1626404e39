/** Damages a recorded turn: lines that are lost, doubled, out of order, cut, or say something of another type. */

import type { Json } from '../../src/contract/vocabulary.js';
import type { Recording } from '../../src/record/recording.js';
import { isObject, parseJson } from '../../src/text/json.js';

type Entry = Recording['entries'][number];

export const MUTATIONS = [
  'drop',
  'double',
  'swap',
  'move',
  'cut',
  'retype',
  'remove a key',
  'borrow',
  'noise',
  'die',
] as const;

/** What to do, where (any number; it is taken modulo what is there), and with what. */
export interface Mutation {
  kind: (typeof MUTATIONS)[number];
  line: number;
  place: number;
  value: number;
}

const ODD: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  '',
  'x',
  '__proto__',
  '\u2028\ud800',
  'y'.repeat(70_000),
  [],
  [null],
  [[[]]],
  {},
  { type: 'text' },
  { id: null, type: 7, text: {}, content: 'x' },
  [{ type: 'tool_use' }, { type: 'text', text: 5 }],
];

const NOISE: readonly string[] = [
  '',
  'null',
  '[]',
  '{}',
  '{"type":null}',
  '{"type":"result"}',
  '{"jsonrpc":"2.0","id":1,"result":null}',
  '{"jsonrpc":"2.0","method":"session/update","params":null}',
  '{"jsonrpc":"2.0","id":"?","error":{}}',
  'Error: something went wrong',
  '\u001b[31mred\u001b[0m',
  '{"a":1}{"b":2}',
  `{"deep":${'['.repeat(5000)}${']'.repeat(5000)}}`,
];

const at = <Value>(values: readonly Value[], index: number): Value | undefined =>
  values.length === 0 ? undefined : values[index % values.length];

/** Every place in a value where something stands. */
function places(value: Json, path: (string | number)[] = [], found: (string | number)[][] = []): (string | number)[][] {
  found.push(path);
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [key, one] of inner) places(one, [...path, key], found);
  return found;
}

function read(value: Json, path: readonly (string | number)[]): Json {
  return path.reduce<Json>((here, key) => {
    if (Array.isArray(here)) return here[Number(key)] ?? null;
    return isObject(here) ? (here[key] ?? null) : null;
  }, value);
}

/** @param put the new value; absent to take the place away */
function change(value: Json, path: readonly (string | number)[], put?: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return put ?? null;
  if (Array.isArray(value)) {
    const one = Number(key);
    if (rest.length === 0 && put === undefined) return value.filter((_, index) => index !== one);
    return value.map((old, index) => (index === one ? change(old, rest, put) : old));
  }
  if (!isObject(value)) return value;
  if (rest.length === 0 && put === undefined) {
    const { [String(key)]: _, ...others } = value;
    return others;
  }
  return { ...value, [key]: change(value[key] ?? null, rest, put) };
}

function edit(line: string, { kind, place, value }: Mutation, donors: readonly string[]): string {
  if (kind === 'cut') return line.slice(0, place % (line.length + 1));
  const json = parseJson(line);
  if (json === undefined) return line;
  const path = at(places(json), place) ?? [];
  if (kind === 'retype') return JSON.stringify(change(json, path, at(ODD, value) ?? null));
  if (kind === 'remove a key') return JSON.stringify(change(json, path));
  const donor = parseJson(at(donors, value) ?? '') ?? null;
  return JSON.stringify(change(json, path, read(donor, at(places(donor), place) ?? [])));
}

/** A copy of the recorded turn with one thing wrong. */
export function mutate(recording: Recording, mutation: Mutation): Recording {
  const { kind, line, place, value } = mutation;
  const entries = [...recording.entries];
  const native = entries.flatMap((entry, index) => (entry.k === 'out' || entry.k === 'err' ? [index] : []));
  const index = at(native, line);
  const entry = index === undefined ? undefined : entries[index];
  if (index === undefined || (entry?.k !== 'out' && entry?.k !== 'err')) return recording;
  const t = entry.t;
  switch (kind) {
    case 'drop':
      entries.splice(index, 1);
      break;
    case 'double':
      entries.splice(index, 0, ...Array<Entry>(1 + (value % 3)).fill(entry));
      break;
    case 'swap':
    case 'move': {
      const other = kind === 'swap' ? native[(native.indexOf(index) + 1) % native.length] : at(native, place);
      const second = other === undefined ? undefined : entries[other];
      if (other === undefined || (second?.k !== 'out' && second?.k !== 'err')) break;
      // Times stay in order.
      entries[index] = { ...second, t };
      entries[other] = { ...entry, t: second.t };
      break;
    }
    case 'cut':
    case 'retype':
    case 'remove a key':
    case 'borrow': {
      const donors = entries.flatMap((one) => (one.k === 'out' ? [one.line] : []));
      entries[index] = { ...entry, line: edit(entry.line, mutation, donors) };
      break;
    }
    case 'noise':
      entries.splice(index, 0, { t, k: place % 2 === 0 ? 'out' : 'err', line: at(NOISE, value) ?? '' });
      break;
    case 'die':
      entries.splice(index, entries.length, {
        t,
        k: 'exit',
        code: value % 3 === 0 ? null : value % 256,
        signal: value % 3 === 0 ? 'SIGKILL' : null,
        files: {},
      });
      break;
    default: {
      const never: never = kind;
      throw new Error(String(never));
    }
  }
  return { ...recording, entries };
}
