/** A caller's policy for one turn: refused where nothing would keep it, else a desk that rules on every call. */

import type { Policy } from '../../contract/policy.js';
import type { Runner } from '../../runner/runner.js';
import type { Admitted } from '../../turn/admission.js';
import { realPath } from '../../turn/place.js';
import { compilePolicy } from '../../turn/policy/compile.js';
import { type PolicyDesk, policyDesk } from '../../turn/policy/desk.js';
import { deskFiles, type FilesOptions } from './files.js';

/** What walls keep of a policy. @param cwd real path */
export const compiled = compilePolicy;

/**
 * @param admitted as the turn will run
 * @returns why the policy can't be kept, or null
 */
export function policyFault(policy: Policy, runner: Runner, admitted: Admitted): string | null {
  if (admitted.report.asks === true || admitted.request.access === 'none') return null;
  const { hidden, fixed, left } = compilePolicy(policy, runner.id, admitted.request.cwd);
  const byWalls = admitted.walled ? [] : [...hidden, ...fixed];
  if (left.length === 0 && byWalls.length === 0) return null;
  const rules = left.map((number) => (number === 0 ? 'the default' : `rule ${number}`));
  const which = rules.length > 0 ? rules.join(', ') : byWalls.join(', ');
  return `${runner.id} asks no permission questions at --access ${admitted.request.access}, and no confinement keeps ${which} of the policy here`;
}

/** @throws when the person's answers can't be read */
export function beginPolicy(
  policy: Policy,
  runner: Runner,
  platform: NodeJS.Platform,
  files: FilesOptions,
): PolicyDesk {
  const around = {
    cwd: files.cwd,
    shell: platform === 'win32' ? ('unknown' as const) : ('posix' as const),
    real: (path: string) => realPath(path, files.cwd),
  };
  return policyDesk(policy, around, runner.id, deskFiles(files));
}
