import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ERROR_CODES } from '../../src/contract/error.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { ACCESS_MODES, CHOICES, NOTICE_CODES, SANDBOX_MODES, TOOL_KINDS } from '../../src/contract/vocabulary.js';
import { arr, isObject, obj } from '../../src/text/json.js';
import { FRAMES } from './frame-samples.js';
import { EVENTS, SCAN_ENTRY } from './samples.js';
import { checkEvent, checker, definition, inlined, readSchema } from './schema-files.js';

const test = suite('JSON Schemas');
const eventSchema = readSchema('event');
const frameSchema = readSchema('frame');
const scanSchema = readSchema('scan');
const checkFrame = checker(frameSchema);
const checkScan = checker(scanSchema);

const names = (schema: JsonObject) =>
  (arr(schema, 'oneOf') ?? []).map((one) => String(isObject(one) ? one['$ref'] : '').replace('#/$defs/', ''));

/** Values of another type than the given one, for every type JSON has. */
function others(value: Json): Json[] {
  const all: Json[] = ['text', 12, 12.5, true, null, {}, []];
  return all.filter((other) => kind(other) !== kind(value));
}

function kind(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** What JSON types a sub-schema lets through; empty: any. */
function typesOf(schema: JsonObject, part: JsonObject): Set<string> {
  const whole = inlined(schema, part);
  const found = new Set<string>();
  const type = whole['type'];
  for (const one of Array.isArray(type) ? type : type === undefined ? [] : [type]) found.add(String(one));
  if ('const' in whole) found.add(kind(whole['const'] ?? null));
  for (const value of arr(whole, 'enum') ?? []) found.add(kind(value));
  for (const option of arr(whole, 'anyOf') ?? []) {
    if (isObject(option)) for (const one of typesOf(schema, option)) found.add(one);
  }
  return found;
}

test('accept a sample of every event and know no event without one', () => {
  assert.equal(names(eventSchema).sort(), Object.keys(EVENTS).sort());
  for (const [name, sample] of Object.entries(EVENTS)) assert.is(checkEvent(sample), null, name);
});

test('accept a sample of every frame and know no frame without one', () => {
  assert.equal(names(frameSchema).sort(), Object.keys(FRAMES).sort());
  for (const [name, sample] of Object.entries(FRAMES)) assert.is(checkFrame(sample), null, name);
});

test('have exactly the fields of the types', () => {
  for (const [name, sample] of Object.entries(EVENTS)) {
    const properties = Object.keys(obj(definition(eventSchema, name), 'properties') ?? {});
    assert.equal(properties.sort(), Object.keys(sample).sort(), name);
  }
  for (const [name, sample] of Object.entries(FRAMES)) {
    const properties = Object.keys(obj(definition(frameSchema, name), 'properties') ?? {});
    assert.equal(['v', ...properties].sort(), Object.keys(sample).sort(), name);
  }
  const entry = Object.keys(obj(definition(scanSchema, 'entry'), 'properties') ?? {});
  assert.equal(entry.sort(), Object.keys(SCAN_ENTRY).sort());
});

test('reject every event in which a field has another type', () => {
  for (const [name, sample] of Object.entries(EVENTS)) {
    const properties = obj(definition(eventSchema, name), 'properties') ?? {};
    for (const [field, value] of Object.entries(sample)) {
      const allowed = typesOf(eventSchema, obj(properties, field) ?? {});
      if (allowed.size === 0) continue;
      for (const other of others(value)) {
        if (allowed.has(kind(other)) || (allowed.has('integer') && Number.isInteger(other))) continue;
        assert.is.not(checkEvent({ ...sample, [field]: other }), null, `${name}.${field} = ${JSON.stringify(other)}`);
      }
    }
  }
});

test('reject an event that lacks a required field or has an unknown word', () => {
  for (const [name, sample] of Object.entries(EVENTS)) {
    for (const field of arr(definition(eventSchema, name), 'required') ?? []) {
      const less: Record<string, unknown> = { ...sample };
      delete less[String(field)];
      assert.is.not(checkEvent(less), null, `${name} without ${field}`);
    }
  }
  assert.is.not(checkEvent({ v: 1, type: 'status', phase: 'notice', message: 'without a code' }), null);
  assert.is.not(checkEvent({ v: 1, type: 'status', phase: 'ready', code: 'steer' }), null);
  assert.is.not(checkEvent({ ...EVENTS.start, access: 'root' }), null);
  assert.is.not(checkEvent({ ...EVENTS.error, code: 'oops' }), null);
  assert.is.not(checkEvent({ ...EVENTS.tool_call, id: 'call-1' }), null);
  assert.is.not(checkEvent({ v: 1, type: 'unheard-of' }), null);
  assert.is.not(checkEvent({ ...EVENTS.session, v: 2 }), null);
});

test('reject whole numbers with a fraction, negative counts and zeros that are none', () => {
  assert.is.not(checkEvent({ ...EVENTS.usage, input_tokens: 1.5 }), null);
  assert.is.not(checkEvent({ ...EVENTS.usage, input_tokens: -1 }), null);
  assert.is.not(checkEvent({ ...EVENTS.done, duration_ms: 0.5 }), null);
  assert.is.not(checkEvent({ ...EVENTS.start, pid: 0 }), null);
});

test('accept fields that are not known yet', () => {
  assert.is(checkEvent({ ...EVENTS.done, something_new: [1] }), null);
  assert.is(checkFrame({ ...FRAMES.cancel, something_new: [1] }), null);
});

test('give a field name one type in all events, so that a flat struct holds every event', () => {
  const seen = new Map<string, { type: string; where: string }>();
  const free: string[] = [];
  for (const name of names(eventSchema)) {
    for (const [field, part] of Object.entries(obj(definition(eventSchema, name), 'properties') ?? {})) {
      const types = typesOf(eventSchema, isObject(part) ? part : {});
      types.delete('null');
      if (types.size === 0) {
        free.push(field);
        continue;
      }
      // A number stands for a fraction; a whole number under the same name would be another type to Go or Rust.
      const type = [...types].sort().join('|').replace('integer|number', 'integer');
      const before = seen.get(field);
      if (before && !(field === 'v' || before.type === type)) {
        assert.unreachable(`${field} is ${before.type} in ${before.where} but ${type} in ${name}`);
      }
      assert.is(types.size, 1, `${name}.${field} is ${type}`);
      seen.set(field, { type, where: name });
    }
  }
  assert.equal(free, ['structured']);
  assert.ok(seen.size > 40);
});

test('list the same words as the types', () => {
  const words = (name: string) => arr(definition(eventSchema, name), 'enum');
  assert.equal(words('error_code'), Object.keys(ERROR_CODES));
  assert.equal(words('notice_code'), [...NOTICE_CODES]);
  assert.equal(words('access_mode'), [...ACCESS_MODES]);
  assert.equal(words('sandbox_mode'), [...SANDBOX_MODES]);
  assert.equal(words('tool_kind'), [...TOOL_KINDS]);
  const choices = obj(definition(frameSchema, 'permission_result'), 'properties', 'choice');
  assert.equal(choices?.['enum'], [...CHOICES]);
});

test('hold a scan and reject one whose entry lacks a field', () => {
  assert.is(checkScan({ v: 1, agents: [SCAN_ENTRY] }), null);
  for (const field of Object.keys(SCAN_ENTRY)) {
    if (['aliases', 'builtin', 'execution_unsupported_reason', 'known_bad', 'notes'].includes(field)) continue;
    const less: Record<string, unknown> = { ...SCAN_ENTRY };
    delete less[field];
    assert.is.not(checkScan({ v: 1, agents: [less] }), null, field);
  }
  for (const [field, value] of Object.entries(SCAN_ENTRY)) {
    const wrong = typeof value === 'string' || value === null ? 12 : 'text';
    assert.is.not(checkScan({ v: 1, agents: [{ ...SCAN_ENTRY, [field]: wrong }] }), null, field);
  }
});

test('reject frames that the reader would refuse', () => {
  assert.is.not(checkFrame({ type: 'tool_result', ok: true, result: 'x' }), null);
  assert.is.not(checkFrame({ type: 'tool_result', id: 'tc_1', ok: 'yes', result: 'x' }), null);
  assert.is.not(checkFrame({ type: 'permission_result', id: 'pr_1', choice: 'always' }), null);
  assert.is.not(checkFrame({ type: 'steer', id: 's1' }), null);
  assert.is.not(checkFrame({ type: 'pause' }), null);
  assert.is(checkFrame({ type: 'tool_result', id: 'tc_1', ok: true, result: [1] }), null);
});

test.run();
