/** A scan of a machine on which every runtime is installed: as npm does it where there is a package, else a program. */

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runners } from '../../src/registry/registry.js';
import { type Figure, type Row, times } from '../figure.js';
import { place, standIn } from '../place.js';
import { inTurns, median, ratio, take } from '../timing.js';

const installable = runners.filter((runner) => !runner.builtin && runner.bins[0] !== undefined);

/** Each program leaves a file behind when it is started. */
function installAll(folder: string, marks: string): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const { bins, packages, install } of installable) {
    const [name = ''] = bins;
    const [pkg] = packages;
    const started = ['/bin/sh', '-c', `echo started > '${join(marks, name)}'`];
    if (pkg === undefined || install.kind !== 'npm') {
      standIn(bin, name, started);
      continue;
    }
    const home = join(folder, 'lib', 'node_modules', pkg);
    const script = standIn(home, 'cli', started);
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: pkg, version: '1.2.3', bin: { [name]: 'cli' } }));
    if (!existsSync(join(bin, name))) symlinkSync(script, join(bin, name));
  }
}

export const scan: Row = {
  id: 'scan',
  async measure({ root, runs }): Promise<Figure[]> {
    const { env, folder } = place();
    const marks = join(folder, 'marks');
    mkdirSync(marks);
    installAll(folder, marks);
    const seen = { ...env, PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin` };
    const argv = [process.execPath, join(root, 'bin', 'turnout.js'), 'agent', 'scan', '--json', '--installed'];
    const found: { agents: unknown[] } = JSON.parse((await take({ argv, env: seen })).out);
    const taken = await inTurns(runs, {
      node: async () => (await take({ argv: [process.execPath, '-e', '0'], env })).whole,
      scan: async () => (await take({ argv, env: seen })).whole,
    });
    const value = ratio(taken.scan, taken.node);
    const started = installable.filter(({ bins }) => existsSync(join(marks, bins[0] ?? '')));
    return [
      {
        what: `\`agent scan\`, ${found.agents.length} runtimes installed / \`node -e 0\``,
        value,
        shown: times(value),
        most: 3.5,
        target: '≤ 3.5×, no process spawned',
        note: `${median(taken.scan).toFixed(0)} ms; programs started: ${started.length}`,
      },
    ];
  },
};
