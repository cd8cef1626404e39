/** The op protocol on the listeners: lines on stdio and Unix sockets, one request or a batch over HTTP. */

import { LIMITS } from '../../contract/limits.js';
import type { JobService } from '../../jobs/service.js';
import type { Core } from '../../runs/core.js';
import { parseObject } from '../../text/json.js';
import { lineStream } from '../listen/line-stream.js';
import type { LineSession, OpenLines } from '../listen/lines.js';
import type { RenderProblem } from '../listen/problem.js';
import type { Exchange, Surface } from '../listen/surface.js';
import { connection, type Trace } from './connection.js';
import { versionDocument } from './meta.js';
import { OP_NAMES } from './ops.js';

/** A fresh one for each session, or null: nothing is recorded. */
export type NewTrace = (() => Trace) | null;

/** What ops work on. */
export interface OpsParts {
  core: Core;
  /** Absent or null: coding jobs are refused. */
  jobs?: JobService | null;
  trace?: NewTrace;
}

/** @param scope keeps idempotency keys of different transports apart */
export function opsLines({ core, jobs = null, trace = null }: OpsParts, scope: 'stdio' | 'unix'): OpenLines {
  return (out, complaints = []) => connection({ core, jobs, trace: trace?.() ?? null, scope, complaints, out });
}

const problem: RenderProblem = ({ status, message }) => ({
  // A method that is not served is as unknown as a path.
  status: status === 405 ? 404 : status,
  body: { kind: 'error', message: status === 405 ? 'not found' : message },
});

/** The header says the same as the key in the body, which wins. */
function withKey(text: string, key: string): string {
  const request = parseObject(text);
  if (request === undefined) return text;
  return JSON.stringify({ ...request, idempotency_key: request['idempotency_key'] ?? key });
}

export function opsSurface({ core, jobs = null, trace = null }: OpsParts): Surface {
  function answer(exchange: Exchange, requests: readonly string[]): Response {
    const { out, body, end } = lineStream(() => one.gone());
    const one: LineSession = connection({
      core,
      jobs,
      trace: trace?.() ?? null,
      scope: 'http',
      principal: exchange.principal,
      halts: false,
      out,
    });
    for (const text of requests) {
      if (text === '') one.malformed('empty request');
      else one.accept(text);
    }
    void one.idle().then(end);
    return new Response(body, {
      headers: { 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' },
    });
  }
  return {
    name: 'ops',
    under: ['/', '/v1/agent'],
    problem,
    cors: { accepts: ['idempotency-key'] },
    routes: [
      {
        method: 'POST',
        path: '/v1/agent',
        auth: 'key',
        body: { types: ['application/json'], most: LIMITS.frameLine },
        stream: 'lines',
        handle(exchange) {
          const text = exchange.body.trim();
          const key = exchange.headers['idempotency-key'];
          return answer(exchange, [typeof key === 'string' ? withKey(text, key) : text]);
        },
      },
      {
        method: 'POST',
        path: '/v1/agent/batch',
        auth: 'key',
        body: { types: ['application/x-ndjson', 'application/json'], most: LIMITS.frameLine },
        stream: 'lines',
        handle(exchange) {
          if (exchange.headers['idempotency-key'] !== undefined) {
            const message = 'Idempotency-Key: in a batch each request has its own idempotency_key, in the body';
            return Response.json({ kind: 'error', message }, { status: 400 });
          }
          return answer(
            exchange,
            exchange.body.split('\n').filter((line) => line.trim() !== ''),
          );
        },
      },
      {
        method: 'GET',
        path: '/v1/agent/version',
        auth: 'key',
        handle: () => Response.json(versionDocument(core.version, OP_NAMES)),
      },
    ],
  };
}
