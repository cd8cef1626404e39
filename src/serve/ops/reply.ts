/** The lines that answer one request. `done` is last, whatever happens. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { entryLine } from '../../runs/entry-line.js';
import type { LogEntry } from '../../runs/records.js';
import { jsonLine } from '../../text/json-line.js';
import type { Out } from '../listen/lines.js';

export interface Reply {
  event(entry: LogEntry): void;
  gap(from: number, to: number): void;
  log(stream: 'stdout' | 'stderr', text: string): void;
  progress(phase: string, pct: number, more: JsonObject): void;
  envelope(fields: JsonObject): void;
  result(op: string, ok: boolean, fields: JsonObject): void;
  /** @param more `path` and `rule` of a usage error */
  error(message: string, code?: string, more?: JsonObject): void;
  done(exitCode: number): void;
  ready(): Promise<void>;
  /** Aborted when nobody reads any more. */
  readonly signal: AbortSignal;
}

function lineOf(value: Json): string {
  return jsonLine(JSON.stringify(value));
}

/**
 * @param tag stands in every line behind `kind`: the request's id, so that lines of several requests can be told apart
 * @param heard gets every line, for a trace
 */
export function reply(out: Out, tag: JsonObject, signal: AbortSignal, heard?: (line: string) => void): Reply {
  const tags = Object.entries(tag)
    .map(([key, value]) => `${JSON.stringify(key)}:${lineOf(value)},`)
    .join('');
  function put(kind: string, rest: string): void {
    const line = `{"kind":"${kind}",${tags}${rest}}\n`;
    heard?.(line);
    out.write(line);
  }
  const fields = (value: JsonObject): string => lineOf(value).slice(1, -1);
  return {
    signal,
    ready: () => out.ready(),
    event: ({ event, seq }) => put('event', `"event":${entryLine(event)},"seq":${seq}`),
    gap: (from, to) => put('gap', `"from":${from},"to":${to}`),
    log(stream, text) {
      for (const line of text.split('\n')) put('log', fields({ stream, text: line }));
    },
    progress: (phase, pct, more) => put('progress', fields({ phase, pct, ...more })),
    envelope: (value) => put('envelope', fields(value)),
    result: (op, ok, value) => put('result', fields({ op, ok, ...value })),
    error: (message, code, more = {}) =>
      put('error', fields({ message, ...(code === undefined ? {} : { code }), ...more })),
    done: (exitCode) => put('done', `"exit_code":${exitCode}`),
  };
}
