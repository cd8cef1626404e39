/** The line of an event → the event, typed. */

import type { Event, EventType } from '../contract/event.js';
import { isObject, parseObject } from './json.js';

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
  question: true,
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

/** @returns null for what is not JSON, or an event of a type that this version does not know */
export function readEvent(line: string): Event | null {
  const value = parseObject(line);
  return isEvent(value) ? value : null;
}
