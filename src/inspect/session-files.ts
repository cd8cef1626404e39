/** Sessions that a runtime keeps as files: the newest are opened, and of each only the beginning. */

import { open, readdir, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { SessionFiles, SessionFound } from '../runner/listing.js';

const MOST = 100;
const HEAD = 64 * 1024;

function expand(folder: string, around: { env: NodeJS.ProcessEnv; home: string }): string | null {
  if (folder.startsWith('~/')) return join(around.home, folder.slice(2));
  const named = /^\$(\w+)(.*)$/.exec(folder);
  if (named === null) return isAbsolute(folder) ? folder : null;
  const value = around.env[named[1] ?? ''];
  return value && isAbsolute(value) ? join(value, named[2] ?? '') : null;
}

async function head(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A folder or file that can't be read holds no session. */
export async function sessionFiles(
  source: SessionFiles,
  around: { env: NodeJS.ProcessEnv; home: string },
): Promise<SessionFound[]> {
  for (const template of source.folders) {
    const folder = expand(template, around);
    const names = folder === null ? null : await readdir(folder).catch(() => null);
    if (folder === null || names === null) continue;
    const files = await Promise.all(
      names
        .filter((name) => source.name.test(name))
        .map(async (name) => ({ name, time: (await stat(join(folder, name)).catch(() => null))?.mtime ?? null })),
    );
    const newest = files.sort((a, b) => Number(b.time ?? 0) - Number(a.time ?? 0)).slice(0, MOST);
    const read = newest.map(async ({ name, time }): Promise<SessionFound[]> => {
      const text = await head(join(folder, name)).catch(() => null);
      const session = text === null ? null : source.read(name, text);
      return session === null ? [] : [{ ...session, time: time?.getTime() ?? null }];
    });
    return (await Promise.all(read)).flat();
  }
  return [];
}
