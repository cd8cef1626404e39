// An esbuild plugin: modules of Node that are dear to load and seldom needed are loaded at the first call of a function
// of theirs, in our own code. Milliseconds on Node 20.20 and 24.13, beside the 30 of `node -e 0`: crypto 5–9, v8 3, fs/promises 2.
import { getBuiltinModule } from 'node:process';

const LAZY = ['node:crypto', 'node:v8', 'node:fs/promises', 'node:timers/promises'];
const NAMESPACE = 'lazy-builtin';

/** One function in front of each of the module's; what else a module has is not exported, so its use fails the build. */
function stand(name) {
  const functions = Object.entries(getBuiltinModule(name)).filter(([, value]) => typeof value === 'function');
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
    const filter = new RegExp(`^(?:${LAZY.join('|')})$`);
    build.onResolve({ filter }, ({ path, importer }) =>
      importer.includes('node_modules') ? null : { path, namespace: NAMESPACE, sideEffects: false },
    );
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ contents: stand(path) }));
  },
};
