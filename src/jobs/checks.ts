/** Runs the checks of the base commit on exactly the revision that is to be judged, without the agent. */

import { createHash } from 'node:crypto';
import { childEnv, MARKER } from '../process/child-env.js';
import { LaunchError, launch } from '../process/launch.js';
import { randomHex } from '../process/random.js';
import { redact, secretValues } from '../text/redact.js';
import type { Check } from './contract-file.js';
import type { CheckResult } from './job.js';

const TAIL = 4096;

export interface ChecksOptions {
  /** The copy of the revision. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Ends what runs; what is left is reported as not run. */
  signal: AbortSignal;
}

/** What an agent wrote is about to run: keys of the user stay outside. */
const secretNames = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value]) => (secretValues({ [name]: value }).length > 0 ? [name] : []));

/** Bytes of the last characters, without half of one at the front. */
function tailOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.byteLength <= TAIL) return text;
  return bytes
    .subarray(bytes.byteLength - TAIL)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
}

async function runCheck(check: Check, { cwd, env, signal }: ChecksOptions): Promise<CheckResult> {
  const began = performance.now();
  const output = createHash('sha256');
  let tail = '';
  const result = (of: Pick<CheckResult, 'exit_code' | 'error'>): CheckResult => ({
    name: check.name,
    passed: of.exit_code === 0 && of.error === null,
    required: check.required,
    duration_ms: Math.round(performance.now() - began),
    output_sha256: output.digest('hex'),
    output_tail: redact(tailOf(tail), secretValues(env)),
    ...of,
  });
  if (signal.aborted) return result({ exit_code: null, error: 'not run: the job was ended' });
  const hear = (line: string) => {
    output.update(`${line}\n`);
    // Twice the tail, so that it is not cut anew with every line.
    tail = `${tail}${line}\n`;
    if (tail.length > 4 * TAIL) tail = tail.slice(-2 * TAIL);
  };
  const marker = randomHex(16);
  let end: (how: { code: number | null; signal: string | null }) => void = () => {};
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    end = resolve;
  });
  try {
    const running = await launch(
      {
        argv: check.argv,
        cwd,
        env: childEnv({
          ambient: env,
          scrub: secretNames(env),
          foreignKeys: [],
          set: { CI: '1' },
          explicit: {},
          turnId: marker,
          cwd,
          writes: true,
        }),
        stdin: 'null',
        stdout: 'pipe',
        marker: { name: MARKER, value: marker },
      },
      {
        line: hear,
        stderr: hear,
        dropped: (bytes) => hear(`[${bytes} bytes without a line break were left out]`),
        exit: (code, by) => end({ code, signal: by }),
      },
    );
    let late = false;
    const stop = () => void running.end({ termMs: 1000 });
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, check.timeout_ms);
    signal.addEventListener('abort', stop, { once: true });
    const { code, signal: by } = await exited;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // Nothing that it started may go on writing while the next one reads.
    await running.end({ now: true });
    if (late) return result({ exit_code: null, error: `ended after ${check.timeout_ms} ms` });
    if (signal.aborted) return result({ exit_code: null, error: 'the job was ended' });
    if (code === null) return result({ exit_code: null, error: `ended by ${by ?? 'a signal'}` });
    return result({ exit_code: code, error: code === 0 ? null : `exit code ${code}` });
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    return result({ exit_code: null, error: error.message });
  }
}

/** One after another, all of them: a report names everything that fails. */
export async function runChecks(checks: readonly Check[], options: ChecksOptions): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runCheck(check, options));
  return results;
}
