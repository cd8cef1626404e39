/** Version managers put one stub for every program on PATH and choose the real one by working folder when it is started. */

import { expand } from './known-folders.js';
import type { Located } from './located.js';
import type { Sought } from './program-query.js';
import type { View } from './view.js';

export type Manager = 'asdf' | 'mise' | 'volta' | 'nodenv' | 'pyenv' | 'snap';

/** Programs that act by the name they are called with: the link must be started, not what it points at. */
const STUBS: ReadonlyMap<string, Manager> = new Map([
  ['mise', 'mise'],
  ['rtx', 'mise'],
  ['volta', 'volta'],
  ['volta-shim', 'volta'],
  ['asdf', 'asdf'],
  ['snap', 'snap'],
]);

/** Folders that hold nothing but stubs. */
const STUB_FOLDERS: readonly (readonly [RegExp, Manager])[] = [
  [/\/\.asdf\/shims$/, 'asdf'],
  [/\/mise\/shims$/, 'mise'],
  [/\/\.?volta\/bin$/, 'volta'],
  [/\/\.nodenv\/shims$/, 'nodenv'],
  [/\/\.pyenv\/shims$/, 'pyenv'],
];

/** Where each keeps what it installed; `{package}` is each package name of the runner. */
const COPIES: Readonly<Record<Manager, readonly string[]>> = {
  asdf: ['$ASDF_DATA_DIR/installs/*/*/bin', '~/.asdf/installs/*/*/bin', '~/.asdf/installs/*/*/.npm/bin'],
  mise: [
    '$MISE_DATA_DIR/installs/*/*/bin',
    '$MISE_DATA_DIR/installs/*/*',
    '~/.local/share/mise/installs/*/*/bin',
    '~/.local/share/mise/installs/*/*',
    '$LOCALAPPDATA/mise/installs/*/*',
  ],
  volta: [
    '$VOLTA_HOME/tools/image/packages/{package}/bin',
    '~/.volta/tools/image/packages/{package}/bin',
    '$LOCALAPPDATA/Volta/tools/image/packages/{package}',
  ],
  nodenv: ['$NODENV_ROOT/versions/*/bin', '~/.nodenv/versions/*/bin'],
  pyenv: ['$PYENV_ROOT/versions/*/bin', '~/.pyenv/versions/*/bin'],
  snap: [],
};

/** Which manager a found program belongs to, by its folder and by what its link leads to; null for an ordinary program. */
export function managerOf(place: Pick<Located, 'found' | 'real'>, view: View): Manager | null {
  const { paths } = view;
  const slashed = (text: string) => text.replaceAll('\\', '/').toLowerCase();
  const folder = slashed(paths.dirname(place.found));
  const byFolder = STUB_FOLDERS.find(([pattern]) => pattern.test(folder));
  if (byFolder !== undefined) return byFolder[1];
  const linked = paths.basename(place.real) !== paths.basename(place.found);
  return linked ? (STUBS.get(slashed(paths.parse(place.real).name)) ?? null) : null;
}

/** The programs of that name which the manager installed, links followed, each once. */
export async function copiesOf(manager: Manager, runner: Sought, found: string, view: View): Promise<Located[]> {
  const { paths, files, places } = view;
  const templates = COPIES[manager].flatMap((template) =>
    template.includes('{package}') ? runner.packages.map((name) => template.replace('{package}', name)) : [template],
  );
  const folders = (await Promise.all(templates.map((template) => expand(template, places, files)))).flat();
  const copies = new Map<string, Located>();
  for (const folder of folders) {
    for (const extension of view.extensions) {
      const path = paths.join(folder, `${paths.parse(found).name}${extension}`);
      const real = (await files.look(path)) === 'program' ? await files.real(path) : null;
      if (real !== null && !copies.has(real)) copies.set(real, { found: path, real, source: 'place', notes: [] });
    }
  }
  return [...copies.values()];
}
