// Writes oclif.manifest.json: what help and dispatch need to know of each command, so that no command is loaded to be
// listed. The same as `oclif manifest` does, without its 150 packages.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The command modules: files of folders (topics) below src/commands, and those directly in it that export a class; the
 * other files there are helpers.
 * @param {string} folder src/commands
 * @returns {string[]} e.g. `agent/exec`
 */
export function findCommands(folder) {
  const modules = (path) => readdirSync(path).filter((name) => name.endsWith('.ts'));
  const entries = readdirSync(folder, { withFileTypes: true });
  const topics = entries.filter((entry) => entry.isDirectory());
  const single = modules(folder).filter((name) =>
    /^export default class/m.test(readFileSync(join(folder, name), 'utf8')),
  );
  return [
    ...single.map((name) => name.slice(0, -3)),
    ...topics.flatMap(({ name }) => modules(join(folder, name)).map((file) => `${name}/${file.slice(0, -3)}`)),
  ].sort();
}

/** @param {string} root the project folder, with dist/ built */
export async function writeManifest(root) {
  const { Plugin } = await import('@oclif/core/config');
  const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  const target = join(root, 'oclif.manifest.json');
  const temporary = `${target}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(plugin.manifest, null, 2)}\n`);
  renameSync(temporary, target);
}
