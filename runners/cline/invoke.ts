/** How Cline is started for one turn (3.0.65). */

import type { Effort, JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { McpServer, TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation, Refusal } from '../../src/runner/runner.js';
import { notACommand, tooLongForArgv, withSystem } from '../dialects/argv-prompt.js';
import { disabledTools, onlyReads } from './tools.js';

/** Name of our MCP server; its tools are `turnout__<name>`. */
export const SERVER = 'turnout';

const DAY_S = 86_400;

const ACCESS_MODES: Readonly<Record<Effort, string>> = {
  off: 'none',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'xhigh',
};

function serverConfig(server: McpServer): JsonObject {
  if (server.type === 'stdio') return { command: server.command, args: server.args, env: server.env };
  return { type: server.type === 'http' ? 'streamableHttp' : 'sse', url: server.url, headers: server.headers };
}

/** With a mode above reading its tools run unasked, and so do those of MCP servers at every mode. */
function mcpSettings(request: TurnRequest, machine: Machine): string {
  const { mcpBridge } = machine;
  const own: JsonObject = {};
  if (mcpBridge !== null) {
    // Ours ends a call first and says why. Its own limit is a minute.
    const timeout = request.toolTimeoutMs === 0 ? DAY_S : Math.ceil(request.toolTimeoutMs / 1000) + 30;
    own[SERVER] = { command: mcpBridge.command, args: [...mcpBridge.args], env: { ...mcpBridge.env }, timeout };
  }
  const theirs = Object.fromEntries(request.mcpServers.map((server) => [server.name, serverConfig(server)]));
  return JSON.stringify({ mcpServers: { ...theirs, ...own } });
}

/** Its settings, rules and hooks are in one folder with its login, and the login stays where it is. */
function leavesOutUser(request: TurnRequest, machine: Machine): boolean {
  return !request.settings.includes('user') && !machine.envNames.has('CLINE_DIR');
}

/** Whether its own list of MCP servers is replaced. */
export function replacesServers(request: TurnRequest, machine: Machine): boolean {
  return !request.settings.includes('user') || machine.mcpBridge !== null || request.mcpServers.length > 0;
}

export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  const prompt = notACommand(withSystem(request.system, request.prompt));
  const long = tooLongForArgv('cline', prompt);
  if (long !== null) return long;
  const { program } = machine;
  const files: Record<string, { name: string; text: string }> = {};
  const env: Record<string, Arg> = {
    // Otherwise it leaves a daemon behind, and the next turn is run by that: with its environment, and out of our reach.
    CLINE_SESSION_BACKEND_MODE: 'local',
    CLINE_NO_AUTO_UPDATE: '1',
    CLINE_TELEMETRY_DISABLED: '1',
  };
  if (replacesServers(request, machine)) {
    files['mcp'] = { name: 'mcp.json', text: mcpSettings(request, machine) };
    env['CLINE_MCP_SETTINGS_PATH'] = { file: 'mcp' };
  }
  if (onlyReads(request) || !request.settings.includes('user')) {
    const settings = { autoUpdateEnabled: false, telemetryOptOut: true, disabledTools: disabledTools(request) };
    const text = JSON.stringify({
      ...settings,
      ...(onlyReads(request) ? { tools: { web_search: { enabled: false } } } : {}),
    });
    files['settings'] = { name: 'settings.json', text };
    env['CLINE_GLOBAL_SETTINGS_PATH'] = { file: 'settings' };
  }
  const alone = leavesOutUser(request, machine);
  if (alone && !machine.envNames.has('CLINE_DATA_DIR')) {
    env['CLINE_DATA_DIR'] = [machine.home, '.cline', 'data'].join(machine.platform === 'win32' ? '\\' : '/');
  }
  return {
    argv: [
      program.path,
      ...program.args,
      '--json',
      // Said, or the user's own setting decides. What is not offered needs no approval.
      ...['--auto-approve', 'true'],
      ...['--cwd', request.cwd],
      // A folder that does not exist yet, inside our private one.
      ...(alone ? ['--config', { file: 'settings', after: '.d' }] : []),
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.effort === null ? [] : ['--thinking', ACCESS_MODES[request.effort]]),
      '--',
      prompt,
    ],
    env,
    stdin: 'null',
    stdout: 'pipe',
    files,
  };
}
