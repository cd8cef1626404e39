/** `npm run lab -- openai --recordings FOLDER`: the same requests as hermes-agent was sent, and what its answers have that ours lack. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../src/contract/vocabulary.js';
import { isObject, parseJson } from '../../../src/text/json.js';
import { DIFFERENCES } from './differences.js';
import { listening } from './server.js';

/** In the order in which they stand on each other. */
const ORDER = (
  'health health_detailed models models_id noauth badauth notfound capabilities chat chat_stream chat_tool_stream chat_nomsg ' +
  'chat_badjson chat_file chat_badimg chat_lastassist chat_idem1 chat_idem2 chat_sess chat_sess2 chat_sessbad chat_401 chat_401s ' +
  'toolrole tools_ignored resp resp_get resp_prev resp_conv resp_stream resp_unknown resp_both resp_noinput resp_del resp_get2 ' +
  'run_noinput run_unknown run_text run_events run_status run_events2 run_stop_done run_steer run_slow run_slow_status ' +
  'run_appr_none run_stop run_slow_status2 run_slow_events run_401 run_401_events sess_list sess_msgs sess_chat sess_stream'
).split(' ');

/** What the demo runtime does in place of a scenario of the scripted model. */
const PROMPTS: readonly [RegExp, string][] = [
  [/[\w ]*SCENARIO:text/g, 'say Hello from the scripted model.'],
  [/[\w ]*SCENARIO:shell/g, 'think then shell ls'],
  [/[\w ]*SCENARIO:401/g, 'auth'],
  [/[\w ]*SCENARIO:slow/g, 'slow 300'],
];

/** Milliseconds behind a request, so that the next one finds what it is about. */
const PAUSES: Readonly<Record<string, number>> = { run_text: 3000, run_slow: 4000, run_stop: 3000 };

interface Recorded {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  status: number;
  answer: string;
}

/** Words as bash's `%q` writes them. */
function words(line: string): string[] {
  return [...line.matchAll(/((?:\\.|[^\s\\])+)/g)].map(([, word = '']) => word.replace(/\\(.)/g, '$1'));
}

function read(text: string): Recorded {
  const [head = '', argv = '', ...rest] = text.split('\n');
  const [, method = '', path = ''] = /: (\w+) (\S+)/.exec(head) ?? [];
  const given = words(argv);
  const headers: Record<string, string> = {};
  let body: string | undefined;
  given.forEach((word, index) => {
    const value = given[index + 1] ?? '';
    if (word === '-d') body = value;
    if (word === '-H')
      headers[value.slice(0, value.indexOf(':')).toLowerCase()] = value.slice(value.indexOf(':') + 1).trim();
  });
  const all = rest.join('\n').replace(/\r/g, '');
  const status = Number(/^HTTP\/1\.1 (\d+)/m.exec(all)?.[1] ?? 0);
  const answer = all.slice(all.indexOf('\n\n') + 2).replace(/\n\[curl rc \d+\]\s*$/, '');
  return { method, path, headers, body, status, answer };
}

const objectsOf = (text: string): Json[] => {
  const frames = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, one = '']) => parseJson(one) ?? null);
  const whole = parseJson(text);
  return frames.length > 0 ? frames : whole === undefined ? [] : [whole];
};

/** Which kind of frame an object is, so that only its like is compared with it. */
const kindOf = (value: Json): string =>
  isObject(value) ? `${value['event'] ?? value['type'] ?? value['object'] ?? ''}` : '';

/** Paths of keys. */
function keysOf(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => keysOf(one, `${path}[]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => [`${path}.${key}`, ...keysOf(one, `${path}.${key}`)]);
}

function keysByKind(text: string): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const one of objectsOf(text)) {
    const keys = all.get(kindOf(one)) ?? new Set();
    for (const key of keysOf(one)) keys.add(key);
    all.set(kindOf(one), keys);
  }
  return all;
}

/** What a recorded answer has that ours lacks. */
function lacks(recorded: Pick<Recorded, 'status' | 'answer'>, ours: { status: number; text: string }): string[] {
  const faults = recorded.status === ours.status ? [] : [`status ${recorded.status}, ours ${ours.status}`];
  const mine = keysByKind(ours.text);
  for (const [kind, keys] of keysByKind(recorded.answer)) {
    const own = mine.get(kind);
    if (own === undefined) faults.push(`no ${kind || 'object'}`);
    else faults.push(...[...keys].filter((key) => !own.has(key)).map((key) => `no ${kind}${key}`));
  }
  return faults;
}

/** Ids that its answers gave stand for ours. */
function idsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:run|resp)_[0-9A-Za-z_]{20,}\b/g)].map(([id]) => id);
}

export async function playRecordings(root: string, folder: string): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'turnout-recordings-'));
  const count = { same: 0, meant: 0, failed: 0 };
  const key = /Bearer\\? (\S+)/.exec(readFileSync(join(folder, 'models.txt'), 'utf8'))?.[1] ?? '';
  const argv = ['agent', 'serve', '--transport', 'http', '--port', '0', '--store', 'memory', '--compat', 'hermes'];
  const child = spawn(
    process.execPath,
    [join(root, 'bin', 'turnout.js'), ...argv, '--openai-default-runtime', 'demo'],
    {
      cwd: scratch,
      env: { PATH: process.env['PATH'] ?? '', HOME: scratch, TURNOUT_TOKEN: key },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const url = await listening(child);
    const ids = new Map<string, string>();
    const named = (text: string) => [...ids].reduce((all, [theirs, ours]) => all.replaceAll(theirs, ours), text);
    for (const name of ORDER) {
      const file = join(folder, `${name}.txt`);
      if (!existsSync(file)) continue;
      const recorded = read(readFileSync(file, 'utf8'));
      const { method, headers } = recorded;
      const prompted = PROMPTS.reduce((all, [from, to]) => all.replace(from, to), named(recorded.body ?? ''));
      const body = recorded.body === undefined ? {} : { body: prompted };
      const asked = fetch(`${url}${named(recorded.path)}`, {
        method,
        headers,
        ...body,
        signal: AbortSignal.timeout(20_000),
      });
      const answer = await asked.then(
        async (response) => ({ status: response.status, text: await response.text().catch(() => '') }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      );
      await sleep(PAUSES[name] ?? 0);
      const mine = idsIn(answer.text);
      idsIn(recorded.answer).forEach((theirs, index) => {
        const ours = mine[index] ?? mine[0];
        if (!ids.has(theirs) && ours !== undefined) ids.set(theirs, ours);
      });
      const faults = lacks(recorded, answer);
      const why = DIFFERENCES[name];
      if (faults.length === 0) count.same += 1;
      else count[why === undefined ? 'failed' : 'meant'] += 1;
      const word = faults.length === 0 ? 'same ' : why === undefined ? 'FAIL ' : 'meant';
      console.log(`${word} ${name}${faults.length === 0 ? '' : `: ${why ?? faults.join(', ')}`}`);
    }
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(scratch, { recursive: true, force: true });
    console.log(`${count.same} same, ${count.meant} meant to differ, ${count.failed} failed`);
  }
  return count.failed === 0 ? 0 : 1;
}
