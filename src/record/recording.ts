/** A recording: one object a line, everything that passed through one turn. */

import type { Event } from '../contract/event.js';
import type { Machine } from '../runner/machine.js';
import type { TurnRequest } from '../runner/request.js';
import { isObject, num, parseObject, str } from '../text/json.js';
import type { TurnLimits } from '../turn/loop.js';
import type { TapEntry } from '../turn/world.js';

export type MachineRecord = Omit<Machine, 'envNames'> & { envNames: string[] };

export type RecordLine =
  | { t: number; k: 'request'; request: TurnRequest; limits?: TurnLimits }
  | { t: number; k: 'machine'; machine: MachineRecord }
  | ({ t: number } & TapEntry);

export interface Recording {
  request: TurnRequest;
  machine: Machine;
  limits: TurnLimits;
  /** In the order in which they happened. */
  entries: ({ t: number } & TapEntry)[];
}

export class UnreadableRecording extends Error {
  override readonly name = 'UnreadableRecording';
}

const KINDS = new Set<string>([
  'spawn',
  'living',
  'kept',
  'in',
  'feed',
  'out',
  'dropped',
  'err',
  'mcp',
  'frame',
  'bad-frame',
  'stdin-closed',
  'inside',
  'steers',
  'unread',
  'event',
  'exit',
] satisfies TapEntry['k'][]);

const NO_LIMITS: TurnLimits = { timeoutMs: 0, idleMs: 0, startupMs: 0 };

/**
 * @param text the whole file; a file with several turns gives them in order
 * @throws {UnreadableRecording} naming the line
 */
export function readRecordings(text: string): Recording[] {
  const all: Recording[] = [];
  /** By the id of the turn; recordings made before there was one, and by hand, have none. */
  const requests = new Map<string, { request: TurnRequest; limits: TurnLimits }>();
  const open = new Map<string, Recording>();
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const object = parseObject(line);
    const kind = str(object, 'k');
    const turn = str(object, 'turn') ?? '';
    const request = requests.get(turn);
    const bad = (what: string) => new UnreadableRecording(`line ${index + 1}: ${what}`);
    if (!object || kind === undefined || num(object, 't') === undefined) throw bad('not a line of a recording');
    if (kind === 'request') {
      if (!isObject(object['request'])) throw bad('the request is missing');
      const line = object as unknown as Extract<RecordLine, { k: 'request' }>;
      requests.set(turn, { request: line.request, limits: line.limits ?? NO_LIMITS });
      return;
    }
    if (kind === 'machine') {
      if (!request || !isObject(object['machine'])) throw bad('a machine comes after its request');
      const { machine } = object as unknown as Extract<RecordLine, { k: 'machine' }>;
      const begun = { ...request, machine: { ...machine, envNames: new Set(machine.envNames) }, entries: [] };
      all.push(begun);
      open.set(turn, begun);
      requests.delete(turn);
      return;
    }
    const current = open.get(turn);
    if (!current || request) throw bad(`"${kind}" comes after a request and a machine`);
    if (!KINDS.has(kind)) throw bad(`unknown kind "${kind}"`);
    current.entries.push(object as unknown as { t: number } & TapEntry);
  });
  if (all.length === 0) throw new UnreadableRecording('there is no turn in it');
  return all;
}

/** What differs from run to run is taken out, so that two turns can be compared. */
export function comparable(event: Event): Event {
  switch (event.type) {
    case 'start': {
      const { child_pid: _, ...rest } = event;
      return { ...rest, pid: 0 };
    }
    case 'done':
      return { ...event, duration_ms: 0 };
    case 'error': {
      // The wait until a moment that was told depends on when it was read.
      const { retry_after_ms: _, ...rest } = event;
      return event.resets_at === undefined ? event : rest;
    }
    case 'tool_activity':
      return event.phase === 'end' ? { ...event, duration_ms: 0 } : event;
    default:
      return event;
  }
}
