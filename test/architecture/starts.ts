/** Finds programs that are started by what may be a bare name. */

import { withoutComments } from './rules.js';

/** What gives a full path on Windows, which looks a bare name up in the current folder first; `/…` is never started there. */
const FULL =
  /^(?:commandOf|onPath|system32|commandShell)\(|^process\.execPath\b|^['"]\/|^existsSync\('\/bin\/ps'\) |^options\.program \?\? system32\(/;
/** Commands that a shell of a full path reads. */
const FOR_SHELL = /shell: commandShell\(/;

/** Programs that a source starts by what may be a bare name: the first arguments of `spawn`, `execa` and their kin. */
export function bareStarts(source: string): string[] {
  const calls = /(?<![.\w]|function )(?:spawn|spawnSync|execFile|execFileSync|execa|execaSync)\(\s*/g;
  const text = withoutComments(source);
  return [...text.matchAll(calls)].flatMap((call) => {
    const rest = text.slice(call.index + call[0].length);
    const [said = ''] = /^(?:\([^()]*\)|[^,()])*/.exec(rest) ?? [];
    const [statement = ''] = /^[^;]*/.exec(rest) ?? [];
    return FULL.test(rest) || FOR_SHELL.test(statement) ? [] : [said.trim()];
  });
}
