/** Plays a fixture of codex through the loop: the events it gives and what would be written to the app server. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import runner from '../../runners/codex/index.js';
import type { Event } from '../../src/contract/event.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { turnTools } from '../../src/exec/turn-tools.js';
import { type Recording, readRecordings } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';
import { parseObject } from '../../src/text/json.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';

export function fixture(name: string): Recording {
  const [recording] = readRecordings(readFileSync(join(root, 'fixtures', 'codex', `${name}.ndjson`), 'utf8'));
  if (!recording) throw new Error(`${name} is empty`);
  return recording;
}

export interface Played {
  events: Event[];
  exitCode: number;
  /** Messages to the app server. */
  sent: JsonObject[];
  of<T extends Event['type']>(type: T): Extract<Event, { type: T }>[];
}

export async function play(recording: Recording): Promise<Played> {
  const prepared = await turnTools({
    runner,
    request: recording.request,
    machine: recording.machine,
    version: '0.0.0',
    transport: 'none',
    privateDir: () => Promise.reject(new Error('a replay opens no socket')),
    notice: () => {},
  });
  const { events, exitCode, written } = await replay(recording, runner, { tools: prepared.tools });
  return {
    events,
    exitCode,
    sent: written.map((line) => parseObject(line)).filter((message) => message !== undefined),
    of: <T extends Event['type']>(type: T) =>
      events.filter((event): event is Extract<Event, { type: T }> => event.type === type),
  };
}
