/** `npm run lab -- coding`: the same steps on the coding service of flyto-ai 0.20 and on ours, compared answer by answer. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Comparable } from './compared.js';
import { DIFFERENCES } from './differences.js';
import { playMcp } from './mcp-steps.js';
import { original, originalPython, originalStdio, ours, oursStdio, type Service } from './services.js';
import { play } from './steps.js';

/** `was → is`, for each part that differs. */
function differences(was: Comparable | undefined, is: Comparable | undefined): string[] {
  if (was === undefined || is === undefined) return [`${was ? 'asked' : 'not asked'} → ${is ? 'asked' : 'not asked'}`];
  const found: string[] = [];
  for (const part of ['status', 'error', 'state', 'landable'] as const)
    if (was[part] !== is[part]) found.push(`${part} ${String(was[part])} → ${String(is[part])}`);
  const lacks = was.keys.filter((key) => !is.keys.includes(key));
  const more = is.keys.filter((key) => !was.keys.includes(key));
  if (was.error !== null && is.error === null) return [...found, 'answers with a job'];
  if (was.error === null && is.error !== null) return [...found, 'answers with a refusal'];
  if (lacks.length > 0) found.push(`lacks ${lacks.join(', ')}`);
  if (more.length > 0) found.push(`has ${more.join(', ')}`);
  return found;
}

/** @returns whether all that differs is known */
function compare(was: Map<string, Comparable>, is: Map<string, Comparable>): boolean {
  const open = new Set(Object.keys(DIFFERENCES));
  let fine = true;
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const found = differences(was.get(name), is.get(name));
    if (found.length === 0) console.log(`same  ${name}`);
    for (const one of found) {
      const known = [`${name}: ${one}`, one].find((key) => key in DIFFERENCES);
      if (known === undefined) {
        fine = false;
        console.log(`FAIL  ${name}: ${one}`);
      } else {
        open.delete(known);
        console.log(`diff  ${name}: ${one} (${DIFFERENCES[known]})`);
      }
    }
  }
  for (const one of open) console.log(`FAIL  no longer differs, but is listed: ${one}`);
  return fine && open.size === 0;
}

/** @returns the exit code */
export async function codingChecks(root: string): Promise<number> {
  const python = await originalPython();
  if (python === null) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'turnout-lab-coding-'));
  const inside = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const services: Service[] = [];
  try {
    const was = await original(python, root, inside('original'));
    services.push(was);
    const is = await ours(root, inside('ours'));
    services.push(is);
    const wasSaid = await play(was);
    const isSaid = await play(is);
    for (const [name, answer] of await playMcp(originalStdio(python, root, inside('original-mcp'))))
      wasSaid.set(name, answer);
    for (const [name, answer] of await playMcp(oursStdio(root, inside('ours-mcp')))) isSaid.set(name, answer);
    return compare(wasSaid, isSaid) ? 0 : 1;
  } finally {
    for (const service of services) await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
