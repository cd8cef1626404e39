/** Whether the operating system keeps a turn's mode, and why not. */

import { statSync } from 'node:fs';
import type { Confine } from '../../contract/vocabulary.js';
import type { Bwrap } from '../../process/confine/bwrap.js';
import { probe } from '../../process/confine/probe.js';
import type { ConfineRow } from '../../runner/confine-row.js';
import { asksBeyond, type TurnRequest } from '../../runner/request.js';
import type { Runner } from '../../runner/runner.js';

export type Chosen =
  | { row: ConfineRow; bwrap: Bwrap }
  | {
      row: null;
      /** Why the operating system does not keep it; null where that was not asked for. */
      why: string | null;
      /** Why the turn is refused, where nothing else would do. */
      refuse?: string;
    };

export interface ChooseOptions {
  confine: Confine;
  runner: Runner;
  request: TurnRequest;
  platform: NodeJS.Platform;
  /** Whether a variable is set in the environment of the program. */
  isSet(variable: string): boolean;
  /** For tests. */
  bwrap?: Bwrap | null;
}

/** Of a platform without a wall of ours. */
function platformFault(platform: NodeJS.Platform): string | null {
  switch (platform) {
    case 'linux':
      return null;
    case 'darwin':
      return 'the confinement was not verified on macOS yet; --confine none leaves the mode to the program';
    default:
      return `there is no confinement on ${platform}; --confine none leaves the mode to the program`;
  }
}

/** What speaks against walls that were not asked for: something that worked would no longer do. */
function betterWithout({ runner, request, isSet }: ChooseOptions): string | null {
  const { access, allowBashPrefix } = request;
  const asked = asksBeyond(request) && (access === 'scoped' || runner.access[access]?.asks === true);
  const leaves = request.policy?.default === 'allow' || request.policy?.rules.some((rule) => rule.decision === 'allow');
  if (asked || (access === 'scoped' && (allowBashPrefix.length > 0 || leaves === true))) {
    return 'what a host allows may go beyond the mode, and the walls would forbid it (--confine os keeps them)';
  }
  const keyring = runner.confine?.keyring;
  if (keyring !== undefined && !keyring.some(isSet)) return keyringText(runner.id, keyring);
  try {
    if (process.getuid?.() !== statSync(request.cwd).uid) return `${request.cwd} belongs to another user`;
  } catch (error) {
    return `${request.cwd} can't be looked at: ${error instanceof Error ? error.message : String(error)}`;
  }
  return null;
}

function keyringText(id: string, variables: readonly string[]): string {
  return `${id} may keep its login in the system keyring, which is closed inside the confinement; set ${variables.join(' or ')}, or use --confine none`;
}

export async function chooseWall(options: ChooseOptions): Promise<Chosen> {
  const { confine, runner, request, platform } = options;
  if (confine === 'none' || request.access === 'full') return { row: null, why: null };
  const refused = (why: string): Chosen => (confine === 'os' ? { row: null, why, refuse: why } : { row: null, why });
  const row = runner.confine;
  if (row === undefined)
    return refused(`it is not known what ${runner.id} needs inside a confinement of the operating system`);
  const fault = platformFault(platform);
  if (fault !== null) return refused(fault);
  if (confine === 'auto') {
    const why = betterWithout(options);
    if (why !== null) return { row: null, why };
  }
  const probed = await probe({
    nests: row.nests === true,
    ...(options.bwrap === undefined ? {} : { bwrap: options.bwrap }),
  });
  return probed.ok ? { row, bwrap: probed.bwrap } : refused(probed.why);
}
