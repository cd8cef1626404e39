/** What the agent does with its own tools, as a line for people. */

import type { ToolActivityEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { str } from '../../text/json.js';

const LONGEST = 200;

/** The argument that says most, whatever the kind of the tool. */
const TELLING = ['command', 'path', 'file_path', 'pattern', 'query', 'url', 'description', 'prompt'] as const;

function subject(input: JsonObject | null): string {
  const found = TELLING.map((key) => str(input ?? undefined, key)).find((value) => value !== undefined) ?? '';
  const line = found.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** @returns null for what need not be said: the good end of a call */
export function activityLine(event: ToolActivityEvent): string | null {
  if (event.phase === 'start') {
    const what = subject(event.input);
    return what === '' ? event.name : `${event.name}: ${what}`;
  }
  if (event.denied) return `${event.name}: not allowed`;
  return event.ok ? null : `${event.name}: failed`;
}
