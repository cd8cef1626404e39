/** An event as the line that hosts read. */

import type { AssistantEvent, Event, ThinkingEvent } from '../contract/event.js';
import { jsonLine } from './json-line.js';

/** What JSON.stringify leaves as it is, or escapes in a form that not everybody reads. Not there in most texts. */
const ODD = /[\u2028\u2029\ud800-\udfff]/;
const ESCAPE = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * JSON and a newline. U+2028 and U+2029 are escaped because some readers take them for line ends; a lone surrogate
 * becomes U+FFFD because strict parsers (serde_json, for one) refuse the escape that JSON.stringify makes of it.
 */
export function eventLine(event: Event): string {
  if (event.type === 'assistant' || event.type === 'thinking') return speechLine(event);
  return `${safeJson(event)}\n`;
}

/** Nearly all lines of a long stream are these, and the object around their text took most of the time they cost. */
function speechLine(event: AssistantEvent | ThinkingEvent): string {
  const { type, text, message_id, replaces, parent_tool_use_id, text_truncated } = event;
  let line = `{"v":1,"type":"${type}","text":${quoted(text)},"message_id":${quotedId(message_id)}`;
  if (replaces !== undefined) line += `,"replaces":${quoted(replaces)}`;
  if (parent_tool_use_id !== undefined) line += `,"parent_tool_use_id":${quoted(parent_tool_use_id)}`;
  return text_truncated ? `${line},"text_truncated":true}\n` : `${line}}\n`;
}

const quoted = (text: string): string => (ODD.test(text) ? safeJson(text) : JSON.stringify(text));

let lastId = { id: '', json: '""' };

/** Thousands of deltas in a row have the same. */
function quotedId(id: string): string {
  if (id !== lastId.id) lastId = { id, json: quoted(id) };
  return lastId.json;
}

function safeJson(value: Event | string): string {
  const json = jsonLine(JSON.stringify(value));
  return json.includes('\\ud') ? json.replace(ESCAPE, (found) => (found.length > 2 ? '\ufffd' : found)) : json;
}
