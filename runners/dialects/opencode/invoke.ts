/** How OpenCode or Kilo Code is started for one turn. Variables and config keys as in 1.18.33 and 7.7.7; none of the user's files is touched. */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Machine } from '../../../src/runner/machine.js';
import type { TurnRequest } from '../../../src/runner/request.js';
import type { Arg, Invocation } from '../../../src/runner/runner.js';
import { serverNames } from '../acp/index.js';
import { permissions } from './permissions.js';

/** Our agent: rules of the user's own agents don't reach it. */
export const AGENT = 'turnout';
const DAY_MS = 86_400_000;

/** What all its variables begin with. */
export type Prefix = 'OPENCODE' | 'KILO';

/** The caller may need this variable for providers; ours goes into a file then. */
const inVariable = (machine: Machine, prefix: Prefix) => !machine.envNames.has(`${prefix}_CONFIG_CONTENT`);

/** Whether the system prompt is appended by its `instructions`. A Windows path would break the JSON it is put into. */
export function systemInConfig(request: TurnRequest, machine: Machine, prefix: Prefix): boolean {
  return request.system !== null && machine.platform !== 'win32' && inVariable(machine, prefix);
}

/** Merged over the user's config, never written into it. */
function config(request: TurnRequest, machine: Machine): JsonObject {
  const permission = permissions(request, serverNames(request, machine));
  const longest = request.toolTimeoutMs === 0 ? DAY_MS : request.toolTimeoutMs + 30_000;
  return {
    permission,
    default_agent: AGENT,
    agent: {
      [AGENT]: { mode: 'primary', description: 'One turn, run by turnout', permission },
      // Its model call is counted nowhere.
      title: { disable: true },
    },
    // Without the first, a refused call ends the turn. Ours ends a caller tool's call before the second does.
    experimental: { continue_loop_on_deny: true, mcp_timeout: longest },
    ...(request.access === 'full' ? {} : { formatter: false, lsp: false }),
    ...(request.settings.includes('user') ? {} : { share: 'disabled' }),
  };
}

function configured(request: TurnRequest, machine: Machine, prefix: Prefix): Pick<Invocation, 'env' | 'files'> {
  const text = JSON.stringify(config(request, machine));
  if (!inVariable(machine, prefix)) {
    return { env: { [`${prefix}_CONFIG`]: { file: 'config' } }, files: { config: { name: 'config.json', text } } };
  }
  const name = `${prefix}_CONFIG_CONTENT`;
  if (!systemInConfig(request, machine, prefix)) return { env: { [name]: text } };
  const content: Arg = { file: 'system', before: `${text.slice(0, -1)},"instructions":["`, after: '"]}' };
  return { env: { [name]: content }, files: { system: { name: 'system.md', text: request.system ?? '' } } };
}

/** What is switched on, without the prefix. */
function switches(request: TurnRequest): string[] {
  return [
    'DISABLE_AUTOUPDATE',
    'DISABLE_MODELS_FETCH',
    'DISABLE_LSP_DOWNLOAD',
    // It reports its retries nowhere else.
    'PRINT_LOGS',
    ...(request.settings.includes('project') ? [] : ['DISABLE_PROJECT_CONFIG']),
    ...(request.settings.includes('user') ? [] : ['PURE', 'DISABLE_CLAUDE_CODE', 'DISABLE_EXTERNAL_SKILLS']),
  ];
}

export function invoke(request: TurnRequest, machine: Machine, prefix: Prefix): Invocation {
  const { program } = machine;
  const { env, files } = configured(request, machine, prefix);
  return {
    argv: [program.path, ...program.args, 'acp'],
    env: {
      ...Object.fromEntries(switches(request).map((name) => [`${prefix}_${name}`, '1'])),
      [`${prefix}_LOG_LEVEL`]: 'INFO',
      ...env,
    },
    stdin: 'hold',
    stdout: 'pipe',
    ...(files === undefined ? {} : { files }),
  };
}
