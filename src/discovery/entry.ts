/** One line of a scan: what a runner's data says, and what was found on this machine. */

import type { ScanEntry } from '../contract/scan.js';
import type { AccessGap, AccessMode, Confinement, SandboxMode } from '../contract/vocabulary.js';
import { ACCESS_MODES, SANDBOX_MODES } from '../contract/vocabulary.js';
import type { AccessReport, Runner } from '../runner/runner.js';
import { newerThanTested } from './compare-versions.js';
import { knownBad, testedVersions } from './compat.js';

export interface Found {
  binary: string | null;
  version: string | null;
  source: ScanEntry['version_source'];
  notes: readonly string[];
  /** Why it can't be started although it is there; null when nothing speaks against it. */
  blocked: string | null;
}

/** Fills every field. @param walls whether this machine has bubblewrap @throws whatever the data of a third party's runner throws */
export function scanEntry(runner: Runner, found: Found, walls = false): ScanEntry {
  const unsupported = runner.unsupported ?? found.blocked;
  const walled = walls && runner.confine !== undefined;
  const modes = ACCESS_MODES.filter((mode) => runner.access[mode] !== undefined || (walled && byWalls(runner, mode)));
  const usual = usualReport(runner, modes);
  const tested = testedVersions(runner.id, runner.testedVersions);
  const bad = knownBad(runner.id, found.version);
  const callerTools = runner.toolTransport !== 'none';
  return {
    id: runner.id,
    ...(runner.aliases === undefined ? {} : { aliases: [...runner.aliases] }),
    ...(runner.builtin === true ? { builtin: true } : {}),
    installed: found.binary !== null,
    binary: found.binary,
    version: found.version,
    version_source: found.binary === null ? null : found.source,
    newer_than_tested: newerThanTested(found.version, tested),
    tested_versions: tested,
    ...(bad === null ? {} : { known_bad: bad }),
    install_hint: runner.installHint,
    install: runner.install,
    login_hint: runner.loginHint,
    transport: runner.transport,
    streams_incrementally: runner.streamsIncrementally,
    full_access: modes.includes('full'),
    access_modes: modes,
    access_gaps: gaps(runner, modes),
    confinement: Object.fromEntries(modes.map((mode) => [mode, keeper(runner, mode, walled)])),
    caller_tools: callerTools,
    caller_tools_with_full_access: callerTools && modes.includes('full'),
    tool_transport: runner.toolTransport,
    parallel_calls: runner.parallelCalls,
    tool_result_limit: runner.toolResultLimit ?? null,
    native_sandbox: usual.native_sandbox,
    approvals: usual.approvals,
    asks_permission: modes.filter((mode) => runner.access[mode]?.asks === true),
    asks_questions: runner.asksQuestions === true,
    sandbox_modes: sandboxModes(runner),
    sandbox_mode_reports: sandboxReports(runner, usual),
    tool_activity_fidelity: runner.toolActivity,
    resume: runner.resume,
    effort: runner.effort,
    max_turns: runner.maxTurns,
    reports_cost: runner.reportsCost,
    silent_retries: runner.silentRetries,
    untold_stop_reasons: [...(runner.untoldEnds ?? [])],
    prompt_in_argv: runner.promptInArgv,
    settings_loaded: [...runner.settingsLoaded],
    init_target: null,
    execution_supported: unsupported === null,
    ...(unsupported === null ? {} : { execution_unsupported_reason: unsupported }),
    ...(found.notes.length === 0 ? {} : { notes: [...new Set(found.notes)] }),
  };
}

/** What a turn without flags would report: the default mode, else the strictest there is. */
function usualReport(runner: Runner, modes: readonly AccessMode[]): Pick<AccessReport, 'native_sandbox' | 'approvals'> {
  const mode = modes[0];
  const report = mode === undefined ? undefined : runner.access[mode];
  return report ?? { native_sandbox: 'none', approvals: 'n/a' };
}

/** Whether walls alone keep a mode: the program runs as at `full` inside. */
function byWalls(runner: Runner, mode: AccessMode): boolean {
  return (mode === 'read' || mode === 'edit') && runner.access[mode] === undefined && runner.access.full !== undefined;
}

function keeper(runner: Runner, mode: AccessMode, walled: boolean): Confinement['by'] {
  if (mode === 'full') return 'none';
  if (!walled) return 'program';
  return byWalls(runner, mode) ? 'os' : 'both';
}

function gaps(runner: Runner, modes: readonly AccessMode[]): Partial<Record<AccessMode, AccessGap[]>> {
  return Object.fromEntries(modes.map((mode) => [mode, [...(runner.access[mode]?.gaps ?? [])]]));
}

/** `full` asks for nothing beyond the default, so every runtime that can be run accepts it. */
function sandboxModes(runner: Runner): SandboxMode[] {
  if (runner.unsupported !== undefined) return [];
  return SANDBOX_MODES.filter((mode) => mode === 'full' || runner.sandbox[mode] !== undefined);
}

/** One for each mode; `full` is reported as what a turn without `--sandbox` reports. */
function sandboxReports(
  runner: Runner,
  usual: Pick<AccessReport, 'native_sandbox' | 'approvals'>,
): ScanEntry['sandbox_mode_reports'] {
  const { native_sandbox, approvals } = usual;
  return Object.fromEntries(
    sandboxModes(runner).map((mode) => [mode, runner.sandbox[mode] ?? { native_sandbox, approvals }] as const),
  );
}

/** The entry of a runner whose data can't be used: nothing is promised of it. */
export function brokenEntry(id: string, reason: string): ScanEntry {
  return {
    id,
    installed: false,
    binary: null,
    version: null,
    version_source: null,
    newer_than_tested: null,
    tested_versions: [],
    install_hint: '',
    install: { kind: 'manual' },
    login_hint: null,
    transport: 'unknown',
    streams_incrementally: false,
    full_access: false,
    access_modes: [],
    access_gaps: {},
    confinement: {},
    caller_tools: false,
    caller_tools_with_full_access: false,
    tool_transport: 'none',
    parallel_calls: false,
    tool_result_limit: null,
    native_sandbox: 'none',
    approvals: 'n/a',
    asks_permission: [],
    asks_questions: false,
    sandbox_modes: [],
    sandbox_mode_reports: {},
    tool_activity_fidelity: 'none',
    resume: false,
    effort: false,
    max_turns: false,
    reports_cost: false,
    silent_retries: false,
    untold_stop_reasons: [],
    prompt_in_argv: false,
    settings_loaded: [],
    init_target: null,
    execution_supported: false,
    execution_unsupported_reason: reason,
    notes: [reason],
  };
}
