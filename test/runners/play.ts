/** Plays a fixture through the loop: the events it gives, and the messages that would be written to the runtime. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/contract/event.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { turnTools } from '../../src/exec/prepare-tools.js';
import { type Recording, readRecordings } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';
import type { Runner } from '../../src/runner/runner.js';
import { parseObject } from '../../src/text/json.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';

export interface Played {
  events: Event[];
  exitCode: number;
  /** Messages to the runtime. */
  sent: JsonObject[];
  of<T extends Event['type']>(type: T): Extract<Event, { type: T }>[];
}

function fixture(runner: Runner, name: string): Recording {
  const [recording] = readRecordings(readFileSync(join(root, 'fixtures', runner.id, `${name}.ndjson`), 'utf8'));
  if (!recording) throw new Error(`${name} is empty`);
  return recording;
}

/** @param name of a fixture of this runner */
export async function play(runner: Runner, name: string): Promise<Played> {
  const recording = fixture(runner, name);
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
