/** How the app server is started. Everything static goes into `-c` overrides: none of the user's files is written. */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Invocation, Refusal } from '../../src/runner/runner.js';
import { accessRefusal, confinement } from './access.js';

/** TOML takes JSON's string escapes. */
const quoted = (text: string) => JSON.stringify(text);

function isolation(request: TurnRequest): string[] {
  const user = request.settings.includes('user');
  const project = request.settings.includes('project') || request.settings.includes('local');
  const set: string[] = [];
  // The plan tool is off by default in 0.171.0; hosts show plans.
  if (!user) set.push('developer_instructions=""', 'notify=[]', 'tools.update_plan.enabled=true');
  if (!project) set.push('project_doc_max_bytes=0', 'project_root_markers=[]');
  if (!user && !project) {
    set.push('features.hooks=false', 'features.plugins=false', 'features.apps=false', 'features.memories=false');
    set.push('skills.include_instructions=false');
  }
  // Left unsaid, a folder that codex may write to is noted as trusted in the user's config.toml.
  set.push(`projects={${quoted(request.cwd)}={trust_level="${project ? 'trusted' : 'untrusted'}"}}`);
  return set;
}

function behaviour(request: TurnRequest, machine: Machine): string[] {
  const set = [
    'analytics.enabled=false',
    'check_for_update_on_startup=false',
    // Snapshots write the environment, keys included, to files in the user's home.
    'features.shell_snapshot=false',
    'features.shell_snapshot_v2=false',
    // Offline it would wait "for network" with no end.
    'features.unbounded_connection_retries=false',
    // A goal continues with its own turns after ours.
    'features.goals=false',
    // Nobody is there to answer.
    'tools.experimental_request_user_input.enabled=false',
    `shell_environment_policy.set.TURNOUT_TURN=${quoted(machine.ids.turn)}`,
  ];
  if (request.access === 'scoped') set.push('web_search="disabled"');
  if (confinement(request) !== 'full') {
    set.push('features.browser_use=false', 'features.computer_use=false', 'features.image_generation=false');
  }
  return set;
}

/** @returns the app server's invocation, or why the request can't be run */
export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  const refused = accessRefusal(request, machine);
  if (refused) return refused;
  const sse = request.mcpServers.find((server) => server.type === 'sse');
  if (sse) {
    return {
      refuse: 'unsupported',
      message: `codex has no SSE transport for MCP servers (${sse.name}); use http or stdio`,
    };
  }
  const overrides = [...behaviour(request, machine), ...isolation(request)].flatMap((one) => ['-c', one]);
  const { path, args } = machine.program;
  return {
    argv: [path, ...args, 'app-server', ...overrides],
    env: { NO_COLOR: '1' },
    stdin: 'hold',
    stdout: 'pipe',
  };
}
