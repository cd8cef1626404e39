/** What `start` says of an admitted turn. */

import type { StartEvent } from '../contract/event.js';
import type { Confinement } from '../contract/vocabulary.js';
import type { Machine } from '../runner/machine.js';
import type { Runner } from '../runner/runner.js';
import { type Admitted, startReport } from './admission.js';

/**
 * @param childPid null when nothing could be started
 * @param warm whether the program was kept from an earlier turn
 */
export function startEvent(
  runner: Runner,
  admitted: Admitted,
  machine: Machine,
  childPid: number | null,
  warm: boolean,
): StartEvent {
  const { request, report, sandboxRequested, sandboxApplied } = admitted;
  return {
    v: 1,
    type: 'start',
    runtime: runner.id,
    runtime_version: machine.program.version,
    ...(request.model === null ? {} : { model: request.model }),
    cwd: request.cwd,
    ...(request.resume === null ? {} : { resume: request.resume }),
    pid: process.pid,
    ...(childPid === null ? {} : { child_pid: childPid }),
    ...(warm ? { warm } : {}),
    access: request.access,
    ...startReport(report),
    settings_loaded: [...new Set([...request.settings, ...runner.settingsLoaded])],
    credential: machine.credential ?? { kind: 'unknown' },
    confinement: confinement(admitted, machine),
    ...(sandboxRequested === null ? {} : { sandbox_requested: sandboxRequested }),
    ...(sandboxApplied === null ? {} : { sandbox_applied: sandboxApplied }),
    streams_incrementally: runner.streamsIncrementally,
  };
}

/** By what the mode is kept. A program that runs as at `full` has nothing of its own in the way. */
function confinement({ request, byWall }: Admitted, { confined }: Machine): Confinement {
  if (confined === undefined) return { by: request.access === 'full' ? 'none' : 'program', network: 'open' };
  return { by: byWall ? 'os' : 'both', os: confined, network: 'open' };
}
