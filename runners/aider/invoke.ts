/** How Aider is started for one turn (0.86.2). The prompt is a file. */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation, Refusal } from '../../src/runner/runner.js';
import { withSystem } from '../dialects/argv-prompt.js';

/** A line that begins with a slash or an exclamation mark is a command of Aider's, and some run a shell. */
function promptText(request: TurnRequest): string {
  const prompt = withSystem(request.system, request.prompt);
  return /^[/!]/.test(prompt) ? `\n${prompt}` : prompt;
}

/** Asked for an answer alone, Aider carries out no edit, and offers no command of the model's. */
const ANSWER_ONLY = ['--chat-mode', 'ask', '--dry-run', '--no-suggest-shell-commands', '--map-tokens', '0'];

/** Aider asks, opens, looks up, commits and adds nothing beyond what the model was asked for. */
const QUIET = [
  '--yes-always',
  '--no-pretty',
  '--no-stream',
  '--no-fancy-input',
  '--no-check-update',
  '--no-analytics',
  '--no-show-release-notes',
  '--no-show-model-warnings',
  '--no-detect-urls',
  '--no-auto-commits',
  '--no-dirty-commits',
  '--no-gitignore',
  '--no-auto-lint',
  '--no-auto-test',
  '--disable-playwright',
];

/**
 * It makes a repository of any other folder, and writes a name into the configuration of one whose user has none; that
 * name is only for commits, and it makes none.
 */
function git(machine: Machine): { args: string[]; env: Record<string, string> } {
  if (machine.inRepository === false) return { args: ['--no-git'], env: {} };
  if (machine.envNames.has('GIT_CONFIG_COUNT')) return { args: [], env: {} };
  const pairs = [
    ['user.name', 'Aider'],
    ['user.email', 'aider@localhost'],
  ] as const;
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(pairs.length) };
  pairs.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return { args: [], env };
}

export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'aider knows no MCP servers' };
  }
  const { program } = machine;
  const isolated = request.settings.length === 0;
  const repository = git(machine);
  const own: Arg[] = ['--config', { file: 'config' }, '--load', { file: 'commands' }];
  return {
    argv: [
      program.path,
      ...program.args,
      ...QUIET,
      ...repository.args,
      // The configuration of user and project; commands to begin with.
      ...(isolated ? own : []),
      ...(request.access === 'full' && request.sandbox !== 'restricted' ? [] : ANSWER_ONLY),
      ...(request.model === null ? [] : ['--model', request.model]),
      ...['--llm-history-file', { file: 'log' }],
      ...['--chat-history-file', { file: 'history' }, '--input-history-file', { file: 'input' }],
      // For us alone: it is not sent anywhere.
      ...['--analytics-log', { file: 'events' }],
      ...['--message-file', { file: 'prompt' }],
    ],
    env: { NO_COLOR: '1', ...repository.env },
    stdin: 'null',
    stdout: 'pipe',
    files: {
      prompt: { name: 'prompt.md', text: promptText(request) },
      log: { name: 'model.log', text: '' },
      history: { name: 'history.md', text: '' },
      input: { name: 'input.history', text: '' },
      events: { name: 'events.ndjson', text: '' },
      ...(isolated ? { config: { name: 'aider.yml', text: '{}\n' }, commands: { name: 'commands', text: '' } } : {}),
    },
    collect: { log: { file: 'log' }, history: { file: 'history' }, events: { file: 'events' } },
  };
}
