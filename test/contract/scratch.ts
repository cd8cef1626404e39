/** Scratch folders that go when the test's process does. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let base: string | null = null;

/** A new empty folder. */
export function scratch(name: string): string {
  if (base === null) {
    const made = mkdtempSync(join(tmpdir(), 'turnout-test-'));
    base = made;
    process.on('exit', () => rmSync(made, { recursive: true, force: true, maxRetries: 3 }));
  }
  return mkdtempSync(join(base, `${name}-`));
}
