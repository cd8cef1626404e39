import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Whether a folder lies in the work tree of a git repository: `.git` is a folder, or a file in a linked work tree. */
export async function inRepository(folder: string): Promise<boolean> {
  const found = await stat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  const above = dirname(folder);
  return found || (above !== folder && (await inRepository(above)));
}
