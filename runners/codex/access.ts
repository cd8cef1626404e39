/** What the access mode and sandbox modes mean in codex: a permission profile, and who answers its questions. */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import { asksBeyond, type TurnRequest } from '../../src/runner/request.js';
import type { Refusal } from '../../src/runner/runner.js';
import { str } from '../../src/text/json.js';
import { isAtLeast } from '../dialects/version.js';
import { keepsTools, NONE_SINCE } from './no-tools.js';

export type Confinement = 'read-only' | 'workspace-write' | 'full';

/** Name of the permission profile that is defined for the one thread. */
const PROFILE = 'turnout';

/** The OS sandbox of a turn: what the mode asks for, or `--sandbox` where it is given. */
export function confinement(request: TurnRequest): Confinement {
  const { access, sandbox } = request;
  if (sandbox === 'read-only' || access === 'read') return 'read-only';
  if (sandbox === 'workspace-write') return 'workspace-write';
  if (access === 'full') return 'full';
  return access === 'edit' ? 'workspace-write' : 'read-only';
}

/** Why a mode can't be kept. The sandbox of Windows has not been probed, so nothing is guaranteed there. */
export function accessRefusal(request: TurnRequest, machine: Machine): Refusal | null {
  if (request.access === 'read' && request.sandbox === 'workspace-write') {
    return {
      refuse: 'unsupported',
      message: '--access read changes nothing, so --sandbox workspace-write has no place',
    };
  }
  const { version } = machine.program;
  // A new thread says whether it has gone without tools; for a resumed one only the version does.
  const proven =
    request.resume === null ? isAtLeast(version, NONE_SINCE) : version !== null && isAtLeast(version, NONE_SINCE);
  if (request.access === 'none' && !proven) {
    const message = `--access none needs codex ${NONE_SINCE.join('.')} or newer; this one is ${version ?? 'unknown'}`;
    return { refuse: 'unsupported', message };
  }
  if (machine.platform === 'win32' && (request.access === 'read' || request.access === 'edit')) {
    return {
      refuse: 'unsupported',
      message: `--access ${request.access} is not guaranteed by codex on Windows; use --access scoped`,
    };
  }
  return null;
}

/**
 * Whether codex may ask to leave the sandbox. Without questions it hides a refused escalation: no item reports it.
 * The guaranteed modes ask only where a host or a prefix may allow more. It asks when its model wants to leave the
 * sandbox, not when the sandbox has stopped a plain command: `granular` asks no more, and at `untrusted` a command that
 * was allowed runs inside all the same (0.171.0).
 */
export function approvalPolicy(request: TurnRequest): 'never' | 'on-request' {
  if (confinement(request) === 'full') return 'never';
  if (request.sandbox !== null && request.sandbox !== 'full') return 'on-request';
  const asked = request.access === 'scoped' || request.allowBashPrefix.length > 0 || asksBeyond(request);
  return asked ? 'on-request' : 'never';
}

/** Whether somebody decides about escalations; otherwise all are declined, since they would leave the sandbox. */
export function decidesEscalations(request: TurnRequest): boolean {
  if (request.access === 'full') return false;
  return request.allowBashPrefix.length > 0 || asksBeyond(request);
}

/**
 * Parameters of `thread/start` and `thread/resume`, and the config that belongs to them. A profile is used, not the
 * `sandbox` parameter: with a denied read in it, commands that the user's own *.rules allow stay in the sandbox
 * (without one they run outside, in every mode; 0.171.0). Its temp folders are read-only and the login is unreadable.
 */
export function sandboxParams(
  request: TurnRequest,
  machine: Machine,
  codexHome: string,
): { params: JsonObject; config: JsonObject } {
  const mode = confinement(request);
  if (mode === 'full') return { params: { sandbox: 'danger-full-access' }, config: {} };
  if (machine.platform === 'win32') return { params: { sandbox: mode }, config: {} };
  const denied = { [`${codexHome}/auth.json`]: 'deny' };
  const profile: JsonObject =
    mode === 'read-only'
      ? { filesystem: { ':root': 'read', ...denied } }
      : { extends: ':workspace', filesystem: { ':slash_tmp': 'read', ':tmpdir': 'read', ...denied } };
  return { params: { permissions: PROFILE }, config: { permissions: { [PROFILE]: profile } } };
}

/** What codex says it applies, against what was asked: an older one ignores parameters that it does not know. */
export function sandboxMismatch(request: TurnRequest, machine: Machine, opened: Json): string | null {
  if (request.access === 'none' && request.resume === null && keepsTools(opened)) {
    return 'codex did not give up its own tools, as --access none needs it; update codex';
  }
  const type = str(opened, 'sandbox', 'type');
  const profile = str(opened, 'activePermissionProfile', 'id');
  const mode = confinement(request);
  const wanted = { 'read-only': 'readOnly', 'workspace-write': 'workspaceWrite', full: 'dangerFullAccess' }[mode];
  const usesProfile = mode !== 'full' && machine.platform !== 'win32';
  if (type === wanted && (!usesProfile || profile === PROFILE)) return null;
  return (
    `codex did not apply the sandbox that --access ${request.access} needs (${type ?? 'none'} instead of ` +
    `${wanted}); update codex, or use --access full`
  );
}
