/** A turn of the real Claude Code against the lab's scripted model, through us and as the same program run alone. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedBin } from '../../test/lab/install.js';
import { startModel } from '../../test/lab/model/server.js';
import { claude as recipe } from '../../test/lab/recipes/claude.js';
import { type Figure, type Row, skipped, times } from '../figure.js';
import { place, turn } from '../place.js';
import { inTurns, median, ratio, take } from '../timing.js';

const WHAT = 'one real claude turn through us / the same turn run directly (wall)';
const PROMPT = 'SCENARIO:text';

interface Recorded {
  k: string;
  argv?: string[];
  line?: string;
}

/** A session of its own for each run. */
function freshSession(argv: readonly string[]): string[] {
  return argv.map((word, index) => (argv[index - 1] === '--session-id' ? randomUUID() : word));
}

/** How we started the program, and what we told it: the direct run gets the same. */
function asRecorded(file: string): { argv: string[]; input: string } {
  const entries = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Recorded => JSON.parse(line));
  const input = entries.flatMap(({ k, line }) => (k === 'in' && line !== undefined ? [`${line}\n`] : [])).join('');
  return { argv: entries.find(({ k }) => k === 'spawn')?.argv ?? [], input };
}

export const claude: Row = {
  id: 'claude',
  async measure({ root, runs }): Promise<Figure[]> {
    const bin = installedBin('claude');
    if (bin === undefined) return [skipped(WHAT, 'claude is not in the lab (npm run lab -- install claude)')];
    const model = await startModel();
    try {
      const { env, folder } = place();
      const point = recipe.setup({ url: model.url, home: env['HOME'] ?? '' });
      const there = { ...env, ...point.env, CLAUDE_CLI_BIN: bin };
      const cwd = join(folder, 'work');
      mkdirSync(cwd);
      const ours = [...turn(root, 'claude', PROMPT), '--model', recipe.model ?? ''];
      const file = join(folder, 'turn.ndjson');
      await take({ argv: [...ours, '--record', file], env: there, cwd });
      const { argv, input } = asRecorded(file);
      const taken = await inTurns(Math.min(runs, 15), {
        direct: async () => (await take({ argv: freshSession(argv), env: there, cwd, input })).whole,
        ours: async () => (await take({ argv: ours, env: there, cwd })).whole,
      });
      const value = ratio(taken.ours, taken.direct);
      const note = `${median(taken.ours).toFixed(0)} ms / ${median(taken.direct).toFixed(0)} ms`;
      return [{ what: WHAT, value, shown: times(value), most: 1.05, target: '≤ 1.05×', note }];
    } finally {
      await model.close();
    }
  },
};
