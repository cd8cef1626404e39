/** A runner for an agent that is driven over ACP and needs little else: what differs is data. */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { anySession } from '../../../src/runner/caller-values.js';
import type { Machine } from '../../../src/runner/machine.js';
import { OUR_LIMITS, type TurnRequest } from '../../../src/runner/request.js';
import type { Arg, Runner } from '../../../src/runner/runner.js';
import { promptToolsRequest, withPromptTools } from '../prompt-tools.js';
import { acp } from './conversation.js';
import type { Quirks } from './quirks.js';

type Names = Pick<Runner, 'id' | 'title' | 'bins' | 'packages' | 'install' | 'installHint' | 'loginHint'>;

/** What an Agent Client Protocol program needs beside its names to become a runner; made into one by `acpAgent`. */
export interface AcpAgent extends Names, Partial<Omit<Runner, keyof Names | 'invoke' | 'converse' | 'tools'>> {
  access: Runner['access'];
  quirks: Quirks;
  /** Arguments after the program. */
  args: (request: TurnRequest, machine: Machine) => readonly Arg[];
  env?: (request: TurnRequest) => Readonly<Record<string, Arg | null>>;
}

/** An agent whose own tools are unverified: our refusals prove nothing about tools that never ask. */
export const UNPROVEN: Runner['access'] = {
  scoped: { native_sandbox: 'none', approvals: 'on', asks: true, gaps: ['read_outside', 'write', 'shell', 'network'] },
  full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
};

const DEFAULTS = {
  testedVersions: [],
  transport: 'acp',
  streamsIncrementally: true,
  toolActivity: 'full',
  sandbox: {},
  toolTransport: 'mcp',
  parallelCalls: false,
  resume: true,
  effort: false,
  maxTurns: false,
  reportsCost: false,
  silentRetries: true,
  promptInArgv: false,
  decidesPerCommand: true,
  steer: false,
  settingsLoaded: ['user', 'project'],
  nesting: [],
  keys: 'all',
  warm: { live: OUR_LIMITS },
  // Ids go through the pipe, as the agent made them.
  values: { session: anySession },
} satisfies Partial<Runner>;

/** Agents that ignore the servers of a session get the caller's tools through the prompt. */
export function acpAgent({ quirks, args, env, ...more }: AcpAgent): Runner {
  const runner = { ...DEFAULTS, ...more };
  const inPrompt = runner.toolTransport === 'prompt';
  const inner = {
    remembers: true,
    invoke: (request: TurnRequest, machine: Machine) => ({
      argv: [machine.program.path, ...machine.program.args, ...args(request, machine)],
      env: env?.(request) ?? {},
      stdin: 'hold' as const,
      stdout: 'pipe' as const,
    }),
    converse: (request: TurnRequest, machine: Machine, living?: JsonObject) =>
      acp(request, machine, { quirks }, living),
  };
  return {
    ...runner,
    tools: (request) => (request.toolsOn ? runner.toolTransport : 'none'),
    invoke(request, machine) {
      // Better to refuse a server than to let the agent ignore it silently.
      if (request.mcpServers.length > 0 && quirks.mcpNames.length === 0) {
        return { refuse: 'unsupported', message: `${runner.title} ignores the MCP servers that a session brings` };
      }
      return inner.invoke(inPrompt ? promptToolsRequest(request, machine.ids.nonce) : request, machine);
    },
    converse: (request, machine, living) =>
      inPrompt && request.tools.length > 0
        ? withPromptTools(inner, request, machine)
        : inner.converse(request, machine, living),
  };
}
