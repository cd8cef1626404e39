/** How Letta Code is started for one turn (0.32.18). The prompt goes to its stdin. */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Invocation, Refusal } from '../../src/runner/runner.js';

const READING = ['Read', 'Glob', 'Grep', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'TodoWrite'];

/**
 * `--tools` names all that is offered, whatever set of tools goes with the model. At `standard` its shell runs what it
 * knows to only read, unasked; what would be asked is denied, and the turn goes on.
 */
function accessFlags(request: TurnRequest): string[] {
  if (request.sandbox === 'read-only') return ['--permission-mode', 'standard', '--tools', READING.join(',')];
  if (request.access === 'full') return ['--permission-mode', 'unrestricted'];
  return ['--permission-mode', 'standard', '--tools', ['Bash', ...READING].join(',')];
}

export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'letta takes MCP servers for an agent, not for one turn' };
  }
  const { program } = machine;
  return {
    argv: [
      program.path,
      ...program.args,
      ...['--output-format', 'stream-json'],
      // Kept by the agent: without it, a turn runs on the model of the turn before.
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : ['--conversation', request.resume]),
      ...(request.settings.length === 0 ? ['--no-mods', '--no-skills'] : []),
      ...accessFlags(request),
      '-p',
    ],
    env: { LETTA_CODE_TELEM: '0', DO_NOT_TRACK: '1' },
    stdin: 'end',
    stdout: 'pipe',
  };
}
