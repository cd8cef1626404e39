/** All surfaces of a listener as one: whose a path is, who a caller is, what pages may send. */

import type { IncomingHttpHeaders } from 'node:http';
import { OWNER, type Principal } from '../../contract/principal.js';
import { bearer, type Guard } from './guard.js';
import type { RenderProblem } from './problem.js';
import type { OtherEvidence, RequestHead, SocketRoute, Surface } from './surface.js';

/** Where no surface is at home. */
const plain: RenderProblem = ({ status, message }) => ({ status, body: { kind: 'error', message } });

const isUnder = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** The surface that is at home at a path. */
export function surfaceAt(surfaces: readonly Surface[], path: string): Surface | null {
  let longest = -1;
  let found: Surface | null = null;
  for (const surface of surfaces) {
    for (const folder of surface.under) {
      if (folder.length <= longest || !isUnder(path, folder)) continue;
      longest = folder.length;
      found = surface;
    }
  }
  return found;
}

/** How what is refused at this path is rendered. */
export const rendererAt = (surfaces: readonly Surface[], path: string): RenderProblem =>
  surfaceAt(surfaces, path)?.problem ?? plain;

/** Looks at the bearer token, then at what the route and the surfaces accept besides. */
export function callerOf(
  guard: Guard,
  surfaces: readonly Surface[],
  head: RequestHead,
  own: OtherEvidence | undefined,
): Principal | null {
  const { identify } = guard;
  if (identify === null) return OWNER;
  const token = bearer(head.headers.authorization);
  const shown = token === null ? null : identify(token);
  if (shown) return shown;
  for (const evidence of [own, ...surfaces.map((one) => one.evidence)]) {
    const found = evidence?.(head, identify);
    if (found) return found;
  }
  return null;
}

export function socketAt(surfaces: readonly Surface[], path: string): SocketRoute | null {
  return surfaces.flatMap(({ sockets = [] }) => sockets).find((one) => one.path === path) ?? null;
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ACCEPTED = ['authorization', 'content-type', 'last-event-id'];

/** Headers for a page that is listed and may read our answers. */
export function corsHeaders(surfaces: readonly Surface[], origin: string): Record<string, string> {
  const exposed = surfaces.flatMap(({ cors }) => cors?.exposes ?? []);
  return {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    ...(exposed.length > 0 ? { 'access-control-expose-headers': exposed.join(', ') } : {}),
  };
}

/** The answer to a listed page's question whether it may send a request. Null: it is not such a question. */
export function preflightHeaders(
  surfaces: readonly Surface[],
  headers: IncomingHttpHeaders,
): Record<string, string> | null {
  if (headers['access-control-request-method'] === undefined) return null;
  const accepted = [...ACCEPTED, ...surfaces.flatMap(({ cors }) => cors?.accepts ?? [])];
  return {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': [...new Set(accepted)].join(', '),
    'access-control-max-age': '600',
  };
}
