/** Google Antigravity's program `agy`, from its documentation; never run here, so it is asked for plain text. */

import { tooLongForArgv, withSystem } from './dialects/argv-prompt.js';
import { plainAgent } from './dialects/plain-agent.js';

export default plainAgent({
  id: 'antigravity',
  title: 'Antigravity',
  bins: ['agy'],
  packages: [],
  install: { kind: 'script', url: 'https://antigravity.google/cli/install.sh', shell: 'bash' },
  installHint: 'curl -fsSL https://antigravity.google/cli/install.sh | bash',
  loginHint: 'agy',
  effort: true,
  resume: true,
  promptInArgv: true,
  invoke(request, machine) {
    const prompt = request.resume === null ? withSystem(request.system, request.prompt) : request.prompt;
    const long = tooLongForArgv('antigravity', prompt);
    if (long !== null) return long;
    return {
      argv: [
        machine.program.path,
        ...machine.program.args,
        ...(request.model === null ? [] : ['--model', request.model]),
        ...(request.effort === null || request.effort === 'off' ? [] : ['--effort', request.effort]),
        ...(request.access === 'full' ? ['--dangerously-skip-permissions'] : []),
        ...(request.resume === null ? [] : ['--conversation', request.resume]),
        ...['-p', prompt],
      ],
      env: {},
      stdin: 'null',
      stdout: 'file',
    };
  },
});
