/** How Copilot is started: the prompt goes in by stdin, without `-p`, which would put it into the process list. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation } from '../../src/runner/runner.js';

/** Our MCP server's name: its tools are called `caller-…`. */
export const BRIDGE = 'caller';

/** Key of the file that Copilot writes its token counts to when it ends. */
export const USAGE = 'usage';

/** Key of the session's log, which has the count of each call. */
export const LOG = 'log';

/** Where Copilot keeps the session; unknown where the environment moves it. */
function sessionLog(request: TurnRequest, machine: Machine): string | null {
  const id = request.resume ?? machine.ids.session;
  if (machine.envNames.has('COPILOT_HOME') || !/^[\w-]+$/.test(id)) return null;
  return `${machine.home}/.copilot/session-state/${id}/events.jsonl`;
}

type Confinement = 'default' | 'read' | 'full';

function confinement({ access, sandbox }: TurnRequest): Confinement {
  if (sandbox === 'read-only' || access === 'read') return 'read';
  return access === 'full' && sandbox !== 'restricted' ? 'full' : 'default';
}

/** Deny rules beat everything, saved approvals of the user too. */
function permissionArgs(request: TurnRequest, servers: readonly string[]): string[] {
  const allowed = servers.map((name) => `--allow-tool=${name}`);
  switch (confinement(request)) {
    case 'full':
      return ['--allow-all'];
    case 'default':
      return ['--disallow-temp-dir', ...allowed];
    case 'read': {
      const offered = ['view', 'grep', 'glob', 'web_fetch', ...servers].join(',');
      return [
        `--available-tools=${offered}`,
        '--deny-tool=shell',
        '--deny-tool=write',
        '--allow-all-urls',
        '--disallow-temp-dir',
        ...allowed,
      ];
    }
  }
}

function mcpServers(request: TurnRequest, machine: Machine): JsonObject {
  const servers: JsonObject = {};
  for (const server of request.mcpServers) {
    servers[server.name] =
      server.type === 'stdio'
        ? {
            type: 'local',
            command: server.command,
            args: server.args,
            env: { ...server.env, TURNOUT_TURN: machine.ids.turn },
            tools: ['*'],
          }
        : { type: server.type, url: server.url, headers: server.headers, tools: ['*'] };
  }
  if (machine.mcpBridge !== null) {
    const { command, args, env } = machine.mcpBridge;
    servers[BRIDGE] = {
      type: 'local',
      command,
      args: [...args],
      env: { ...env, TURNOUT_TURN: machine.ids.turn },
      tools: ['*'],
      // Milliseconds; ours ends a call first.
      timeout: request.toolTimeoutMs === 0 ? 86_400_000 : request.toolTimeoutMs + 30_000,
    };
  }
  return servers;
}

/** @returns the invocation of prompt mode */
export function invoke(request: TurnRequest, machine: Machine): Invocation {
  const { path, args } = machine.program;
  const servers = mcpServers(request, machine);
  const names = Object.keys(servers);
  const log = sessionLog(request, machine);
  const files: Record<string, { name: string; text: string }> = { [USAGE]: { name: 'usage.json', text: '' } };
  const mcp: Arg[] = [];
  if (names.length > 0) {
    files['mcp'] = { name: 'mcp.json', text: JSON.stringify({ mcpServers: servers }) };
    mcp.push('--additional-mcp-config', { file: 'mcp', before: '@' });
  }
  const settings = request.settings.length > 0 ? [] : ['--no-custom-instructions', '--disable-builtin-mcps'];
  const trusts = request.settings.some((source) => source !== 'user');
  return {
    argv: [
      path,
      ...args,
      '--output-format',
      'json',
      '--no-color',
      '--no-ask-user',
      '--no-auto-update',
      '-C',
      request.cwd,
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.effort === null ? [] : ['--reasoning-effort', request.effort === 'off' ? 'none' : request.effort]),
      request.resume === null ? `--session-id=${machine.ids.session}` : `--resume=${request.resume}`,
      ...permissionArgs(request, names),
      ...settings,
      ...(trusts ? ['--trust-folder'] : []),
      ...(request.images ?? []).flatMap(({ path: file }) => (file === null ? [] : ['--attachment', file])),
      '--usage-output-file',
      { file: USAGE },
      ...mcp,
    ],
    // A truthy value in the user's environment would approve everything.
    env: { COPILOT_AUTO_UPDATE: 'false', COPILOT_ALLOW_ALL: null, COPILOT_ASSISTED_APPROVAL: null },
    stdin: 'end',
    stdout: 'pipe',
    files,
    collect: { [USAGE]: { file: USAGE }, ...(log === null ? {} : { [LOG]: log }) },
  };
}
