// Runners in files of their own, beside the bundle that hosts start again and again (main.cjs). In the bundle stand
// their data alone; a function of theirs loads the runner's file when it is called. So a turn of one runtime does not
// wait until the code of thirty is parsed (7 ms on Node 20.20), and a scan loads none of them.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findRunners } from './registry.mjs';

const REGISTRY = /^\.\/generated\.js$/;
/** Makes a runner of a command line; pure and dear like the runners. */
const CUSTOM = /runners[\\/]dialects[\\/]acp[\\/]custom\.js$/;
const FOLDER = 'runners';

/** One character beyond ASCII doubles what the whole bundle takes in memory; esbuild sees to all but patterns. */
function ascii(pattern) {
  return pattern.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * JavaScript for a value.
 * @param {unknown} value plain data, patterns and functions
 * @param {string} path how a function in it is reached
 * @throws {TypeError} it holds something that has no literal, such as a Set, a Date or Infinity
 */
export function literal(value, path) {
  if (typeof value === 'function') return `(...given) => ${path}(...given)`;
  if (value instanceof RegExp) return ascii(String(value));
  if (Array.isArray(value)) return `[${value.map((one, index) => literal(one, `${path}[${index}]`)).join(', ')}]`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
    return JSON.stringify(value);
  if (typeof value !== 'object' || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    const what = typeof value === 'object' ? value.constructor?.name : String(value);
    throw new TypeError(`${path} is not plain data (${what}): a runner's fields must be JSON, patterns or functions`);
  }
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}: ${literal(one, `${path}.${key}`)}`).join(', ')}}`;
}

const file = (name) => `require(${JSON.stringify(`./${FOLDER}/${name}.cjs`)})`;

/**
 * Builds the runners' files.
 * @param {string} root the project folder
 * @param {string} outdir where main.cjs comes to stand
 * @param {(options: import('esbuild').BuildOptions) => Promise<{ metafile: import('esbuild').Metafile }>} build
 * @returns the plugin for main.cjs, and what was built
 */
export async function deferredRunners(root, outdir, build) {
  const runners = findRunners(join(root, 'runners'));
  const entryPoints = Object.fromEntries(
    runners.map(({ name, module }) => [name, join('runners', module.replace(/\.js$/, '.ts'))]),
  );
  const { metafile } = await build({
    entryPoints: { ...entryPoints, custom: 'runners/dialects/acp/custom.ts' },
    outdir: join(outdir, FOLDER),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // Their sources stand in the maps of the other bundles.
    sourcesContent: false,
  });
  const require = createRequire(join(outdir, 'main.cjs'));
  const index = runners.map(({ name }) => literal(require(`./${FOLDER}/${name}.cjs`).default, `${file(name)}.default`));
  const modules = {
    index: `export const GENERATED = [\n${index.join(',\n')}\n];`,
    custom: `export const customAgent = (words) => ${file('custom')}.customAgent(words);`,
  };
  /** @type {import('esbuild').Plugin} */
  const plugin = {
    name: 'deferred-runners',
    setup(main) {
      main.onResolve({ filter: REGISTRY }, () => ({ path: 'index', namespace: FOLDER }));
      main.onResolve({ filter: CUSTOM }, () => ({ path: 'custom', namespace: FOLDER }));
      main.onResolve({ filter: /^\.\/runners\// }, ({ path }) => ({ path, external: true }));
      main.onLoad({ filter: /.*/, namespace: FOLDER }, ({ path }) => ({ contents: modules[path], resolveDir: outdir }));
    },
  };
  return { plugin, metafile };
}
