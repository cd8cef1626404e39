/** What a request's first line and Host name, by RFC 9112. */

import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/**
 * Brings the absolute form (`GET http://host/path`) into the usual one, as its host counts and not the header's (3.2.2).
 * @returns why the request is refused, or null
 */
export function readTarget(request: IncomingMessage): Problem | null {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  // Node keeps the first of several; somebody in front of us may have looked at another.
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1)
    return new Problem('malformed', 'the request has more than one Host');
  const url = request.url ?? '';
  if (url.startsWith('/')) return null;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return new Problem('malformed', 'the request target is invalid');
  const { host, pathname, search } = new URL(url);
  request.url = `${pathname}${search}`;
  request.headers.host = host;
  return null;
}

export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? '';

export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}
