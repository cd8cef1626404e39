/** What was asked for, with its defaults → one turn. Every entrance ends here. */

import type { UsageError } from '../contract/error.js';
import type { ImageFile, TurnRequest } from '../runner/request.js';
import { readImages, withFiles } from './attachments.js';
import { readServers } from './mcp-servers.js';
import { type Place, place, type Spelling } from './place.js';
import { workFolder } from './rules.js';
import { type Given, OPTIONS, type OptionName } from './table.js';

/** One turn, checked and ready to be started. */
export interface TurnPlan {
  request: TurnRequest;
  /** Milliseconds; 0 is no limit, null of `startupMs` the runtime's own. */
  limits: { timeoutMs: number; idleMs: number; startupMs: number | null; quotaMs?: number };
  /** Variables for the runtime, from the caller. */
  env: Readonly<Record<string, string>>;
  allowRoot: boolean;
  /** The org of the project that the turn belongs to, and who speaks in it. */
  series?: { org: string; role: string };
  /** A refusal that is said on the stream. */
  refuse?: { code: 'unsafe'; message: string };
}

export interface PlanAround {
  spelling: Spelling;
  /** Where relative paths begin. */
  cwd: string;
  /** Where the variables of MCP servers are looked up, beside those of the request. */
  ambient: Readonly<Record<string, string | undefined>>;
  /** Images that came as data. */
  images?: readonly ImageFile[];
}

/** @returns the error of a request that names no runtime */
export const runtimeMissing = (at: Place): UsageError =>
  at.fault('missing', 'expected the id of a runtime that a scan lists, or auto', { hint: 'turnout agent scan' });

/** The runtime speaks where no role is named; `acp:COMMAND` and lists of runtimes begin with one. */
const roleOf = (runtime: string): string => /^[a-z0-9][a-z0-9_-]*/i.exec(runtime)?.[0].slice(0, 64) ?? 'agent';

/** @throws UsageError for what is missing, and for folders and files that can't be used */
export function planTurn(given: Given, { spelling, cwd: from, ambient, images: sent = [] }: PlanAround): TurnPlan {
  const at = (name: OptionName) => place(spelling, [name]);
  const { runtime, prompt, requireMcp = [] } = given;
  if (runtime === undefined) throw runtimeMissing(at('runtime'));
  if (prompt === undefined) throw at('prompt').fault('missing', 'expected a text that is not empty');
  const { cwd, refuse } = workFolder(given, from, spelling);
  const env = given.env ?? OPTIONS.env.default;
  const images = [...sent, ...readImages(given.images ?? [], from, at('images'))];
  const tools = given.tools ?? given.toolNames ?? [];
  return {
    request: {
      runtime,
      prompt: withFiles(prompt, given.files ?? [], from, at('files')),
      system: given.system ?? null,
      model: given.model ?? null,
      effort: given.effort ?? null,
      cwd,
      resume: given.resume ?? null,
      access: given.access ?? OPTIONS.access.default,
      ...(given.confine === undefined ? {} : { confine: given.confine }),
      ...(given.policy === undefined ? {} : { policy: given.policy }),
      ...(given.broker === true ? { broker: true as const } : {}),
      isolate: given.isolate ?? OPTIONS.isolate.default,
      ...(given.workspace === undefined ? {} : { workspace: given.workspace }),
      sandbox: given.sandbox ?? null,
      sandboxFallback: given.sandboxFallback ?? OPTIONS.sandboxFallback.default,
      allowBashPrefix: given.allowBashPrefix ?? OPTIONS.allowBashPrefix.default,
      approvals: given.approvals ?? OPTIONS.approvals.default,
      ...(given.questions === 'stdio' ? { questions: 'stdio' as const } : {}),
      toolsOn: given.callerTools === 'stdio',
      tools,
      toolTimeoutMs: given.toolTimeoutMs ?? OPTIONS.toolTimeoutMs.default,
      maxTurns: given.maxTurns ?? null,
      budgetUsd: given.budgetUsd ?? null,
      ...(given.budgetTokens === undefined ? {} : { budgetTokens: given.budgetTokens }),
      ...(given.maxToolCalls === undefined ? {} : { maxToolCalls: given.maxToolCalls }),
      ...(requireMcp.length === 0 ? {} : { requireMcp: requireMcp.includes('all') ? 'all' : requireMcp }),
      settings: given.settings ?? OPTIONS.settings.default,
      mcpServers: readServers(given.mcpServers ?? {}, at('mcpServers'), { ...ambient, ...env }),
      outputSchema: given.outputSchema ?? null,
      ...(images.length > 0 ? { images } : {}),
    },
    limits: {
      timeoutMs: given.timeoutMs ?? OPTIONS.timeoutMs.default,
      idleMs: given.idleTimeoutMs ?? OPTIONS.idleTimeoutMs.default,
      startupMs: given.startupTimeoutMs ?? null,
      ...(given.waitForQuotaMs === undefined ? {} : { quotaMs: given.waitForQuotaMs }),
    },
    env,
    allowRoot: given.allowRoot ?? false,
    ...(given.org === undefined ? {} : { series: { org: given.org, role: given.role ?? roleOf(runtime) } }),
    ...(refuse ? { refuse } : {}),
  };
}
