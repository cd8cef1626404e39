/** The documents of the project and what stands in their code blocks. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = process.env['TURNOUT_ROOT'] ?? '.';

export interface Document {
  name: string;
  text: string;
}

export function documents(): Document[] {
  const own = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  const below = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return [...own, ...below]
    .filter((name) => existsSync(join(root, name)))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

export interface Block {
  document: string;
  /** Whether `<!-- run -->` stands in front of it. */
  run: boolean;
  script: string;
}

/** The shell blocks of a document. */
export function shellBlocks({ name, text }: Document): Block[] {
  return [...text.matchAll(/(<!-- run -->\n)?```sh\n([\s\S]*?)^```$/gm)].map((found) => ({
    document: name,
    run: found[1] !== undefined,
    script: found[2] ?? '',
  }));
}
