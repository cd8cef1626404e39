/** Where a package's module is, seen from a folder: Node's own look-up asks as `require` does, and finds no ES module. */

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { isObject, parseJson } from '../text/json.js';

/** Of several targets in `exports`, those that hold for an import. */
const CONDITIONS: readonly string[] = ['node', 'import', 'module-sync', 'default'];

const NAME = /^(@[^/@\s]+\/[^/\s]+|[^/@.\s][^/\s]*)(\/.+)?$/;

/**
 * @param name such as `turnout-toy`, `@me/toy` or `@me/toy/runner`
 * @param folder where to begin; absolute
 * @returns the module's absolute path
 * @throws {Error} there is no such package, or nothing in it can be imported
 */
export async function resolvePackage(name: string, folder: string): Promise<string> {
  const [, pkg, sub = ''] = NAME.exec(name) ?? [];
  if (pkg === undefined) throw new Error('it is no package name, and a path begins with ./, ../, ~/ or /');
  for (let at = folder; ; at = path.dirname(at)) {
    const root = path.join(at, 'node_modules', pkg);
    const manifest = path.join(root, 'package.json');
    const isFile = (await stat(manifest).catch(() => null))?.isFile() === true;
    const text = isFile ? await readFile(manifest, 'utf8').catch(() => null) : null;
    if (text !== null) return moduleIn(root, parseJson(text), sub);
    if (at === path.dirname(at)) break;
  }
  const hint = /\.[cm]?js$/.test(name) ? '; a path begins with ./, ../, ~/ or /' : '';
  throw new Error(`there is no package ${pkg} in ${folder} or above${hint}`);
}

async function moduleIn(root: string, manifest: Json | undefined, sub: string): Promise<string> {
  const fields: JsonObject = isObject(manifest) ? manifest : {};
  const { exports, main } = fields;
  const target = exports === undefined ? (sub === '' ? main : `.${sub}`) : exported(exports, `.${sub}`);
  const named = typeof target === 'string' ? target : exports === undefined ? 'index.js' : undefined;
  if (named === undefined) throw new Error(`the package at ${root} exports no .${sub}`);
  const file = path.join(root, named);
  for (const one of [file, `${file}.js`, path.join(file, 'index.js')]) {
    const found = await stat(one).catch(() => null);
    if (found?.isFile() === true) return one;
  }
  throw new Error(`the package at ${root} names ${named}, which is not there`);
}

function exported(exports: Json, key: string): string | undefined {
  const subpaths = isObject(exports) && Object.keys(exports).some((one) => one.startsWith('.'));
  if (isObject(exports) && subpaths) return target(exports[key]);
  return key === '.' ? target(exports) : undefined;
}

function target(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(target).find((one) => one !== undefined);
  if (!isObject(value)) return undefined;
  for (const [condition, one] of Object.entries(value)) {
    const found = CONDITIONS.includes(condition) ? target(one) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
