/** `turnout agent exec`: flags → one turn over stdio. */

import { UsageError } from '../contract/error.js';
import { ownCwd } from '../discovery/places.js';
import { firstLine } from '../exec/stdin-frames.js';
import { EXEC_FLAGS } from '../request/exec-flags.js';
import { type ExecPlan, planOf, type Surroundings } from '../request/from-argv.js';
import { readArgv } from './argv.js';
import { personaHooks } from './persona-hooks.js';
import { refuse, runPlan } from './run-plan.js';

/**
 * @param argv what stands after `agent exec`
 * @throws UsageError
 */
export async function readExec(argv: readonly string[], around: Surroundings): Promise<ExecPlan> {
  return planOf(readArgv(argv, EXEC_FLAGS, 'turnout agent exec'), around);
}

async function readPlan(argv: readonly string[]): Promise<ExecPlan | UsageError> {
  try {
    return await readExec(argv, {
      ...{ cwd: ownCwd(), env: process.env, stdin: () => process.stdin },
      firstLine: (limits) => firstLine(process.stdin, limits),
    });
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** @param argv what stands after `agent exec` */
export async function runExec(argv: readonly string[]): Promise<void> {
  const plan = await readPlan(argv);
  if (plan instanceof UsageError) return refuse(plan, true);
  const keeper = plan.keep ? await (await import('./keep-plan.js')).keepPlan(plan, 'exec') : null;
  const persona = { ...(await personaHooks(plan.request)), ...(keeper ? { onEvent: keeper.hear } : {}) };
  if (plan.format === 'ndjson') return runPlan(plan, { ...persona, json: true });
  if (plan.format === 'json') {
    const { jsonOutput } = await import('./json-output.js');
    return runPlan(plan, { ...persona, ...jsonOutput(), json: true });
  }
  const { textOutput } = await import('./text-output.js');
  return runPlan(plan, { ...persona, ...textOutput({ quiet: true, noColor: false }), json: true });
}
