/** `schemas/policy.json` and the reader of policies say the same. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TOOL_KINDS } from '../../src/contract/vocabulary.js';
import { place } from '../../src/request/place.js';
import { policy } from '../../src/request/policy.js';
import { asOptions } from '../../src/request/spelling.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const fits = new Ajv2020({ strict: true }).compile(JSON.parse(read('schemas', 'policy.json')));

function isRead(given: unknown): boolean {
  try {
    policy.value(given, place(asOptions, ['policy']));
    return true;
  } catch {
    return false;
  }
}

const rule = (more: object): object => ({ rules: [{ decision: 'deny', ...more }] });
const sample: unknown = JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(read('docs', 'policy.md'))?.[1] ?? '');
const GOOD: unknown[] = [
  sample,
  { rules: [] },
  { $schema: 'x', rules: [], default: 'ask' },
  rule({ kind: [...TOOL_KINDS] }),
  rule({ path: 'a', command: ['b'], command_exactly: 'c', host: 'd', server: 'e', tool: 'f', runtime: ['g', 'h'] }),
];
const BAD: unknown[] = [
  [],
  {},
  { rules: {} },
  { rules: [], defaults: 'ask' },
  { rules: [], default: 'maybe' },
  { rules: [{}] },
  { rules: ['deny'] },
  rule({ decision: 'never' }),
  rule({ kind: 'shells' }),
  rule({ kind: [] }),
  rule({ path: ' ' }),
  rule({ path: [] }),
  rule({ path: 7 }),
  rule({ paths: 'a' }),
];

test('the schema and the reader take the same policies', () => {
  for (const one of GOOD) assert.equal([fits(one), isRead(one)], [true, true], JSON.stringify(one));
  for (const one of BAD) assert.equal([fits(one), isRead(one)], [false, false], JSON.stringify(one));
});

test.run();
