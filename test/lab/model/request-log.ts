import { appendFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Asked, Ending, Json, JsonObject } from './types.js';

export interface LoggedRequest {
  n: number;
  /** Milliseconds since the server started. */
  t: number;
  /** The same moment on the clock of `performance.now()`. */
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: JsonObject;
  scenario: string;
  round: number;
  status: number;
  /** How the answer ended; `left` when the program closed the connection. */
  ending: Ending | 'left' | null;
  asked: Asked | null;
}

const secretHeaders = /^(authorization|x-api-key|x-goog-api-key|api-key|cookie)$/;

function maskedHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = secretHeaders.test(name) ? '***' : String(value);
  }
  return headers;
}

/** All texts in a JSON value: a prompt has arrived unharmed when one of them holds it. */
function* texts(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* texts(item);
  else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) yield* texts(item);
}

/** Whether some text of a request holds these very characters. */
export function holds(body: Json | undefined, text: string): boolean {
  for (const candidate of texts(body ?? null)) if (candidate.includes(text)) return true;
  return false;
}

/** Every request that reached the model, in memory and as lines of a file, for checks and for people. */
export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  private readonly started = Date.now();
  private readonly file: string | undefined;

  constructor(file: string | undefined) {
    this.file = file;
  }

  add(request: IncomingMessage, path: string, body: JsonObject): LoggedRequest {
    const entry: LoggedRequest = {
      n: this.entries.length + 1,
      t: Date.now() - this.started,
      at: performance.now(),
      method: request.method ?? '',
      path,
      headers: maskedHeaders(request),
      body,
      scenario: '',
      round: 0,
      status: 0,
      ending: null,
      asked: null,
    };
    this.entries.push(entry);
    return entry;
  }

  /** Written when the answer is over, so that a line is complete; a hanging one is written when it ends. */
  write(entry: LoggedRequest): void {
    if (this.file === undefined) return;
    const { asked: _asked, at: _at, ...line } = entry;
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  /** The requests that carry this text anywhere: a turn marks its prompt with a word of its own. */
  holding(text: string): LoggedRequest[] {
    return this.entries.filter((entry) => holds(entry.body, text));
  }
}
