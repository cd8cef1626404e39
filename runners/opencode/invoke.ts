/** How OpenCode is started for one turn. Variables and config keys as in 1.18.33; the user's files stay as they are. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation } from '../../src/runner/runner.js';
import { serverNames } from '../dialects/acp/index.js';
import { permissions } from './permissions.js';

/** Our agent: rules of the user's own agents don't reach it. */
export const AGENT = 'turnout';
const DAY_MS = 86_400_000;

/** The caller may need this variable for providers; ours goes into a file then. */
const inVariable = (machine: Machine) => !machine.envNames.has('OPENCODE_CONFIG_CONTENT');

/** Whether the system prompt is appended by its `instructions`. A Windows path would break the JSON it is put into. */
export function systemInConfig(request: TurnRequest, machine: Machine): boolean {
  return request.system !== null && machine.platform !== 'win32' && inVariable(machine);
}

/** Merged over the user's config, of which it is no part. */
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

function configured(request: TurnRequest, machine: Machine): Pick<Invocation, 'env' | 'files'> {
  const text = JSON.stringify(config(request, machine));
  if (!inVariable(machine)) {
    return { env: { OPENCODE_CONFIG: { file: 'config' } }, files: { config: { name: 'opencode.json', text } } };
  }
  if (!systemInConfig(request, machine)) return { env: { OPENCODE_CONFIG_CONTENT: text } };
  const content: Arg = { file: 'system', before: `${text.slice(0, -1)},"instructions":["`, after: '"]}' };
  return {
    env: { OPENCODE_CONFIG_CONTENT: content },
    files: { system: { name: 'system.md', text: request.system ?? '' } },
  };
}

function isolation(request: TurnRequest): Record<string, string> {
  return {
    ...(request.settings.includes('project') ? {} : { OPENCODE_DISABLE_PROJECT_CONFIG: '1' }),
    ...(request.settings.includes('user')
      ? {}
      : { OPENCODE_PURE: '1', OPENCODE_DISABLE_CLAUDE_CODE: '1', OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' }),
  };
}

export function invoke(request: TurnRequest, machine: Machine): Invocation {
  const { program } = machine;
  const { env, files } = configured(request, machine);
  return {
    argv: [program.path, ...program.args, 'acp'],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      // Its retries are told of nowhere else.
      OPENCODE_PRINT_LOGS: '1',
      OPENCODE_LOG_LEVEL: 'INFO',
      ...isolation(request),
      ...env,
    },
    stdin: 'hold',
    stdout: 'pipe',
    ...(files === undefined ? {} : { files }),
  };
}
