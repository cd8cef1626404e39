/**
 * What hosts start again and again, in one bundle that needs no module loader: exec, run, scan. `bin/turnout.js` loads it
 * unless it can answer by itself.
 */

import { wantsHelp } from './commands/argv.js';
import { SCAN_FLAGS } from './commands/scan-flags.js';
import { EXEC_FLAGS } from './request/exec-flags.js';

/**
 * @param argv without node and the script
 * @param others all other commands, and help
 */
export async function main(argv: readonly string[], others: (argv: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await command(argv, others);
  } catch (error) {
    const { crash } = await import('./commands/failure.js');
    await crash(error);
  }
}

async function command(argv: readonly string[], others: (argv: readonly string[]) => Promise<void>): Promise<void> {
  const [topic, word, ...rest] = argv;
  // exec does without oclif: its values may look like flags, hosts wait for its start, and only events may reach stdout.
  if (topic === 'agent' && word === 'exec' && !wantsHelp(rest, EXEC_FLAGS)) {
    const { runExec } = await import('./commands/exec.js');
    return runExec(rest);
  }
  if (topic === 'agent' && word === 'scan' && !wantsHelp(rest, SCAN_FLAGS)) {
    const { runScan } = await import('./commands/scan.js');
    return runScan(rest);
  }
  if (topic === 'run') {
    const [{ RUN_FLAGS }, { runRun }] = await Promise.all([
      import('./commands/run-flags.js'),
      import('./commands/run.js'),
    ]);
    const words = argv.slice(1);
    if (!wantsHelp(words, RUN_FLAGS)) return runRun(words);
  }
  return others(argv);
}
