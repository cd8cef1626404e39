/** Asks an installed program for a list of its own. Its login is used; nothing is changed; it is ended after 30 s. */

import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import { GRACE, LIMITS } from '../contract/limits.js';
import { pathFor, pathKey } from '../discovery/child-path.js';
import type { Located } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { toProgram } from '../discovery/program.js';
import { childEnv, MARKER } from '../process/child-env.js';
import { treeOf } from '../process/kill-tree.js';
import { explain } from '../process/launch-error.js';
import { startReaper } from '../process/reaper.js';
import { commandOf } from '../process/system-program.js';
import { jobLauncher } from '../process/windows/job-object.js';
import type { Query } from '../runner/listing.js';
import type { Runner } from '../runner/runner.js';
import { lineSplitter } from '../text/lines.js';
import { redact, secretValues } from '../text/redact.js';

const ASK_LIMIT = 30_000;
const STDERR_KEPT = 20;
/** How long output is read after the program's exit, ms. */
const DRAIN_MS = 500;

/**
 * @param options.cwd where it runs
 * @param options.foreignKeys keys of the runtimes it is not
 * @throws {Error} it gave no answer; the message says why, secrets masked
 */
export async function askProgram<Entry>(
  runner: Runner,
  located: Located,
  query: Query<Entry>,
  options: { places: Places; cwd: string; foreignKeys: readonly string[]; limit?: number },
): Promise<Entry[]> {
  const { places, limit = ASK_LIMIT } = options;
  const program = await toProgram(runner, located, places);
  const id = randomUUID();
  const lines: string[] = [];
  const complaints: string[] = [];
  let settle: (entries: Entry[] | string) => void = () => {};
  const answered = new Promise<Entry[] | string>((resolve) => {
    settle = resolve;
  });
  const marker = { name: MARKER, value: id };
  const argv = [program.path, ...program.args, ...query.args];
  const env = childEnv({
    ambient: places.env,
    scrub: runner.nesting,
    foreignKeys: options.foreignKeys,
    set: { ...runner.version?.env, ...query.env, [pathKey(places.env)]: pathFor(program, places.env) },
    explicit: {},
    turnId: id,
    cwd: options.cwd,
  });
  const out = lineSplitter({
    max: LIMITS.nativeLine,
    onLine(text) {
      lines.push(text);
      const entries = query.read(lines, false);
      if (entries !== null) settle(entries);
    },
  });
  const err = lineSplitter({
    max: LIMITS.nativeLine,
    long: 'cut',
    onLine: (text) => void (complaints.push(text) > STDERR_KEPT && complaints.shift()),
  });
  const reaper = startReaper({ marker });
  // The group is its own, and so is the way to end it: what a program leaves behind is found by the marker.
  const job = jobLauncher();
  const before = job === null ? [] : [job];
  const [command = '', ...args] = [...before, ...argv];
  const child = execa(commandOf(command, env), args, {
    cwd: options.cwd,
    env,
    extendEnv: false,
    stdin: query.say ? 'pipe' : 'ignore',
    buffer: false,
    reject: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { pid } = child;
  if (pid === undefined) {
    reaper.dismiss();
    throw await explain((await child).cause, { argv, cwd: options.cwd, env });
  }
  reaper.watch(pid);
  const tree = treeOf({ pid, marker, leader: child, inJob: job !== null });
  child.stdout.on('data', out.push);
  child.stderr.on('data', err.push);
  const over = () => {
    out.end();
    err.end();
    const { exitCode, signalCode } = child;
    settle(query.read(lines, true) ?? `it ended (${signalCode ?? `exit code ${exitCode}`}) without a list`);
  };
  void child.then(over);
  // A process that it left behind may hold its output open.
  child.once('exit', () => setTimeout(over, DRAIN_MS).unref());
  child.stdin?.on('error', (error) => complaints.push(`its stdin was closed: ${error.message}`));
  for (const line of query.say ?? []) child.stdin?.write(`${line}\n`);
  const timer = setTimeout(() => settle(`it gave no list within ${limit / 1000} s`), limit);
  const answer = await answered;
  clearTimeout(timer);
  child.stdin?.end();
  const { survivors } = await tree.end({ termMs: GRACE.term, killMs: GRACE.kill });
  tree.forget();
  if (survivors.length === 0) reaper.dismiss();
  if (typeof answer !== 'string') return answer;
  const tail = complaints.join('\n').trim();
  throw new Error(redact(tail === '' ? answer : `${answer}\n${tail}`, secretValues(places.env)));
}
