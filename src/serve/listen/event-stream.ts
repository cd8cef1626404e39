/** Server-sent events (HTML living standard, 9.2), with a heartbeat. */

import { lineStream } from './line-stream.js';
import type { PublicExchange } from './surface.js';

export interface SentEvent {
  /** May have several lines. */
  data: string;
  event?: string;
  /** Comes back as `Last-Event-ID` when the caller connects again. */
  id?: string;
}

export interface EventStream {
  /** Never throws; what is sent after the caller left is dropped. */
  send(event: SentEvent): void;
  /** A line that readers skip. */
  comment(text: string): void;
  /** Resolves when the caller has taken enough for more, or left. */
  ready(): Promise<void>;
  readonly closed: boolean;
}

/** Proxies and clients give up on a connection that is silent for a minute or so. */
const HEARTBEAT_MS = 15_000;

export interface EventStreamOptions {
  /** Milliseconds of silence after which a comment is sent. */
  heartbeatMs?: number;
  headers?: Readonly<Record<string, string>>;
}

const field = (name: string, value: string): string =>
  value
    .split(/\r\n|\r|\n/)
    .map((line) => `${name}: ${line}\n`)
    .join('');

/** One frame. A frame always has data: some clients fail on one without. */
function frame({ data, event, id }: SentEvent): string {
  const oneLine = (text: string) => text.replace(/[\r\n\0]/g, ' ');
  const head =
    (id === undefined ? '' : `id: ${oneLine(id)}\n`) + (event === undefined ? '' : `event: ${oneLine(event)}\n`);
  return `${head}${field('data', data)}\n`;
}

/**
 * Answers with a stream of events. It ends when `produce` resolves; `exchange.signal` says that the caller left.
 * `produce` renders its own failures, since the status went out before it began. What it throws cuts the stream off and is
 * reported as a fault of ours.
 */
export function eventStream(
  exchange: PublicExchange,
  produce: (stream: EventStream) => Promise<void>,
  options: EventStreamOptions = {},
): Response {
  const { heartbeatMs = HEARTBEAT_MS, headers = {} } = options;
  const { out, body, end } = lineStream(() => {});
  const beat = setInterval(() => out.write(': keepalive\n\n'), heartbeatMs);
  const write = (text: string) => {
    out.write(text);
    beat.refresh();
  };
  const over = () => clearInterval(beat);
  exchange.signal.addEventListener('abort', over, { once: true });
  const stream: EventStream = {
    send: (event) => write(frame(event)),
    comment: (text) => write(`${field('', text)}\n`),
    ready: () => out.ready(),
    get closed() {
      return out.closed;
    },
  };
  void produce(stream)
    .then(end, (error: unknown) => {
      exchange.cut();
      throw error;
    })
    .finally(over);
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', ...headers },
  });
}

/** The number that `Last-Event-ID` names, for streams whose ids are numbers. Null: none was given, or not a whole number. */
export function lastEventNumber(exchange: PublicExchange): number | null {
  const given = exchange.headers['last-event-id'];
  const number = typeof given === 'string' && /^-?\d{1,15}$/.test(given.trim()) ? Number(given) : null;
  return number;
}
