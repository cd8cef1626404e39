/** Crush (its source of August 2026 was read, nothing was run). `run` prints the answer as it grows and approves all. */

import { tooLongForArgv, withSystem } from './dialects/argv-prompt.js';
import { plainAgent } from './dialects/plain-agent.js';

export default plainAgent({
  id: 'crush',
  title: 'Crush',
  bins: ['crush'],
  packages: ['@charmland/crush'],
  install: { kind: 'npm', packages: ['@charmland/crush'] },
  installHint: 'npm install -g @charmland/crush',
  loginHint: 'crush login',
  streamsIncrementally: true,
  resume: true,
  // It reads stdin only from a FIFO or a file, and our pipe is a socket.
  promptInArgv: true,
  nesting: ['CRUSH'],
  program: { grows: true },
  invoke(request, machine) {
    const prompt = request.resume === null ? withSystem(request.system, request.prompt) : request.prompt;
    const long = tooLongForArgv('crush', prompt);
    if (long !== null) return long;
    return {
      argv: [
        machine.program.path,
        ...machine.program.args,
        ...['run', '--quiet', '--cwd', request.cwd],
        ...(request.model === null ? [] : ['--model', request.model]),
        ...(request.resume === null ? [] : ['--session', request.resume]),
        '--',
        prompt,
      ],
      env: { CRUSH_DISABLE_METRICS: '1', DO_NOT_TRACK: '1', CRUSH_DISABLE_PROVIDER_AUTO_UPDATE: '1' },
      stdin: 'null',
      stdout: 'pipe',
    };
  },
});
