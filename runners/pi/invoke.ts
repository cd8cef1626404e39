/** How pi is started for one turn. */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation, Refusal } from '../../src/runner/runner.js';
import { extension, needsExtension } from './extension.js';

const READERS = ['read', 'grep', 'find', 'ls'];

/** Tools that are offered. The default ones are all that is needed where everything may be asked for. */
function toolArgs(request: TurnRequest): string[] {
  const callers = request.tools.map((tool) => tool.name);
  const servers = request.mcpServers.length > 0 ? ['mcp__*'] : [];
  if (request.access === 'none') {
    const offered = [...callers, ...servers];
    return offered.length === 0 ? ['--no-tools'] : ['--tools', offered.join(',')];
  }
  if (request.sandbox === 'read-only') return ['--tools', [...READERS, ...callers, ...servers].join(',')];
  if (request.access === 'read') return ['--tools', [...READERS, 'bash', ...callers, ...servers].join(',')];
  return [];
}

function settingsArgs(request: TurnRequest): string[] {
  const project = request.settings.includes('project') || request.settings.includes('local');
  const trust = project ? '--approve' : '--no-approve';
  if (request.settings.length > 0) return [trust];
  return ['--no-extensions', '--no-skills', '--no-prompt-templates', '--no-context-files', trust];
}

/** @returns the invocation of RPC mode, or why the request can't be run */
export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  const { version, path, args } = machine.program;
  if (version?.startsWith('0.')) {
    return {
      refuse: 'unsupported',
      message: `pi ${version} has no end-of-turn mark; pi 1.6.0 or newer is needed`,
      hint: 'npm install -g @earendil-works/pi-coding-agent',
    };
  }
  if (request.access === 'full' && request.sandbox === 'workspace-write') {
    return { refuse: 'unsupported', message: 'pi has no sandbox of its own: use --access edit to keep writes inside' };
  }
  const sse = request.mcpServers.find((server) => server.type === 'sse');
  if (sse) {
    return {
      refuse: 'unsupported',
      message: `pi has no SSE transport for MCP servers (${sse.name}); use http or stdio`,
    };
  }
  const files: Record<string, { name: string; text: string }> = {};
  const own: Arg[] = [];
  if (needsExtension(request)) {
    files['extension'] = { name: 'turnout.js', text: extension(request, machine) };
    own.push('--extension', { file: 'extension' });
  }
  if (request.mcpServers.length > 0 && request.settings.length === 0) own.push('--extension', 'builtin:mcp');
  if (request.system !== null) {
    files['system'] = { name: 'system.md', text: request.system };
    own.push('--append-system-prompt', { file: 'system' });
  }
  return {
    argv: [
      path,
      ...args,
      '--mode',
      'rpc',
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.effort === null ? [] : ['--thinking', request.effort]),
      ...(request.resume === null ? ['--session-id', machine.ids.session] : ['--session', request.resume]),
      ...toolArgs(request),
      ...settingsArgs(request),
      ...own,
    ],
    env: { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
    stdin: 'hold',
    stdout: 'pipe',
    files,
  };
}
