// The licence texts of everything that is bundled into dist/.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} root the project folder
 * @param {import('esbuild').Metafile[]} metafiles
 * @returns {string} one section per package; throws when a package has no licence text
 */
export function notices(root, metafiles) {
  const packages = new Set();
  for (const output of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const input of Object.keys(output.inputs)) {
      const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
      if (found) packages.add(found[1]);
    }
  }
  const sections = [...packages].sort().map((folder) => {
    const path = join(root, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = readdirSync(path).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (!license && !file) throw new Error(`${name} is bundled but has no licence`);
    const text = file && existsSync(join(path, file)) ? readFileSync(join(path, file), 'utf8').trim() : '';
    return `${name} ${version} (${license ?? 'see below'})\n\n${text}`.trimEnd();
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `Turnout contains parts of the following packages.${rule}${sections.join(rule)}\n`;
}
