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

/**
 * Holds main.cjs to what every turn needs.
 * @param {import('esbuild').Metafile} metafile of main.cjs
 * @throws {Error} the code of a runner or of a lazy library is in it
 */
export function refuseHeavy(metafile) {
  const heavy = Object.keys(metafile.inputs).filter(
    (input) => input.startsWith('runners/') || NAMES.some((name) => input.startsWith(`node_modules/${name}/`)),
  );
  if (heavy.length === 0) return;
  throw new Error(`main.cjs would load at every start: ${heavy.slice(0, 5).join(', ')}`);
}
