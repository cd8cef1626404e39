/** The policy of a turn; what reads and applies it is loaded only where there is one. */

import type { Runner } from '../../runner/runner.js';
import type { Admitted } from '../../turn/admission.js';
import type { PolicyDesk } from '../../turn/policy/desk.js';
import { Refused } from '../this-machine.js';
import type { FilesOptions } from './files.js';

/** @returns undefined without a policy @throws Refused where nothing would keep it */
export async function policyOf(
  admitted: Admitted,
  runner: Runner,
  files: Omit<FilesOptions, 'cwd'>,
): Promise<PolicyDesk | undefined> {
  const { policy, cwd } = admitted.request;
  if (policy === undefined) return undefined;
  const { beginPolicy, policyFault } = await import('./begin.js');
  const fault = policyFault(policy, runner, admitted);
  if (fault !== null) throw new Refused('unsupported', fault);
  return beginPolicy(policy, runner, process.platform, { ...files, cwd });
}
