/** Runs a scenario and makes its stream comparable: what differs from run to run gets a fixed value. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { isObject } from '../../src/text/json.js';
import { type Ended, place, run } from './cli.js';
import type { Scenario } from './scenarios.js';
import { scratch } from './scratch.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const SESSION = '00000000-0000-4000-8000-000000000000';

/** Fields whose value is another each time. */
const VOLATILE: Readonly<Record<string, Json>> = {
  pid: 1000,
  child_pid: 1001,
  duration_ms: 0,
  runtime_version: '0.0.0',
};

function settle(value: Json, cwd: string, field = ''): Json {
  if (field in VOLATILE && value !== null) return VOLATILE[field] ?? null;
  if (field === 'session_id') return SESSION;
  if (typeof value === 'string') return value.replaceAll(cwd, '/project');
  if (Array.isArray(value)) return value.map((item) => settle(item, cwd));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settle(inner, cwd, key)]));
}

export interface GoldenRun {
  ended: Ended;
  /** The comparable stream, one event a line. */
  text: string;
  events: JsonObject[];
}

/** @returns the exit and the stream of one scenario, run for real */
export async function runScenario(scenario: Scenario): Promise<GoldenRun> {
  const where = place();
  const args = [...(scenario.args ?? [])];
  if (scenario.tools) {
    const file = join(scratch('golden'), 'tools.json');
    writeFileSync(file, JSON.stringify(scenario.tools.map((name) => ({ name, description: `The tool ${name}.` }))));
    args.push('--tools', 'stdio', '--tools-file', file);
  }
  const words = ['agent', 'exec', '--runtime', scenario.runtime ?? 'demo', '--prompt', scenario.prompt, ...args];
  const running = run(words, { place: where, onEvent: scenario.react });
  const ended = await running.ended;
  const settled = ended.events.map((event) => settle(event, where.cwd));
  const events = settled.filter(isObject);
  return { ended, events, text: events.map((event) => `${JSON.stringify(event)}\n`).join('') };
}

export function goldenFile(name: string): string {
  return join(root, 'fixtures', 'contract', `${name}.ndjson`);
}

/** The kept stream; empty when there is none yet. */
export function readGolden(name: string): string {
  try {
    return readFileSync(goldenFile(name), 'utf8');
  } catch {
    return '';
  }
}

/** The first line in which two streams differ, for people. */
export function firstDifference(kept: string, now: string): string {
  const before = kept.split('\n');
  const after = now.split('\n');
  const at = before.findIndex((line, i) => line !== after[i]);
  const line = at < 0 ? before.length : at;
  return `line ${line + 1}\n  kept: ${before[line] ?? '(end)'}\n  now:  ${after[line] ?? '(end)'}`;
}
