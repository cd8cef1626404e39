/** Plays a recording of claude through today's translator. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import claude from '../../runners/claude/index.js';
import type { Event, EventType } from '../../src/contract/event.js';
import { turnTools } from '../../src/exec/prepare-tools.js';
import { readRecordings } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';

export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** What the scripted model says. */
export const HELLO = 'Hello from the scripted model.';

const root = process.env['TURNOUT_ROOT'] ?? '.';

/** @returns the events of a fixture's turn, and the frames that were written to the program */
export async function played(name: string): Promise<{ events: Event[]; written: string[]; exitCode: number }> {
  const [recording] = readRecordings(readFileSync(join(root, 'fixtures', 'claude', `${name}.ndjson`), 'utf8'));
  if (recording === undefined) throw new Error(`no turn in ${name}`);
  const { tools } = await turnTools({
    runner: claude,
    request: recording.request,
    machine: recording.machine,
    version: '0.0.0',
    transport: 'none',
    privateDir: () => Promise.reject(new Error('a replay opens no socket')),
    notice: () => {},
  });
  return replay(recording, claude, { tools });
}

export function only<T extends EventType>(events: readonly Event[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** What the main agent said, without what was replaced. */
export function answer(events: readonly Event[]): string {
  const said = only(events, 'assistant').filter((event) => event.parent_tool_use_id === undefined);
  const replaced = new Set(said.map((event) => event.replaces));
  return said
    .filter((event) => !replaced.has(event.message_id))
    .map((event) => event.text)
    .join('');
}

/** Types in order, repeats left out. */
export function shape(events: readonly Event[]): string {
  const types = events.map((event) => event.type);
  return types.filter((type, index) => type !== types[index - 1]).join(' ');
}
