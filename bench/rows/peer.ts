/** acpx, another program that runs agents, beside us: the same small ACP agent behind both, both on the same Node. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newerNode } from '../../test/lab/install.js';
import { labFolder } from '../../test/lab/paths.js';
import { type Figure, type Row, skipped, times } from '../figure.js';
import { place } from '../place.js';
import { inTurns, median, ratio, take } from '../timing.js';

const WHAT = 'beside acpx';

export const peer: Row = {
  id: 'peer',
  async measure({ root, runs }): Promise<Figure[]> {
    const acpx = join(labFolder(), 'acpx', 'node_modules', 'acpx', 'dist', 'cli.js');
    const get = `npm install --prefix ${join(labFolder(), 'acpx')} acpx@0.19.1`;
    if (!existsSync(acpx)) return [skipped(WHAT, `acpx is not there: ${get}`)];
    if (!existsSync(newerNode())) return [skipped(WHAT, 'acpx needs Node 24: npm run lab -- install qwen')];
    const node = newerNode();
    const { env, folder } = place();
    const there = { ...env, PATH: `${dirname(node)}:${env['PATH']}` };
    const ours = join(root, 'bin', 'turnout.js');
    const agent = `${node} ${join(root, 'bench', 'agents', 'acp.mjs')}`;
    const whole = async (argv: string[]) => (await take({ argv, env: there, cwd: folder })).whole;
    const taken = await inTurns(Math.min(runs, 15), {
      node: () => whole([node, '-e', '0']),
      version: () => whole([node, ours, '--version', '--json']),
      peerVersion: () => whole([node, acpx, '--version']),
      turn: () => whole([node, ours, 'agent', 'exec', '--runtime', `acp:${agent}`, '--prompt', 'hello']),
      peerTurn: () => whole([node, acpx, '--agent', agent, '--format', 'json', 'exec', 'hello']),
    });
    const beside = (ours: readonly number[], theirs: readonly number[]) => ({
      value: ratio(ours, taken.node),
      shown: times(ratio(ours, taken.node)),
      note: `acpx ${times(ratio(theirs, taken.node))} (${median(ours).toFixed(0)} ms / ${median(theirs).toFixed(0)} ms)`,
    });
    return [
      { what: '`--version` / `node -e 0`, Node 24, beside acpx', ...beside(taken.version, taken.peerVersion) },
      { what: 'whole turn of a small ACP agent / `node -e 0`, beside acpx', ...beside(taken.turn, taken.peerTurn) },
    ];
  },
};
