/** The files of the page as scripts/page.mjs built them, with what a browser may do with them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../listen/problem.js';

/**
 * No script, style, frame, form or connection but ours, and no way from a string to markup: with `trusted-types 'none'`
 * a forgotten innerHTML throws instead of being a hole.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const GUARDED = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

export interface Assets {
  /** The document itself, which is never kept by the browser. */
  document(): Response;
  /** A file whose name holds the digest of what is in it. @throws Problem 404 */
  file(name: string): Response;
}

/** We are bundled into dist/, and the page lies beside us. */
export function pageFolder(): string {
  const dist = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length);
  return fileURLToPath(new URL('page/', dist));
}

/** @param folder dist/page; read when the page is first asked for */
export function assets(folder: string): Assets {
  let names: ReadonlySet<string> | null = null;
  function read(name: string, headers: Record<string, string>): Response {
    // What is not in the list is not looked for, so no name leads out of the folder.
    names ??= new Set(readdirSync(folder));
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (!names.has(name) || type === undefined) throw new Problem('not-found', 'not found');
    return new Response(readFileSync(join(folder, name)), {
      headers: { ...GUARDED, 'content-type': type, ...headers },
    });
  }
  return {
    document: () => read('index.html', { 'cache-control': 'no-store' }),
    file: (name) => read(name, { 'cache-control': 'public, max-age=31536000, immutable' }),
  };
}
