/** Answers that are given before a request was read to its end. */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem, RenderProblem } from './problem.js';

const LINGER_MS = 1000;

function headersOf(
  problem: Problem,
  render: RenderProblem,
): { status: number; headers: Record<string, string>; body: string } {
  const { status, body, headers = {} } = render(problem);
  const text = `${JSON.stringify(body)}\n`;
  const own = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return { status, headers: { ...own, ...problem.headers, ...headers }, body: text };
}

/**
 * Answers at once and takes what is still being sent for a while: a reset would make the caller lose the answer.
 * Resolves when the answer is out.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  render: RenderProblem,
): Promise<void> {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return Promise.resolve();
  }
  const { status, headers, body } = headersOf(problem, render);
  response.writeHead(status, headers);
  if (request.complete || request.method === 'HEAD') {
    response.end(request.method === 'HEAD' ? undefined : body);
    return Promise.resolve();
  }
  response.write(body);
  return new Promise((resolve) => {
    const timer = setTimeout(over, LINGER_MS);
    function over() {
      clearTimeout(timer);
      response.end();
      resolve();
    }
    request.on('close', over);
    request.on('end', over);
    request.removeAllListeners('data');
    request.resume();
  });
}

/**
 * The same where there is no response object: before a request is understood, and instead of an upgrade. The connection is
 * ended soon after, whatever the caller still sends, and whether or not it closes its side.
 */
export function refuseOnSocket(socket: Duplex, problem: Problem, render: RenderProblem): void {
  const { status, headers, body } = headersOf(problem, render);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.on('close', () => clearTimeout(timer));
}
