/** How gptme is started for one turn (0.35.1). */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Invocation, Refusal } from '../../src/runner/runner.js';
import { tooLongForArgv, withSystem } from '../dialects/argv-prompt.js';

/** It is the name of a folder of gptme's. */
export function conversationName(request: TurnRequest, machine: Machine): string {
  return request.resume ?? `turnout-${machine.ids.session}`;
}

/** What begins with a slash is a command of gptme's own, and what is one word may be one of its programs. */
function promptText(request: TurnRequest): string {
  const prompt = request.resume === null ? withSystem(request.system, request.prompt) : request.prompt;
  return /^\s*[/-]/.test(prompt) || !/\s/.test(prompt.trim()) ? `Message:\n${prompt}` : prompt;
}

export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'gptme takes MCP servers from its configuration alone' };
  }
  const prompt = promptText(request);
  const long = tooLongForArgv('gptme', prompt);
  if (long !== null) return long;
  const onlyReads = request.access !== 'full' || request.sandbox === 'read-only';
  return {
    argv: [
      machine.program.path,
      ...machine.program.args,
      ...['--non-interactive', '--output-format', 'json', '--tool-format', 'tool'],
      ...['--workspace', request.cwd, '--name', conversationName(request, machine)],
      ...(request.resume === null ? [] : ['--resume']),
      ...(request.model === null ? [] : ['--model', request.model]),
      // With the project's files come the commands its configuration runs for context.
      ...(request.settings.includes('project') ? [] : ['--no-workspace']),
      // Its preset offers `read` alone. With any other list comes `complete`, and two more model calls that ask for it.
      ...(onlyReads ? ['--tools', 'read-only'] : []),
      prompt,
    ],
    env: {
      // Otherwise files and addresses that a prompt mentions are read and sent along.
      GPTME_DISABLE_PATH_INCLUDE: '1',
      GPTME_LLM_MAX_RETRIES: '3',
      // Its log is laid out for a screen.
      COLUMNS: '1000',
      NO_COLOR: '1',
    },
    stdin: 'null',
    stdout: 'pipe',
  };
}
