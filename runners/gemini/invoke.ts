/** How Gemini CLI is started for one turn. Flags and variables as in 0.61.0; nothing is written below ~/.gemini. */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation, Refusal } from '../../src/runner/runner.js';
import { serverNames } from '../dialects/acp/index.js';
import { policy } from './policy.js';
import { heardLines } from './servers.js';

/** Where it appends all that it logs, for whoever wants it; a file that the user has named stays theirs. */
const LOG = 'GEMINI_DEBUG_LOG_FILE';

/**
 * A trusted folder brings the project's settings, hooks and GEMINI.md along. It is asked for only where something needs it:
 * MCP servers are not connected in any other, and `yolo` becomes `default` there.
 */
function needsTrust(request: TurnRequest, machine: Machine): boolean {
  return request.access === 'full' || request.settings.includes('project') || serverNames(request, machine).length > 0;
}

function accessFlags(request: TurnRequest): Arg[] {
  if (request.access === 'full') return ['--approval-mode', 'yolo'];
  // Twice: the admin tier beats what the user has allowed for good, and is ignored where an administrator has rules of
  // their own; the user tier is what is left then.
  return ['--approval-mode', 'default', '--admin-policy', { file: 'policy' }, '--policy', { file: 'policy' }];
}

/** Extensions and MCP servers of the user stay out unless they are wanted. */
function isolation(request: TurnRequest, machine: Machine): string[] {
  if (request.settings.includes('user')) return [];
  const names = serverNames(request, machine);
  const allowed = names.length === 0 ? ['turnout'] : names;
  return ['--extensions=none', ...allowed.map((name) => `--allowed-mcp-server-names=${name}`)];
}

/** Only its log mentions servers, and it does not list those in its settings. */
function untold(request: TurnRequest, logs: boolean): Refusal | null {
  if (request.requireMcp === undefined) return null;
  const message = !logs
    ? `--require-mcp needs the log of Gemini CLI, and ${LOG} sends it elsewhere`
    : '--require-mcp all is unknown to Gemini CLI with the servers of its settings; name those that must be ready';
  return !logs || (request.requireMcp === 'all' && request.settings.length > 0)
    ? { refuse: 'unsupported', message }
    : null;
}

export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  const { program } = machine;
  const trust = needsTrust(request, machine);
  // Over ACP it holds its stderr back until it exits; what it also writes into this file is there at once.
  const logs = !machine.envNames.has(LOG);
  const refusal = untold(request, logs);
  if (refusal !== null) return refusal;
  const text = policy(request, serverNames(request, machine), machine.confined !== undefined);
  return {
    argv: [
      program.path,
      ...program.args,
      '--acp',
      ...(trust ? ['--skip-trust'] : []),
      ...(request.model === null ? [] : ['--model', request.model]),
      ...accessFlags(request),
      ...isolation(request, machine),
    ],
    env: {
      // Its second process would survive what ends the first.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // A login that needs a person is then announced on stdout instead of in a browser.
      NO_BROWSER: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: null,
      ...(logs ? { [LOG]: { file: 'log' } } : {}),
    },
    stdin: 'hold',
    stdout: 'pipe',
    files: {
      ...(logs ? { log: { name: 'log', text: '' } } : {}),
      ...(request.access === 'full' ? {} : { policy: { name: 'turnout.toml', text } }),
    },
    ...(logs ? { log: { file: 'log', lines: heardLines(request.requireMcp !== undefined) } } : {}),
  };
}
