/** Plays what clients sent to the original, and compares each answer of ours with the one that was recorded. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { at, isObject, obj, parseObject, str } from '../../../src/text/json.js';
import { lineSplitter } from '../../../src/text/lines.js';
import { DIFFERENCES } from './differences.js';

/** Recordings of one client that asks and waits. */
const PLAYED = /^0[1459]-(?!.*socket).*\.ndjson$/;
const ANSWER_MS = 20_000;
const IDS = ['session_id', 'stored_session_id', 'session_key'];

type Compared = { same: true } | { same: false; key: string };

const outcome = (answer: JsonObject): string => String(at(answer, 'error', 'code') ?? 'result');

function compare(method: string, was: JsonObject, is: JsonObject): Compared {
  const [before, now] = [outcome(was), outcome(is)];
  if (before !== now) return { same: false, key: `${method}: ${before} → ${now}` };
  const missing = Object.keys(obj(was, 'result') ?? {}).filter((key) => !(key in (obj(is, 'result') ?? {})));
  return missing.length === 0 ? { same: true } : { same: false, key: `${method}: lacks ${missing.join(', ')}` };
}

async function play(file: string, root: string, folder: string): Promise<Compared[]> {
  const argv = ['gateway', '--runtime', 'demo', '--store', 'memory'];
  const child = spawn(process.execPath, [join(root, 'bin', 'turnout.js'), ...argv], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, TURNOUT_CONFINE: 'none' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const frames: JsonObject[] = [];
  let heard = () => {};
  const lines = lineSplitter({
    max: 64 * 1024 * 1024,
    onLine(line) {
      frames.push(parseObject(line) ?? {});
      heard();
    },
  });
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  async function until(like: (frame: JsonObject) => boolean, from: number): Promise<JsonObject | undefined> {
    for (const end = Date.now() + ANSWER_MS; ; ) {
      const found = frames.slice(from).find(like);
      if (found || Date.now() > end) return found;
      await new Promise<void>((resolve) => {
        heard = resolve;
        setTimeout(resolve, 1000).unref();
      });
    }
  }
  const recorded = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line): JsonObject[] => [parseObject(line) ?? {}]);
  const answers = new Map<Json, JsonObject>();
  for (const { dir, frame } of recorded)
    if (dir === '<' && isObject(frame) && !('method' in frame)) answers.set(frame['id'] ?? null, frame);
  // Folders of the machine that was recorded, longest first; one that the client made up must stay missing.
  const places = recorded
    .flatMap(({ dir, frame }) => (dir === '>' ? (str(frame, 'params', 'cwd') ?? []) : []))
    .filter((cwd) => !cwd.startsWith('/nonexistent'))
    .sort((one, other) => other.length - one.length);
  /** Their names of sessions → ours. */
  const names = new Map<string, string>();
  const compared: Compared[] = [];
  for (const { dir, frame } of recorded) {
    const was = dir === '>' && isObject(frame) ? answers.get(frame['id'] ?? null) : undefined;
    if (!was || !isObject(frame)) continue;
    let text = JSON.stringify(frame).replaceAll('SCENARIO:text', 'say hi');
    for (const place of places) text = text.replaceAll(place, folder);
    for (const [theirs, own] of names) text = text.replaceAll(`"${theirs}"`, `"${own}"`);
    const from = frames.length;
    child.stdin.write(`${text}\n`);
    const method = str(frame, 'method') ?? '';
    const is = await until((one) => one['id'] === frame['id'] && !('method' in one), from);
    if (!is) {
      compared.push({ same: false, key: `${method}: no answer` });
      continue;
    }
    for (const key of IDS) {
      const [theirs, own] = [str(was, 'result', key), str(is, 'result', key)];
      if (theirs !== undefined && own !== undefined) names.set(theirs, own);
    }
    if (method === 'prompt.submit' && 'result' in is)
      await until((one) => str(one, 'params', 'type') === 'message.complete', from);
    compared.push(compare(method, was, is));
  }
  child.stdin.end();
  await new Promise((resolve) => child.on('close', resolve));
  return compared;
}

/** @param recordings a folder of recordings of the original @returns whether every difference has a reason */
export async function playRecordings(recordings: string, root: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-lab-recordings-'));
  const unexplained = new Map<string, string>();
  try {
    for (const name of readdirSync(recordings).filter((one) => PLAYED.test(one))) {
      const all = await play(join(recordings, name), root, folder);
      const keys = all.flatMap((one) => (one.same ? [] : [one.key]));
      console.log(`${name}: ${all.length} answers, ${all.length - keys.length} the same`);
      for (const key of new Set(keys)) {
        const reason = DIFFERENCES[key];
        console.log(`  ${key}${reason === undefined ? '' : ` (${reason})`}`);
        if (reason === undefined) unexplained.set(key, name);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const [key, name] of unexplained) console.log(`FAIL  ${name}: ${key} has no reason`);
  return unexplained.size === 0;
}
