// Libraries that a turn needs rarely stand in files of their own beside main.cjs: even unused, their text would have to be
// read and parsed at the start of every turn (execa: 300 KB, a quarter of `node -e 0`). Sources load them by `import()`.

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
      kind === 'dynamic-import' ? { path: `${FOLDER}/${path}.cjs`, external: true } : null,
    );
  },
};

// What few turns need (private copies, orgs with their store) stands with the commands' chunks: entry point → source.
export const LATE_MODULES = {
  'late/begin': 'src/workspace/begin.ts',
  'late/recorded-turn': 'src/runs/org/recorded-turn.ts',
  'late/store-error': 'src/runs/store/store-error.ts',
};

/** For main.cjs: loads them from there. @type {import('esbuild').Plugin} */
export const lateModules = {
  name: 'late-modules',
  setup(build) {
    const places = Object.entries(LATE_MODULES).map(([out, source]) => [
      source.replace(/^src|\.ts$/g, ''),
      `./${out}.js`,
    ]);
    build.onResolve({ filter: /\.js$/ }, ({ path, kind }) => {
      const found = kind === 'dynamic-import' && places.find(([source]) => path.endsWith(`${source}.js`));
      return found ? { path: found[1], external: true } : null;
    });
  },
};

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
