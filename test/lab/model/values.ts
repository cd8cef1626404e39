import type { Json, JsonObject } from './types.js';

/** Reading helpers for bodies of unknown shape: a wrong type reads as empty, because the model must never crash. */
export function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Text of a `content` that is a string or a list of parts with `text`. Parts are joined by a newline. */
export function contentText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return list(value)
    .map((part) => (typeof part === 'string' ? part : string(object(part).text)))
    .filter((text) => text !== '')
    .join('\n');
}

/** One server-sent event. With `asciiSeparators` U+2028 and U+2029 are escaped: one program's parser needs that. */
export function sse(data: JsonObject | string, event?: string, asciiSeparators = false): string {
  let text = typeof data === 'string' ? data : JSON.stringify(data);
  if (asciiSeparators) text = text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Takes one JSON object from the front of a text; what follows it is the rest. */
export function takeJson(text: string): { value: JsonObject; rest: string } | undefined {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  for (let end = text.indexOf('}', start); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      const value: Json = JSON.parse(text.slice(start, end + 1));
      return { value: object(value), rest: text.slice(end + 1).trim() };
    } catch {
      // Not yet a whole object: the brace closed an inner one or stands in a string.
    }
  }
  return undefined;
}
