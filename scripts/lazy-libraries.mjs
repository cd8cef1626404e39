// Libraries that a turn needs rarely stand in files of their own beside main.cjs: even unused, their text would have to be
// read and parsed at the start of every turn (execa: 300 KB, a quarter of `node -e 0`). Sources load them by `import()`.

import { join, relative } from 'node:path';

/**
 * Turns `import()` of a CommonJS file of ours into `require`: by import Node reads such a file twice, once for the names that it
 * exports and once to run it (77 KB: 15 ms).
 * @param build of main.cjs
 */
function requireParts(build) {
  build.onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
    contents: `module.exports = require(${JSON.stringify(path)});`,
  }));
  build.onResolve({ filter: /.*/, namespace: 'part' }, ({ path }) => ({ path, external: true }));
}

const NAMES = ['execa'];
const FOLDER = './libraries';

/** How they are built. @type {import('esbuild').BuildOptions} */
export const LAZY_LIBRARIES = { entryPoints: NAMES, format: 'cjs', outExtension: { '.js': '.cjs' }, sourcemap: false };

/** For main.cjs. @type {import('esbuild').Plugin} */
export const lazyLibraries = {
  name: 'lazy-libraries',
  setup(build) {
    const filter = new RegExp(`^(?:${NAMES.join('|')})$`);
    build.onResolve({ filter }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `${FOLDER}/${path}.cjs`, namespace: 'part' } : null,
    );
    requireParts(build);
  },
};

// What few turns need (private copies, orgs with their store) stands with the commands' chunks: entry point → source.
export const LATE_MODULES = {
  'late/approver': 'src/terminal/approver.ts',
  'late/broker': 'src/exec/broker/open.ts',
  'late/begin': 'src/workspace/begin.ts',
  'late/config-edit': 'src/registry/settings/edit.ts',
  'late/policy': 'src/exec/policy/begin.ts',
  'late/recorded-turn': 'src/runs/org/recorded-turn.ts',
  'late/run-history': 'src/exec/run-history.ts',
  'late/try-walls': 'src/process/confine/try-walls.ts',
  'late/store-error': 'src/runs/store/store-error.ts',
};

// What few turns need and what throws errors that main.cjs must know, or holds the runners that main.cjs knows: files of
// their own that take such modules from main.cjs instead of bringing copies.
const LATE_PARTS = {
  'late/configured': 'src/registry/configured.ts',
  'late/external': 'src/registry/external.ts',
  'late/settings': 'src/registry/settings/defaults.ts',
  'late/play-turn': 'src/exec/play-turn.ts',
};
const SHARED = ['src/contract/error.ts', 'src/runner/fault.ts', 'src/registry/registry.ts'];
const MAIN = '../main.cjs';

/** The entry of main.cjs: what bin/turnout.js calls, and the modules that late parts share with it. */
export const MAIN_ENTRY = [
  "export { main } from './src/main.ts';",
  ...SHARED.map((source, index) => `import * as m${index} from './${source}';`),
  `export const shared = [${SHARED.map((_, index) => `m${index}`).join(', ')}];`,
].join('\n');

/** How late parts are built. @type {import('esbuild').BuildOptions} */
export const LATE_BUILD = { entryPoints: LATE_PARTS, format: 'cjs', outExtension: { '.js': '.cjs' } };

/** The module of ours that an import means, as `src/….ts`. */
const sourceOf = ({ path, resolveDir }, root) =>
  relative(root, join(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '.ts');

/** For late parts. @type {(root: string) => import('esbuild').Plugin} */
export const sharedModules = (root) => ({
  name: 'shared-modules',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/main\.cjs$/ }, () => ({ path: MAIN, external: true }));
    build.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, (asked) => {
      const index = SHARED.indexOf(sourceOf(asked, root));
      return index < 0 ? null : { path: String(index), namespace: 'shared' };
    });
    build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: `module.exports = require('${MAIN}').shared[${path}];`,
    }));
  },
});

/** For main.cjs: loads them from there. @type {(root: string) => import('esbuild').Plugin} */
export const lateModules = (root) => ({
  name: 'late-modules',
  setup(build) {
    const places = new Map([
      ...Object.entries(LATE_MODULES).map(([out, source]) => [source, `./${out}.js`]),
      ...Object.entries(LATE_PARTS).map(([out, source]) => [source, `./${out}.cjs`]),
    ]);
    build.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, (asked) => {
      const path = asked.kind === 'dynamic-import' ? places.get(sourceOf(asked, root)) : undefined;
      if (path === undefined) return null;
      return path.endsWith('.cjs') ? { path, namespace: 'part' } : { path, external: true };
    });
  },
});

/** Of our package.json the version alone. @type {(pkg: { version: string }) => import('esbuild').Plugin} */
export const versionAlone = ({ version }) => ({
  name: 'version-alone',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/\.\.\/package\.json$/ }, () => ({ path: 'version', namespace: 'package' }));
    build.onLoad({ filter: /.*/, namespace: 'package' }, () => ({
      contents: JSON.stringify({ version }),
      loader: 'json',
    }));
  },
});

/**
 * Holds main.cjs to what every turn needs.
 * @param {import('esbuild').Metafile} metafile of main.cjs
 * @throws {Error} the code of a runner or of a lazy library is in it
 */
export function refuseHeavy(metafile) {
  const heavy = Object.keys(metafile.inputs).filter(
    (input) =>
      input.startsWith('runners/') ||
      input.startsWith('src/runs/store/') ||
      input.startsWith('src/workspace/') ||
      NAMES.some((name) => input.startsWith(`node_modules/${name}/`)),
  );
  if (heavy.length === 0) return;
  throw new Error(`main.cjs would load at every start: ${heavy.slice(0, 5).join(', ')}`);
}
