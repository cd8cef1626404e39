/** The page's surface on a real listener, and somebody who looks at it. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessMode, JsonObject } from '../../../src/contract/vocabulary.js';
import { pageSurface } from '../../../src/serve/page/surface.js';
import { type Visits, visits } from '../../../src/serve/page/visits.js';
import { type Stage, stage } from '../../runs/fake-turn.js';
import { json, type Site, site } from '../listen/raw.js';

export interface PageSite {
  on: Stage;
  at: Site;
  visits: Visits;
  /** Milliseconds that the clock of the visits is set forward. */
  later(ms: number): void;
}

export async function pageSite(access: AccessMode = 'edit'): Promise<PageSite> {
  const on = stage({ cwd: process.cwd() });
  const folder = mkdtempSync(join(tmpdir(), 'turnout-page-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Turnout</title>');
  writeFileSync(join(folder, 'main-ABC.js'), 'export {};');
  let ahead = 0;
  const guests = visits(() => performance.now() + ahead);
  const at = await site({ surfaces: [pageSurface(on.core, { folder, access, visits: guests })] });
  return {
    on,
    at,
    visits: guests,
    later: (ms) => {
      ahead += ms;
    },
  };
}

/** What a browser sends from our page. */
export type Sent = Record<string, string>;

/** @returns the headers of a visit that began with a fresh code */
export async function visit({ at }: PageSite): Promise<Sent> {
  const { code } = await json(await at.post('/page/code', '{}'));
  const response = await fetch(at.url('/page/visit'), {
    method: 'POST',
    body: JSON.stringify({ code }),
    headers: { 'content-type': 'application/json' },
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { nonce } = await json(response);
  return { cookie, 'x-turnout-page': String(nonce) };
}

export const get = ({ at }: PageSite, path: string, headers: Sent = {}): Promise<Response> =>
  fetch(at.url(path), { headers });

export const post = ({ at }: PageSite, path: string, body: JsonObject, headers: Sent = {}): Promise<Response> =>
  fetch(at.url(path), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Lines of a stream, until `enough`. */
export async function linesUntil(response: Response, enough: (line: JsonObject) => boolean): Promise<JsonObject[]> {
  const seen: JsonObject[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts.filter((line) => line !== '')) {
      const line: JsonObject = JSON.parse(part);
      seen.push(line);
      if (enough(line)) return seen;
    }
  }
  return seen;
}

export async function shut({ at: { open } }: PageSite): Promise<void> {
  open.release();
  open.cut();
  await open.close();
}
