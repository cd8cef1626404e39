/** What OpenCode and its descendants share: ACP, and a config in variables that all begin alike. */

import { OUR_LIMITS } from '../../../src/runner/request.js';
import type { AccessReport, Runner } from '../../../src/runner/runner.js';
import { acp } from '../acp/index.js';
import { invoke, type Prefix, systemInConfig } from './invoke.js';
import { models, sessions } from './listing.js';
import { quirks } from './quirks.js';

const asks = (gaps: AccessReport['gaps']): AccessReport => ({
  native_sandbox: 'restricted',
  approvals: 'on',
  asks: true,
  gaps,
});

/** Everything but names and places. */
type Shared = Omit<
  Runner,
  | 'id'
  | 'title'
  | 'bins'
  | 'packages'
  | 'install'
  | 'installHint'
  | 'loginHint'
  | 'testedVersions'
  | 'nesting'
  | 'version'
>;

/**
 * @param title for messages
 * @param prefix of its variables
 */
export function opencodeFamily(title: string, prefix: Prefix): Shared {
  return {
    transport: 'acp',
    streamsIncrementally: true,
    toolActivity: 'full',
    access: {
      // It draws the line around the repository, and follows links out of it.
      scoped: asks(['read_outside']),
      none: { native_sandbox: 'read-only', approvals: 'off', gaps: [] },
      read: asks([]),
      edit: asks([]),
      full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
    },
    sandbox: {},
    toolTransport: 'mcp',
    tellsServers: true,
    parallelCalls: true,
    toolResultLimit: 50_000,
    resume: true,
    effort: true,
    maxTurns: false,
    reportsCost: true,
    silentRetries: false,
    untoldEnds: ['max_tokens'],
    promptInArgv: false,
    decidesPerCommand: true,
    steer: true,
    // It holds the providers too; its MCP servers start, but their tools are not offered.
    settingsLoaded: ['user'],
    chatter: /^(timestamp=\S+ +level=)?(INFO|DEBUG)\b/,
    keys: 'all',
    images: true,
    models,
    sessions,
    tools: (request) => (request.toolsOn ? 'mcp' : 'none'),
    invoke: (request, machine) => invoke(request, machine, prefix),
    warm: { live: OUR_LIMITS },
    converse: (request, machine, living) =>
      acp(
        request,
        machine,
        { quirks: quirks(title), systemElsewhere: systemInConfig(request, machine, prefix) },
        living,
      ),
  };
}
