/** Asks a program for its version by running it, only when the user said so: probes download updates and write files. */

import { randomUUID } from 'node:crypto';

import { GRACE } from '../contract/limits.js';
import { MARKER } from '../process/child-env.js';
import type { LaunchPlan } from '../process/launch.js';
import { LaunchError, launch } from '../process/launch.js';
import { privateDir } from '../process/temp-files.js';
import type { Program } from '../runner/machine.js';
import type { Runner } from '../runner/runner.js';
import { redact } from '../text/redact.js';
import type { Places } from './places.js';
import { scratchEnv } from './scratch-env.js';

export interface Probed {
  version: string | null;
  /** What a person should know when there is no version. */
  note: string | null;
}

/** Milliseconds a program may take to answer. */
const PROBE_LIMIT = 5000;
/** Lines looked at; a warning may come before the version. */
const LINES = 5;
/** Lines of stderr kept, to say why there is no version. */
const COMPLAINTS = 50;
const ANY_VERSION = /\d+\.\d+(?:\.\d+)*(?:-[0-9A-Za-z.-]+)?/;

/** Runs it in a scratch folder with a scratch home and no stdin; its whole process group is ended after that. Never throws. */
export async function probeVersion(
  runner: Runner,
  program: Program,
  places: Places,
  limit = PROBE_LIMIT,
): Promise<Probed> {
  try {
    const scratch = await privateDir();
    try {
      const id = randomUUID();
      const heard = await listen(
        {
          argv: [program.path, ...program.args, ...(runner.version?.args ?? ['--version'])],
          cwd: scratch.path,
          env: await scratchEnv(runner, program, places, scratch.path, id),
          stdin: 'null',
          stdout: 'pipe',
          marker: { name: MARKER, value: id },
          privateDir: scratch.path,
        },
        limit,
      );
      const version = findVersion(heard.printed, runner);
      return { version, note: noteOn(heard, version, limit) };
    } finally {
      await scratch.remove();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { version: null, note: `could not be ${error instanceof LaunchError ? 'started' : 'asked'}: ${message}` };
  }
}

interface HeardOut {
  printed: string[];
  complaints: string[];
  outcome: { code: number | null } | 'late';
  survivors: number[];
}

async function listen(plan: LaunchPlan, limit: number): Promise<HeardOut> {
  const printed: string[] = [];
  const complaints: string[] = [];
  let settle: (outcome: HeardOut['outcome']) => void = () => {};
  const ended = new Promise<HeardOut['outcome']>((resolve) => {
    settle = resolve;
  });
  const running = await launch(plan, {
    line: (text) => void (printed.length < LINES && printed.push(text)),
    dropped: () => {},
    stderr: (text) => void (complaints.length < COMPLAINTS && complaints.push(text)),
    exit: (code) => settle({ code }),
  });
  const timer = setTimeout(() => settle('late'), limit);
  const outcome = await ended;
  clearTimeout(timer);
  const { survivors } = await running.end({ termMs: GRACE.term, killMs: GRACE.kill });
  return { printed, complaints, outcome, survivors };
}

function noteOn(heard: HeardOut, version: string | null, limit: number): string | null {
  const { outcome, survivors, complaints } = heard;
  if (survivors.length > 0) return `left processes behind that could not be ended: ${survivors.join(', ')}`;
  if (version !== null) return null;
  if (outcome === 'late') return `gave no version within ${limit / 1000} s`;
  // Such as the SyntaxError of a program that needs a newer Node.
  const complaint = complaints.find((line) => /error/i.test(line)) ?? complaints.findLast((line) => line.trim() !== '');
  const because = complaint === undefined ? '' : `: ${redact(complaint.trim()).slice(0, 200)}`;
  return `printed no version (${outcome.code === null ? 'killed' : `exit ${outcome.code}`})${because}`;
}

function findVersion(printed: readonly string[], runner: Runner): string | null {
  // A copy: a global pattern remembers where the last program's line ended.
  const pattern = new RegExp(runner.version?.pattern ?? ANY_VERSION);
  for (const line of printed) {
    const found = pattern.exec(line);
    if (found !== null) return found[1] ?? found[0];
  }
  return null;
}
