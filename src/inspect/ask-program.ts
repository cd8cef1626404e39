/** Asks an installed program for a list of its own. Its login is used; nothing is changed; it is ended after 30 s. */

import { randomUUID } from 'node:crypto';
import { GRACE } from '../contract/limits.js';
import { pathFor, pathKey } from '../discovery/child-path.js';
import type { Located } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { toProgram } from '../discovery/program.js';
import { childEnv, MARKER } from '../process/child-env.js';
import { launch } from '../process/launch.js';
import type { Query } from '../runner/listing.js';
import type { Runner } from '../runner/runner.js';
import { redact, secretValues } from '../text/redact.js';

export const ASK_LIMIT = 30_000;
const STDERR_KEPT = 20;

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
  const running = await launch(
    {
      argv: [program.path, ...program.args, ...query.args],
      cwd: options.cwd,
      env: childEnv({
        ambient: places.env,
        scrub: runner.nesting,
        foreignKeys: options.foreignKeys,
        set: { ...runner.version?.env, ...query.env, [pathKey(places.env)]: pathFor(program, places.env) },
        explicit: {},
        turnId: id,
      }),
      stdin: query.say ? 'hold' : 'null',
      stdout: 'pipe',
      marker: { name: MARKER, value: id },
    },
    {
      line(text) {
        lines.push(text);
        const entries = query.read(lines, false);
        if (entries !== null) settle(entries);
      },
      dropped: () => {},
      stderr: (text) => void (complaints.push(text) > STDERR_KEPT && complaints.shift()),
      exit(code, signal) {
        settle(query.read(lines, true) ?? `it ended (${signal ?? `exit code ${code}`}) without a list`);
      },
    },
  );
  for (const line of query.say ?? []) running.write(`${line}\n`);
  const timer = setTimeout(() => settle(`it gave no list within ${limit / 1000} s`), limit);
  const answer = await answered;
  clearTimeout(timer);
  running.endStdin();
  await running.end({ termMs: GRACE.term, killMs: GRACE.kill });
  if (typeof answer !== 'string') return answer;
  const tail = complaints.join('\n').trim();
  throw new Error(redact(tail === '' ? answer : `${answer}\n${tail}`, secretValues(places.env)));
}
