/** The version as the path of the installed program tells it. */

import type { Located } from './located.js';

const VERSION = String.raw`v?(\d+(?:\.\d+)+(?:-[0-9A-Za-z.]+)*)`;

/** Package managers whose folders are `<root>/<name>/<version>/`. Homebrew adds `_1` for its own revisions. */
const LAYOUTS: readonly RegExp[] = [
  new RegExp(String.raw`/(?:Cellar|Caskroom)/([^/]+)/${VERSION}(?:_\d+)?(?:/|$)`),
  new RegExp(`/scoop/apps/([^/]+)/${VERSION}(?:/|$)`, 'i'),
  new RegExp(`/mise/installs/([^/]+)/${VERSION}(?:/|$)`),
  new RegExp(String.raw`/\.asdf/installs/([^/]+)/${VERSION}(?:/|$)`),
  // `~/.local/share/claude/versions/2.1.332` is the program itself; others put a folder there.
  new RegExp(String.raw`/([^/]+)/versions/${VERSION}(?:\.exe)?(?:/|$)`),
  new RegExp(`/nix/store/[a-z0-9]{32}-(.+?)-${VERSION}(?:/|$)`),
];

/** Folders of interpreters: their version is not that of a program installed with them. */
const INTERPRETERS =
  /^(?:node|nodejs|python|bun|deno|pnpm|npm|yarn|go|rust|java|ruby|pyenv|nodenv|\.pyenv|\.nodenv|fnm)(?:[@\d.].*)?$/i;

/** @returns the version, or null where the path has none that must be the program's own */
export function pathVersion(located: Pick<Located, 'real'>): string | null {
  const path = located.real.replaceAll('\\', '/');
  for (const layout of LAYOUTS) {
    const found = layout.exec(path);
    const name = found?.[1] ?? '';
    if (found !== null && !INTERPRETERS.test(name)) return found[2] ?? null;
  }
  return null;
}
