/** The lines a turnout prints → events. What this client does not know is not for it. */

import type { Event, EventType } from '../contract/event.js';
import { isObject, parseObject } from '../text/json.js';
import { lineSplitter } from '../text/lines.js';

/** Four times what a line may have: a newer turnout may have reasons. */
const LONGEST = 4 * 1024 * 1024;

const KNOWN: Readonly<Record<EventType, true>> = {
  start: true,
  status: true,
  session: true,
  assistant: true,
  thinking: true,
  tool_call: true,
  tool_result: true,
  tool_activity: true,
  subagent: true,
  plan: true,
  patch: true,
  permission_request: true,
  usage: true,
  result: true,
  error: true,
  done: true,
};

function isEvent(value: unknown): value is Event {
  return (
    isObject(value) && value['v'] === 1 && typeof value['type'] === 'string' && Object.hasOwn(KNOWN, value['type'])
  );
}

/** @returns takes chunks of stdout; `end` reads a last line without its newline */
export function readEvents(hear: (event: Event) => void): { push(chunk: Uint8Array): void; end(): void } {
  return lineSplitter({
    max: LONGEST,
    onLine(text) {
      const value = parseObject(text);
      if (isEvent(value)) hear(value);
    },
    onDropped: () => {},
  });
}
