/** Decides whether walls stand around a turn, and raises them. */

import type { Bwrap } from '../../process/confine/bwrap.js';
import type { PrivateDir } from '../../process/temp-files.js';
import type { Machine } from '../../runner/machine.js';
import { type TurnRequest, writesUnasked } from '../../runner/request.js';
import type { Runner } from '../../runner/runner.js';
import { type Admitted, admit } from '../../turn/admission.js';
import type { TurnWall } from '../../turn/wall.js';
import { Refused } from '../this-machine.js';
import { type Chosen, chooseWall } from './choose.js';
import { confineOf } from './default.js';
import { wallsOf } from './walls-of.js';

export interface RaiseOptions {
  runner: Runner;
  request: TurnRequest;
  allowRoot: boolean;
  root: boolean;
  /** The environment the program gets, as far as folders and keys are concerned. */
  env: NodeJS.ProcessEnv;
  home: string;
  runners: readonly Runner[];
  privateDir(): Promise<PrivateDir>;
}

export interface Raised {
  admitted: Admitted;
  /** Builds the walls once the program is known; null where none stand. */
  raise: ((machine: Machine) => Promise<{ admitted: Admitted; wall: TurnWall | null }>) | null;
}

/** @throws Refused where the mode can't be kept */
export async function admitWalled(options: RaiseOptions): Promise<Raised> {
  const { runner, request, env } = options;
  const confine = confineOf(request, env);
  const chosen: Chosen = runner.unsupported
    ? { row: null, why: null }
    : await chooseWall({ confine, runner, request, platform: process.platform, isSet: (name) => Boolean(env[name]) });
  if (chosen.row === null && chosen.refuse !== undefined)
    throw new Refused('unsupported', chosen.refuse, '--confine none');
  const asked = (walled: boolean, why: string | null): Admitted => {
    const { root, allowRoot } = options;
    const admitted = admit(runner, request, { root, allowRoot, walled, why, platform: process.platform });
    if (admitted.refuse !== undefined) throw new Refused(admitted.refuse, admitted.message, admitted.hint);
    return admitted;
  };
  if (chosen.row === null) return { admitted: asked(false, chosen.why), raise: null };
  const { row, bwrap } = chosen;
  const admitted = asked(true, null);
  return {
    admitted,
    async raise(machine) {
      const writes = writesUnasked(admitted.request);
      const walls = await wallsOf({ ...options, runner: runner.id, row, request: admitted.request, machine, writes });
      if (!('unfit' in walls)) return { admitted, wall: wallOf(bwrap, walls, row.writesTurnFolder === true) };
      if (confine === 'os' || admitted.byWall) throw new Refused('unsafe', walls.unfit);
      return { admitted: asked(false, walls.unfit), wall: null };
    },
  };
}

function wallOf(
  bwrap: Bwrap,
  { walls, logins }: Exclude<Awaited<ReturnType<typeof wallsOf>>, { unfit: string }>,
  writesTurnFolder: boolean,
): TurnWall {
  return {
    bwrap: bwrap.path,
    walls,
    writesTurnFolder,
    async settle() {
      const reasons = await Promise.all(logins.map((login) => login.bringBack()));
      return reasons.filter((reason) => reason !== null);
    },
    close() {
      for (const login of logins) login.close();
    },
  };
}
