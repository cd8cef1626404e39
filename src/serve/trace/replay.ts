/** Plays a trace against fresh sessions and compares the bytes. */

import { existsSync, readFileSync } from 'node:fs';
import type { Event } from '../../contract/event.js';
import { liveGiven, replayGiven } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import { parseJson, str } from '../../text/json.js';
import { redact } from '../../text/redact.js';
import type { LineSession } from '../listen/lines.js';
import { connection, type Noted } from '../ops/connection.js';
import { type Pair, readPair } from './pair.js';
import { secretsOf } from './recorder.js';

interface Played {
  pair: Pair;
  /** 1-based line of the file. */
  line: number;
  answer: string[];
}

/** @throws Error that names the line */
function readTrace(text: string): { pair: Pair; line: number }[] {
  return text.split('\n').flatMap((one, index) => {
    if (one.trim() === '') return [];
    const pair = readPair(one);
    if (!pair) throw new Error(`line ${index + 1} is no pair of "request" and "response"`);
    return [{ pair, line: index + 1 }];
  });
}

/** Which start of a server wrote it. */
const serverOf = (pair: Pair): string => pair.session?.split('.')[0] ?? '';

/** The order in which requests were begun; appended recordings one after another. */
function begun(pairs: { pair: Pair; line: number }[]): { pair: Pair; line: number }[] {
  const servers = [...new Set(pairs.map(({ pair }) => serverOf(pair)))];
  return servers.flatMap((one) =>
    pairs
      .filter(({ pair }) => serverOf(pair) === one)
      .sort((a, b) => (a.pair.order ?? a.line) - (b.pair.order ?? b.line)),
  );
}

/** We wrote them ourselves; what is no event is not looked at. */
const isEvent = (value: unknown): value is Event =>
  typeof value === 'object' && value !== null && 'type' in value && 'v' in value && value.v === 1;

function eventsOf(response: string): Event[] {
  return response.split('\n').flatMap((line) => {
    if (!line.startsWith('{"kind":"event"')) return [];
    const value = parseJson(line);
    const event: unknown = typeof value === 'object' && value !== null && 'event' in value ? value['event'] : null;
    return isEvent(event) ? [event] : [];
  });
}

function notedFor(played: Played, heard: () => void): Noted {
  const { given, response } = played.pair;
  return {
    given: given ? replayGiven(given, eventsOf(response)) : liveGiven(),
    line(text) {
      played.answer.push(text);
      heard();
    },
    ended() {},
  };
}

const SHOWN = 160;

/** The first place where two texts differ, for people. */
function difference(recorded: string, live: string): string {
  const [a, b] = [recorded.split('\n'), live.split('\n')];
  const found = a.findIndex((line, index) => line !== b[index]);
  const index = found < 0 ? a.length : found;
  const [was, is] = [a[index] ?? '', b[index] ?? ''];
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  const from = Math.max(0, at - SHOWN / 2);
  const shown = (line: string) =>
    line === '' ? '(nothing)' : `${from > 0 ? '…' : ''}${line.slice(from, from + SHOWN)}`;
  return `  answer line ${index + 1}, column ${at + 1}\n  recorded: ${shown(was)}\n  now:      ${shown(is)}`;
}

/**
 * @param tell gets the readable summary
 * @returns 0 same, 1 drift, 2 unreadable
 */
export async function replayTrace(
  path: string,
  core: Core,
  secrets: readonly string[],
  tell: (text: string) => void,
): Promise<number> {
  let pairs: ReturnType<typeof readTrace>;
  try {
    pairs = begun(readTrace(readFileSync(path, 'utf8')));
  } catch (error) {
    tell(`${path} can't be replayed: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
  const sessions = new Map<string, LineSession>();
  const played: Played[] = [];
  let next: Noted | null = null;
  let lines = 0;
  let server = '';
  let wake = () => {};
  const heard = () => {
    lines += 1;
    wake();
  };
  const open = (scope: string, cwd: string | null): LineSession =>
    connection({
      // A folder that is not here would be an error that the recorded server did not have.
      core: cwd !== null && existsSync(cwd) ? { ...core, cwd } : core,
      scope,
      halts: false,
      out: { write() {}, ready: () => Promise.resolve(), closed: false },
      trace: { begun: () => next ?? { given: liveGiven(), line() {}, ended() {} } },
    });
  for (const { pair, line } of pairs) {
    const id = pair.session ?? '';
    const idleNow = () => Promise.all([...sessions.values()].map((each) => each.idle()));
    if (serverOf(pair) !== server) {
      await idleNow();
      server = serverOf(pair);
      lines = 0;
    }
    const one = sessions.get(id) ?? open(pair.surface ?? 'replay', pair.cwd);
    sessions.set(id, one);
    // A request that came in the middle of another one's answer comes there again.
    let idle = false;
    const all = idleNow().then(() => {
      idle = true;
      wake();
    });
    while (!idle && (pair.at === null || lines < pair.at)) await new Promise<void>((resolve) => (wake = resolve));
    if (pair.at === null) await all;
    const now: Played = { pair, line, answer: [] };
    played.push(now);
    next = notedFor(now, heard);
    if (pair.request === '') one.malformed(str(parseJson(pair.response.split('\n')[0] ?? ''), 'message') ?? '');
    else one.accept(pair.request);
  }
  await Promise.all([...sessions.values()].map((one) => one.end()));

  let drifted = 0;
  for (const { pair, line, answer } of played) {
    const live = redact(answer.join(''), [...secrets, ...secretsOf(pair.request)]);
    if (live === pair.response) continue;
    drifted += 1;
    tell(`line ${line}: ${pair.request.slice(0, 80)}\n${difference(pair.response, live)}`);
  }
  tell(`${played.length - drifted} of ${played.length} answers are the same`);
  return drifted === 0 ? 0 : 1;
}
