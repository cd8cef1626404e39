/** Who may speak to the HTTP server, decided before anything else of a request is looked at. */

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Problem } from './problem.js';
import type { Identify } from './surface.js';

export interface Guard {
  /** Null: everybody who reaches us is the owner (`--no-auth`). */
  identify: Identify | null;
  /** Names besides the loopback ones that `Host` may have: a page of another name that resolves to us is not let in. */
  hosts: readonly string[];
  /** Whether every numeric address will do: we listen on all of them. No name can be made to look like one. */
  anyAddress: boolean;
  /** Origins of pages that may call us. */
  origins: readonly string[];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** `example.org:80` → `example.org`, `[::1]:80` → `::1`; null when it is no host. */
export function hostName(header: string): string | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header.trim());
  const name = (found?.[1] ?? found?.[2])?.toLowerCase();
  return name === undefined ? null : name.replace(/\.$/, '');
}

export const isLoopback = (host: string): boolean => LOOPBACK.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The token of `Authorization: Bearer`. */
export function bearer(header: string | undefined): string | null {
  const found = /^\s*bearer\s+(\S+)\s*$/i.exec(header ?? '');
  return found?.[1] ?? null;
}

/** Whether a page of this origin may read our answers. */
export function allowedOrigin(guard: Guard, origin: string | undefined): boolean {
  return origin !== undefined && guard.origins.includes(origin);
}

/**
 * A page whose name resolves to this machine, and pages of other sites, get nothing.
 * @returns why the request is refused, whoever it is from, or null
 */
export function wrongSite(guard: Guard, headers: IncomingHttpHeaders): Problem | null {
  const host = hostName(headers.host ?? '');
  const numeric = guard.anyAddress && host !== null && isIP(host) !== 0;
  if (host === null || !(isLoopback(host) || numeric || guard.hosts.includes(host)))
    return new Problem('forbidden', 'this Host is not allowed; --allow-host adds one');
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const listed = allowedOrigin(guard, origin);
  if (origin !== undefined && !listed && !sameOrigin(origin, headers.host ?? ''))
    return new Problem('forbidden', 'this Origin is not allowed; --allow-origin adds one');
  if (!listed && (site === 'cross-site' || site === 'same-site'))
    return new Problem('forbidden', 'requests of other sites are not allowed');
  return null;
}

/** Whether a page that we serve asks: browsers send `Origin` with its requests too. The host was checked before. */
function sameOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
