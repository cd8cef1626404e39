/** `turnout agent exec`: flags → one turn over stdio. On every path the process ends by itself with the right code. */

import { ERROR_CODES, UsageError } from '../contract/error.js';
import { execOverStdio } from '../exec/exec-stdio.js';
import { ownArgv } from '../exec/own-argv.js';
import type { RecordingFile } from '../exec/recording-file.js';
import { VERSION } from '../exec/version.js';
import { redact, secretValues } from '../text/redact.js';
import { type ExecPlan, readExec } from './exec-request.js';
import { fail } from './failure.js';

/** Long enough for a reader that is there; the four seconds of a cancelled turn are spent elsewhere. */
const STDERR_MS = 200;

/** Waits until stderr is taken, but not for a reader that stalls. */
function stderrFlushed(): Promise<void> {
  if (process.stderr.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, STDERR_MS);
    process.stderr.write('', () => resolve());
  });
}

/** @throws UsageError when the file can't be written */
async function openRecording(plan: ExecPlan, mask: (text: string) => string): Promise<RecordingFile | null> {
  if (plan.record === null) return null;
  const { recordingFile } = await import('../exec/recording-file.js');
  return recordingFile(plan.record, plan.limits, mask, (lost) => process.stderr.write(`turnout: ${lost}\n`));
}

async function readPlan(argv: readonly string[]): Promise<ExecPlan | UsageError> {
  try {
    return await readExec(argv, { cwd: process.cwd(), env: process.env, stdin: () => process.stdin });
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

async function refuse(error: UsageError): Promise<never> {
  await fail(error, true);
  process.exit(ERROR_CODES.usage.exit);
}

/** @param argv what stands after `agent exec` */
export async function runExec(argv: readonly string[]): Promise<void> {
  const plan = await readPlan(argv);
  if (plan instanceof UsageError) return refuse(plan);
  const ambient = plan.claudePath === null ? process.env : { ...process.env, CLAUDE_CLI_BIN: plan.claudePath };
  const secrets = secretValues({ ...ambient, ...plan.env });
  const mask = (text: string) => redact(text, secrets);
  const recording = await openRecording(plan, mask).catch((error: unknown) => {
    if (error instanceof UsageError) return refuse(error);
    throw error;
  });
  const code = await execOverStdio({
    ...recording?.hooks,
    speed: plan.speed,
    request: plan.request,
    limits: plan.limits,
    env: plan.env,
    ambient,
    allowRoot: plan.allowRoot,
    turnout: ownArgv(),
    version: VERSION,
    framesOn: plan.request.toolsOn || plan.request.approvals === 'stdio',
    stdinTaken: plan.stdinTaken,
    verboseNative: plan.verboseNative ? mask : null,
    ...(plan.refusal === null ? {} : { refuse: plan.refusal }),
  });
  recording?.close();
  await stderrFlushed();
  // stdin may be open still, and what holds it open is not ours to wait for.
  process.exit(code);
}
