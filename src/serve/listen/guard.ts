/** Who may speak to the HTTP server, decided before anything of a request is looked at. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

export interface Guard {
  /** null: `--no-auth`. */
  token: string | null;
  /** Names besides the loopback ones that `Host` may have: a page of another name that resolves to us is not let in. */
  hosts: readonly string[];
  /** Whether every numeric address will do: we listen on all of them. No name can be made to look like one. */
  anyAddress: boolean;
  /** Origins of pages that may call us. */
  origins: readonly string[];
}

export interface Denied {
  status: 401 | 403;
  message: string;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** `example.org:80` → `example.org`, `[::1]:80` → `::1`; null when it is no host. */
export function hostName(header: string): string | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header.trim());
  const name = (found?.[1] ?? found?.[2])?.toLowerCase();
  return name === undefined ? null : name.replace(/\.$/, '');
}

export const isLoopback = (host: string): boolean => LOOPBACK.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compared as digests, so that neither length nor content shows in the time it takes. */
function sameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function bearer(header: string | undefined): string | null {
  const found = /^\s*bearer\s+(\S+)\s*$/i.exec(header ?? '');
  return found?.[1] ?? null;
}

/** Whether a page of this origin may read our answers. */
export function allowedOrigin(guard: Guard, origin: string | undefined): boolean {
  return origin !== undefined && guard.origins.includes(origin);
}

/** @param open whether this path needs no token @returns null when the request may pass */
export function deny(guard: Guard, headers: IncomingHttpHeaders, open: boolean): Denied | null {
  const host = hostName(headers.host ?? '');
  const numeric = guard.anyAddress && host !== null && isIP(host) !== 0;
  if (host === null || !(isLoopback(host) || numeric || guard.hosts.includes(host)))
    return { status: 403, message: 'this Host is not allowed; --allow-host adds one' };
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const listed = allowedOrigin(guard, origin);
  if (origin !== undefined && !listed)
    return { status: 403, message: 'this Origin is not allowed; --allow-origin adds one' };
  if (!listed && (site === 'cross-site' || site === 'same-site'))
    return { status: 403, message: 'requests of other sites are not allowed' };
  if (open || guard.token === null) return null;
  const given = bearer(headers.authorization);
  if (given !== null && sameToken(given, guard.token)) return null;
  return { status: 401, message: 'unauthorized' };
}
