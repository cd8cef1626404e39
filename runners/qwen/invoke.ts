/** How Qwen Code is started for one turn. Measured with 0.24.4. */

import { LIMITS } from '../../src/contract/limits.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import { asksBeyond, type TurnRequest, writesUnasked } from '../../src/runner/request.js';
import type { Arg, Invocation, Refusal } from '../../src/runner/runner.js';

/** Name of our MCP server. */
export const SERVER = 'turnout';
/** Rounds the program runs when no limit is set. */
const DEFAULT_TURNS = 25;

const WRITING = ['edit', 'write_file', 'notebook_edit'];
/** Tools that wait for a person, and those that work on after the turn or leave the directory. */
const UNFIT = ['ask_user_question', 'cron_create', 'loop_wakeup', 'monitor', 'enter_worktree', 'exit_worktree'];

/** Without the tools that write, commands that write are refused too, before anyone could be asked about them. */
function mayBeAsked(request: TurnRequest): boolean {
  return request.allowBashPrefix.length > 0 || asksBeyond(request);
}

/** In mode `default` it asks before it writes, reads outside or runs what does more than read; our answers decide. */
function accessFlags(request: TurnRequest, { confined }: Machine): string[] {
  const writes = writesUnasked(request);
  const mayWrite = request.access === 'full' || writes || mayBeAsked(request);
  // Commands that it takes for reading, git among them, run unasked: files that were written could steer them. Inside
  // walls what they would run changes nothing outside.
  const shell = writes && confined === undefined && request.allowBashPrefix.length === 0 ? ['run_shell_command'] : [];
  const without = [...UNFIT, ...shell, ...(mayWrite ? [] : WRITING)];
  return ['--approval-mode', request.access === 'full' ? 'yolo' : 'default', '--exclude-tools', without.join(',')];
}

function mcpConfig(request: TurnRequest, machine: Machine): JsonObject {
  // A tool of a trusted server runs unasked; one that is not always loaded hides behind a search.
  const shared = { trust: true, alwaysLoadTools: true };
  const marker = { TURNOUT_TURN: machine.ids.turn };
  const servers: JsonObject = {};
  for (const server of request.mcpServers) {
    const { name } = server;
    if (server.type === 'stdio') {
      servers[name] = { command: server.command, args: server.args, env: { ...server.env, ...marker }, ...shared };
    } else {
      const key = server.type === 'http' ? 'httpUrl' : 'url';
      servers[name] = { [key]: server.url, headers: server.headers, ...shared };
    }
  }
  if (machine.mcpBridge !== null) {
    const { command, args, env } = machine.mcpBridge;
    // A day in ms: our own limit ends a call first and says why.
    servers[SERVER] = { command, args: [...args], env: { ...env, ...marker }, timeout: 86_400_000, ...shared };
  }
  return servers;
}

/** UTF-8 takes at most three bytes for each unit of a string. */
function fitsArgument(text: string): boolean {
  return text.length * 3 <= LIMITS.argvString;
}

/** A system prompt too long for an argument stands in front of the prompt instead. */
export function promptOf({ prompt, system }: TurnRequest): string {
  return system === null || fitsArgument(system) ? prompt : `${system}\n\n${prompt}`;
}

/**
 * Its `--json-schema` can't be had together with this protocol.
 * @returns a refusal where the user's own rules could let something pass that the mode forbids
 */
export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  const { access, settings, resume, system, model } = request;
  if (settings.length > 0 && (access === 'read' || access === 'edit')) {
    const message = `Qwen Code can't guarantee --access ${access} together with --settings: the user's own rules would apply.`;
    return { refuse: 'unsupported', message };
  }
  const { path, args } = machine.program;
  const servers = mcpConfig(request, machine);
  const hasServers = Object.keys(servers).length > 0;
  const argv: Arg[] = [
    path,
    ...args,
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--include-partial-messages'],
    // Leaves out all of the user's settings but the login and the choice of a model; `--bare` loses the login.
    ...(settings.length === 0 ? ['--safe-mode'] : []),
    ...(resume === null ? ['--session-id', machine.ids.session] : ['--resume', resume]),
    ...(model === null ? [] : ['--model', model]),
    ...(system !== null && fitsArgument(system) ? [`--append-system-prompt=${system}`] : []),
    // It counts model messages, we count those that ask for tools: the one after the last of them is the answer.
    ...['--max-session-turns', String((request.maxTurns ?? DEFAULT_TURNS) + 1)],
    ...(hasServers ? ['--mcp-config', { file: 'mcp' }] : []),
    ...accessFlags(request, machine),
  ];
  return {
    argv,
    // It would start itself again with another heap limit: one process less to end.
    env: { QWEN_CODE_SUPPRESS_YOLO_WARNING: '1', QWEN_CODE_NO_RELAUNCH: 'true' },
    stdin: 'hold',
    stdout: 'pipe',
    ...(hasServers ? { files: { mcp: { name: 'mcp.json', text: JSON.stringify({ mcpServers: servers }) } } } : {}),
  };
}
