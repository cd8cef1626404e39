/** How long until we answer, beside the runtime's own start. */

import { join } from 'node:path';
import { type Figure, ms, type Row, times } from '../figure.js';
import { place, turn } from '../place.js';
import { inTurns, median, ratio, take } from '../timing.js';

export const starts: Row = {
  id: 'start',
  async measure({ root, runs }): Promise<Figure[]> {
    const { env } = place();
    const ours = join(root, 'bin', 'turnout.js');
    const whole = async (argv: string[]) => (await take({ argv, env })).whole;
    const taken = await inTurns(runs, {
      node: () => whole([process.execPath, '-e', '0']),
      version: () => whole([process.execPath, ours, '--version', '--json']),
      exec: async () => (await take({ argv: turn(root, 'demo'), env })).first,
      bare: async () => (await take({ argv: [...turn(root, 'demo'), '--confine', 'none'], env })).first,
    });
    const base = `node -e 0: ${median(taken.node).toFixed(0)} ms`;
    const version = ratio(taken.version, taken.node);
    const exec = ratio(taken.exec, taken.node);
    const bare = ratio(taken.bare, taken.node);
    const walls = median(taken.exec.map((one, run) => one - (taken.bare[run] ?? Number.NaN)));
    return [
      {
        what: '`--version --json` / `node -e 0`',
        value: version,
        shown: times(version),
        most: 1.5,
        target: '≤ 1.5×',
        note: base,
      },
      {
        what: 'exec: spawn → `start` on stdout / `node -e 0`',
        value: exec,
        shown: times(exec),
        most: 3,
        target: '≤ 3.0×',
        note: `${median(taken.exec).toFixed(0)} ms`,
      },
      { what: 'exec: the same with `--confine none`', value: bare, shown: times(bare) },
      {
        what: 'exec: what the confinement adds until `start`, pair by pair',
        value: walls,
        shown: ms(walls),
        most: 15,
        target: '≤ 15 ms',
        note: 'nothing where bubblewrap is not installed',
      },
    ];
  },
};
