/**
 * xAI's own Grok program, from its documentation; never run here. Its binary is called `grok`, as is that of the npm
 * package @vibe-kit/grok-cli, which is the runtime `grok-cli`.
 */

import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Invocation, Refusal } from '../src/runner/runner.js';
import { tooLongForArgv, withSystem } from './dialects/argv-prompt.js';
import { plainAgent } from './dialects/plain-agent.js';

const OTHER = '@vibe-kit/grok-cli';

function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  const { program } = machine;
  if (program.variant === OTHER) {
    return {
      refuse: 'unsupported',
      message: `${program.found} is the npm package ${OTHER}, not xAI's program; use --runtime grok-cli`,
    };
  }
  const prompt = withSystem(request.resume === null ? request.system : null, request.prompt);
  const long = tooLongForArgv('grok', prompt);
  if (long !== null) return long;
  return {
    argv: [
      program.path,
      ...program.args,
      ...['--output-format', 'plain', '--cwd', request.cwd],
      // A folder-wide sandbox is documented; that it holds has not been shown.
      ...(request.access === 'full' ? ['--always-approve'] : ['--sandbox', 'read-only']),
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.effort === null || request.effort === 'off' ? [] : ['--reasoning-effort', request.effort]),
      ...(request.maxTurns === null ? [] : ['--max-turns', String(request.maxTurns)]),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
      ...['-p', prompt],
    ],
    env: {},
    stdin: 'null',
    stdout: 'file',
  };
}

export default plainAgent({
  id: 'grok',
  title: 'Grok (xAI)',
  bins: ['grok'],
  packages: [],
  install: { kind: 'manual' },
  installHint: 'see https://docs.x.ai/build/cli',
  loginHint: 'grok login',
  effort: true,
  maxTurns: true,
  resume: true,
  promptInArgv: true,
  keys: ['XAI_API_KEY', 'GROK_API_KEY'],
  invoke,
});
