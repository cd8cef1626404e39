/** Decides before anything is spawned whether a runtime can do what is asked, and what `start` must say. */

import type { ErrorCode } from '../contract/error.js';
import type { AccessGap, Approvals, NativeSandbox, NoticeCode, SandboxMode } from '../contract/vocabulary.js';
import { type TurnRequest, writesUnasked } from '../runner/request.js';
import type { AccessReport, Runner } from '../runner/runner.js';

/** What is said right after `start`. */
export interface Notice {
  message: string;
  code: NoticeCode;
}

export interface Admitted {
  refuse?: undefined;
  /** With the sandbox mode that really applies. */
  request: TurnRequest;
  report: AccessReport;
  sandboxRequested: SandboxMode | null;
  /** The mode that applies; null without `--sandbox`. */
  sandboxApplied: SandboxMode | null;
  notices: Notice[];
  /** Walls of the operating system stand around the program. */
  walled: boolean;
  /** They alone keep the mode: the program runs as at `full` inside. */
  byWall: boolean;
}

export interface NotAdmitted {
  refuse: ErrorCode;
  message: string;
  hint?: string;
}

/** From tightest to loosest. */
const STRICTNESS: readonly SandboxMode[] = ['read-only', 'restricted', 'workspace-write', 'full'];

const REPORT_GAPS: readonly AccessGap[] = ['read_outside', 'write', 'shell', 'network'];

function fallbackMode(runner: Runner, wanted: SandboxMode): SandboxMode | null {
  const has = STRICTNESS.filter((mode) => mode !== 'full' && runner.sandbox[mode]);
  const limit = STRICTNESS.indexOf(wanted);
  const strict = has.filter((mode) => STRICTNESS.indexOf(mode) <= limit);
  return strict[strict.length - 1] ?? has[0] ?? null;
}

function applySandbox(runner: Runner, request: TurnRequest, base: AccessReport): Admitted | NotAdmitted {
  const wanted = request.sandbox;
  const plain = (sandbox: SandboxMode | null, notices: Notice[]): Admitted => {
    const mode = sandbox === null || sandbox === 'full' ? undefined : runner.sandbox[sandbox];
    const report = mode ? { ...base, native_sandbox: mode.native_sandbox, approvals: mode.approvals } : base;
    return {
      request: { ...request, sandbox },
      report,
      sandboxRequested: wanted,
      // Without a mode of the runtime's the turn runs as it does by default, which is what `full` asks for.
      sandboxApplied: wanted === null ? null : (sandbox ?? 'full'),
      notices,
      walled: false,
      byWall: false,
    };
  };
  if (wanted === null || wanted === 'full') return plain(wanted, []);
  if (runner.sandbox[wanted]) return plain(wanted, []);
  const modes = Object.keys(runner.sandbox).join(', ') || 'none';
  if (request.sandboxFallback === 'fail') {
    return { refuse: 'unsupported', message: `${runner.id} has no sandbox mode ${wanted} (it has: ${modes})` };
  }
  if (request.sandboxFallback === 'run') {
    return plain(null, [
      {
        code: 'sandbox-fallback',
        message: `${runner.id} has no sandbox mode ${wanted}; it runs as it does by default`,
      },
    ]);
  }
  const nearest = fallbackMode(runner, wanted);
  if (nearest === null)
    return plain(null, [
      { code: 'sandbox-fallback', message: `${runner.id} has no sandbox of its own; ${wanted} could not be applied` },
    ]);
  return plain(nearest, [
    { code: 'sandbox-fallback', message: `${runner.id} has no sandbox mode ${wanted}; ${nearest} is used` },
  ]);
}

/** Modes that walls alone can keep: what is offered to a model is not theirs. */
const BY_WALLS: ReadonlySet<string> = new Set(['scoped', 'read', 'edit', 'read-only', 'workspace-write']);

/** What the program itself is asked for. */
export function nativeRequest({ byWall }: Pick<Admitted, 'byWall'>, request: TurnRequest): TurnRequest {
  return byWall ? { ...request, access: 'full', sandbox: null, allowBashPrefix: [] } : request;
}

/** Inside walls a mode that the program lacks is one that they keep alone. @returns null where the program has it */
function byWalls(runner: Runner, request: TurnRequest): Admitted | null {
  const { access, sandbox } = request;
  const lacks = (!runner.access[access] && BY_WALLS.has(access)) || (sandbox !== null && !has(runner, sandbox));
  const inside = runner.access.full;
  if (!lacks || inside === undefined || access === 'none') return null;
  const report: AccessReport = { ...inside, gaps: access === 'scoped' ? ['read_outside', 'shell', 'network'] : [] };
  return {
    request,
    report,
    sandboxRequested: sandbox,
    sandboxApplied: sandbox,
    notices: [],
    walled: true,
    byWall: true,
  };
}

const has = (runner: Runner, mode: SandboxMode) =>
  mode === 'full' || runner.sandbox[mode] !== undefined || !BY_WALLS.has(mode);

/** A mode that the program has, with walls around it: nothing outside is written. */
function insideWalls(admitted: Admitted): Admitted {
  const gaps = admitted.report.gaps.filter((gap) => gap !== 'write');
  return { ...admitted, walled: true, report: { ...admitted.report, gaps } };
}

/**
 * @param options.root whether we run as root
 * @param options.allowRoot whether `--allow-root` was given
 * @param options.walled whether walls of the operating system stand around the program
 * @param options.why why they don't
 * @param options.platform where the program runs
 */
export function admit(
  runner: Runner,
  request: TurnRequest,
  options: { root: boolean; allowRoot: boolean; walled?: boolean; why?: string | null; platform?: NodeJS.Platform },
): Admitted | NotAdmitted {
  if (runner.unsupported) return { refuse: 'unsupported', message: runner.unsupported };
  const kept = options.walled === true ? byWalls(runner, request) : null;
  const report = kept?.report ?? runner.access[request.access];
  if (!report) {
    const modes = Object.keys(runner.access).join(', ');
    const reason = options.why ? `, and the operating system does not keep it here: ${options.why}` : '';
    return {
      refuse: 'unsupported',
      message: `${runner.id} can't guarantee --access ${request.access} (it has: ${modes})${reason}`,
    };
  }
  if (options.platform === 'win32' && runner.decidesPerCommand && ['read', 'edit'].includes(request.access)) {
    return {
      refuse: 'unsupported',
      message: `--access ${request.access} can't be guaranteed on Windows: which shell reads the commands of ${runner.id} is unknown; use --access scoped or none`,
    };
  }
  if (request.access === 'none' && request.settings.length > 0) {
    return {
      refuse: 'unsupported',
      message: "--access none offers your tools alone, and --settings would bring the user's: use --settings none",
    };
  }
  if (request.access === 'full' && options.root && !options.allowRoot) {
    return {
      refuse: 'unsafe',
      message: 'full access as root is refused: run as another user, or add --allow-root',
      hint: '--allow-root',
    };
  }
  if (request.resume !== null && !runner.resume) {
    return { refuse: 'unsupported', message: `${runner.id} can't continue a session` };
  }
  if ((request.images?.length ?? 0) > 0 && !runner.images) {
    return { refuse: 'unsupported', message: `${runner.id} takes no images (--image)` };
  }
  if (request.requireMcp !== undefined && runner.tellsServers !== true) {
    const message = `${runner.id} does not tell which MCP servers are ready (--require-mcp)`;
    return { refuse: 'unsupported', message };
  }
  const applied = kept ?? applySandbox(runner, request, report);
  if (applied.refuse !== undefined) return applied;
  const sandboxed = options.walled === true && kept === null ? insideWalls(applied) : applied;
  const { notices } = sandboxed;
  if (request.effort !== null && !runner.effort)
    notices.push({ code: 'effort-ignored', message: `${runner.id} has no effort setting; --effort is ignored` });
  if (request.budgetUsd !== null && !runner.reportsCost) {
    notices.push({ code: 'budget-unchecked', message: `${runner.id} reports no cost; --budget-usd can't be checked` });
  }
  if (request.allowBashPrefix.length > 0 && !runner.decidesPerCommand && !sandboxed.byWall) {
    notices.push({
      code: 'bash-prefix-ignored',
      message: `${runner.id} can't decide command by command; --allow-bash-prefix is ignored`,
    });
  }
  if (!sandboxed.walled && request.allowBashPrefix.length > 0 && runner.decidesPerCommand && writesUnasked(request)) {
    const { report } = sandboxed;
    sandboxed.report = { ...report, gaps: [...new Set([...report.gaps, 'shell' as const])] };
    notices.push({
      code: 'bash-prefix-steerable',
      message: 'what a command of --allow-bash-prefix runs may depend on files that the agent may write here',
    });
  }
  if (request.approvals === 'stdio' && sandboxed.report.asks !== true) {
    notices.push({
      code: 'approvals-ignored',
      message: `${runner.id} asks no permission questions at this mode; --approvals stdio has no effect`,
    });
  }
  if (request.questions === 'stdio' && !runner.asksQuestions) {
    notices.push({
      code: 'questions-ignored',
      message: `${runner.id} asks people nothing that reaches us; --questions stdio has no effect`,
    });
  }
  if (request.settings.length > 0 && runner.settingsLoaded.length > 0) {
    notices.push({
      code: 'settings-loaded',
      message: `${runner.id} loads: ${[...new Set([...request.settings, ...runner.settingsLoaded])].join(', ')}`,
    });
  }
  return sandboxed;
}

export function startReport(report: AccessReport): {
  access_gaps: AccessGap[];
  native_sandbox: NativeSandbox;
  approvals: Approvals;
  asks_permission: boolean;
} {
  return {
    access_gaps: REPORT_GAPS.filter((gap) => report.gaps.includes(gap)),
    native_sandbox: report.native_sandbox,
    approvals: report.approvals,
    asks_permission: report.asks === true,
  };
}
