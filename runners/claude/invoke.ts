/** How Claude Code is started for one turn. Flags as in 2.1.332 and 2.1.197, where no version is named. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { McpServer, TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation } from '../../src/runner/runner.js';
import { plainServer } from '../dialects/claude-stream/index.js';
import { isAtLeast } from '../dialects/version.js';
import { accessFlags } from './access.js';

/** Name of our MCP server inside the pipe. */
export const SERVER = 'turnout';
/** Without definitions there is no server behind the pipe that would answer. */
export function hasTools(request: TurnRequest): boolean {
  return request.toolsOn && request.tools.length > 0;
}

/** Rounds the program runs when no limit is set. */
const DEFAULT_TURNS = 25;

function serverConfig(server: McpServer, turn: string): JsonObject {
  if (server.type === 'stdio') {
    const { command, args, env } = server;
    return { type: 'stdio', command, args, env: { ...env, TURNOUT_TURN: turn } };
  }
  return { type: server.type, url: server.url, headers: server.headers };
}

function mcpConfig(servers: readonly McpServer[], turn: string): string {
  return JSON.stringify({ mcpServers: Object.fromEntries(servers.map((one) => [one.name, serverConfig(one, turn)])) });
}

function sessionFlags(request: TurnRequest, machine: Machine): string[] {
  if (request.resume === null) return ['--session-id', machine.ids.session];
  // Otherwise a continued session keeps the system prompt it began with. In 2.1.197 it doesn't, and the flag is unknown.
  const fresh = request.system !== null && isAtLeast(machine.program.version, [2, 1, 267]);
  return ['--resume', request.resume, ...(fresh ? ['--system-prompt-snapshot', 'off'] : [])];
}

function allowedServers(request: TurnRequest): string[] {
  const names = [...(hasTools(request) ? [SERVER] : []), ...request.mcpServers.map(({ name }) => name)];
  return names.length === 0 ? [] : ['--allowedTools', names.map((name) => `mcp__${plainServer(name)}`).join(',')];
}

function argv(request: TurnRequest, machine: Machine): Arg[] {
  const { program } = machine;
  const optional = (flag: string, value: string | null): string[] => (value === null ? [] : [flag, value]);
  return [
    program.path,
    ...program.args,
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    ...['--replay-user-messages', '--permission-prompt-tool', 'stdio'],
    ...(isAtLeast(program.version, [2, 1, 219]) ? ['--forward-subagent-text'] : []),
    ...['--setting-sources', request.settings.join(',')],
    ...(request.settings.length === 0 ? ['--strict-mcp-config'] : []),
    ...(request.mcpServers.length === 0 ? [] : ['--mcp-config', { file: 'mcp' }]),
    ...sessionFlags(request, machine),
    ...optional('--model', request.model),
    ...optional('--effort', request.effort === 'off' ? null : request.effort),
    // It counts model messages, we count those that ask for tools: the one after the last of them is the answer.
    ...['--max-turns', String((request.maxTurns ?? DEFAULT_TURNS) + 1)],
    ...optional('--max-budget-usd', request.budgetUsd === null ? null : String(request.budgetUsd)),
    ...allowedServers(request),
    ...accessFlags(request, machine.uid0),
  ];
}

function env(request: TurnRequest): Record<string, string> {
  const servers: Record<string, string> = {
    // Otherwise their tools may be hidden behind a search.
    ENABLE_TOOL_SEARCH: 'false',
    // A day in ms: our own limit ends a call first and says why.
    MCP_TOOL_TIMEOUT: '86400000',
  };
  return {
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Ten by default, 401 included: three minutes.
    CLAUDE_CODE_MAX_RETRIES: '3',
    // Agents and commands in the background would end with the turn, unheard.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // Its notes about the project are user configuration that `--setting-sources` does not cover.
    ...(request.settings.includes('user') ? {} : { CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' }),
    ...(request.effort === 'off' ? { CLAUDE_CODE_DISABLE_THINKING: '1' } : {}),
    ...(hasTools(request) || request.mcpServers.length > 0 ? servers : {}),
  };
}

/** The prompt, the system prompt and the schema go through the pipe, so no length limit of an argument matters. */
export function invoke(request: TurnRequest, machine: Machine): Invocation {
  return {
    argv: argv(request, machine),
    env: env(request),
    stdin: 'hold',
    stdout: 'pipe',
    ...(request.mcpServers.length === 0
      ? {}
      : { files: { mcp: { name: 'mcp.json', text: mcpConfig(request.mcpServers, machine.ids.turn) } } }),
  };
}
