// An esbuild plugin: modules of Node that are dear to load and seldom needed are loaded at the first call of a function
// of theirs, in our own code and isexe. Milliseconds on Node 20.20 and 24.13, beside the 30 of `node -e 0`: crypto 5–9, v8 3, fs/promises 2.
import { join } from 'node:path';
import { getBuiltinModule } from 'node:process';

const LAZY = ['node:crypto', 'node:v8', 'node:fs/promises', 'node:timers/promises'];
/** Libraries that every turn loads, and that call such a function in a way that ours never take. */
const LIBRARIES = [join('node_modules', 'isexe')];
const NAMESPACE = 'lazy-builtin';

/** A class behind an arrow function could not be called with `new`. Node's older ones are functions by their source. */
function isClass(key, value) {
  return /^[A-Z]/.test(key) || /^class\b/.test(Function.prototype.toString.call(value));
}

/** One function in front of each of the module's; classes and values are not exported, so that their use fails the build. */
function stand(name) {
  const functions = Object.entries(getBuiltinModule(name)).filter(
    ([key, value]) => typeof value === 'function' && !isClass(key, value),
  );
  return functions
    .map(
      ([key]) => `export const ${key}=(...given)=>process.getBuiltinModule(${JSON.stringify(name)}).${key}(...given);`,
    )
    .join('\n');
}

/** @type {import('esbuild').Plugin} */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(build) {
    const filter = new RegExp(`^(?:${LAZY.join('|').replaceAll('node:', '(?:node:)?')})$`);
    build.onResolve({ filter }, ({ path, importer }) => {
      const isOurs = !importer.includes('node_modules') || LIBRARIES.some((name) => importer.includes(name));
      if (!isOurs) return null;
      return { path: path.startsWith('node:') ? path : `node:${path}`, namespace: NAMESPACE, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ contents: stand(path) }));
  },
};
