/** Keeps every event under its size. Sizes are UTF-8 bytes of the JSON text. */

import { LIMITS } from '../contract/limits.js';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import { cutUtf8 } from '../text/truncate.js';

/** Room for everything in an event but its big string. */
const ENVELOPE = 4096;
const LINE_ROOM = LIMITS.eventLine - ENVELOPE;

/** Bytes a string takes inside a JSON line. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Whether a string surely fits without being measured: no character takes more than six bytes. */
const surelyFits = (text: string, room: number) => text.length * 6 <= room;

/** Cuts a string so that it fits into one event line (or `room` bytes of JSON). */
export function fitJson(text: string, room = LINE_ROOM): { text: string; cut: boolean } {
  if (surelyFits(text, room) || jsonBytes(text) <= room) return { text, cut: false };
  let low = 0;
  let high = room;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(cutUtf8(text, middle).text) <= room) low = middle;
    else high = middle - 1;
  }
  return { text: cutUtf8(text, low).text, cut: true };
}

/** Splits a delta into pieces that each fit into one event line; never inside a code point. */
export function split(text: string): string[] {
  if (surelyFits(text, LINE_ROOM)) return [text];
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > 0) {
    const piece = fitJson(rest).text;
    if (piece.length === 0) break;
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

/** Cuts every string of a tool's input and marks it; a field that was cut gets a `<field>_truncated` beside it. */
function cutStrings(value: Json): Json {
  if (Array.isArray(value)) return value.map(cutStrings);
  if (typeof value === 'string') return cutUtf8(value, LIMITS.activityString).text;
  if (typeof value !== 'object' || value === null) return value;
  const out: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string') {
      const { text, cut } = cutUtf8(inner, LIMITS.activityString);
      out[key] = text;
      if (cut) out[`${key}_truncated`] = true;
    } else out[key] = cutStrings(inner);
  }
  return out;
}

/** A tool's input as an event may hold it. */
export function clampInput(input: JsonObject | null): JsonObject | null {
  if (input === null) return null;
  const room = LIMITS.activityEvent - ENVELOPE;
  if (JSON.stringify(input).length * 3 <= LIMITS.activityString) return input;
  const cut = cutStrings(input) as JsonObject;
  if (Buffer.byteLength(JSON.stringify(cut)) <= room) return cut;
  const out: JsonObject = {};
  let used = 0;
  for (const [key, value] of Object.entries(cut)) {
    const bytes = Buffer.byteLength(JSON.stringify({ [key]: value }));
    if (used + bytes > room) {
      out['input_truncated'] = true;
      continue;
    }
    out[key] = value;
    used += bytes;
  }
  return out;
}

/** A tool's output as an event may hold it. */
export function clampOutput(output: string): { text: string; cut: boolean } {
  const first = cutUtf8(output, LIMITS.activityString);
  const second = fitJson(first.text, LIMITS.activityEvent - ENVELOPE);
  return { text: second.text, cut: first.cut || second.cut };
}

/** A message for people. */
export function clampMessage(message: string): { text: string; cut: boolean } {
  return cutUtf8(message, LIMITS.message);
}
