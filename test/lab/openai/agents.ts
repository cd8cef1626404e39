/** Agent programs as clients: each asks us for a model, and runs itself what that model calls for. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgramLater } from '../../run-program.js';
import { installedBin } from '../install.js';
import { KEY, type Lab } from './server.js';

export interface AgentCheck {
  /** Its id in the table of programs. */
  program: string;
  name: string;
  argv(prompt: string, model: string): string[];
  env(lab: Lab): Record<string, string>;
  files?(lab: Lab): Record<string, string>;
  /** What its model is to do, so that a file with these words is there. */
  prompt: string;
  /** Also asked for by the file's name. */
  file: string;
  /** The file before the turn. */
  before?: string;
  words: string;
}

const claudeCode = {
  program: 'claude',
  argv: (prompt: string, model: string) => [
    ...['-p', prompt, '--model', model, '--output-format', 'json'],
    ...['--allowedTools', 'Bash,Write,Edit,Read'],
  ],
  env: ({ url }: Lab) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: 'demo',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
};

const codex = {
  program: 'codex',
  argv: (prompt: string, model: string) => [
    ...['exec', '-m', model, '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt],
  ],
  env: () => ({ LAB_KEY: KEY }),
  files: ({ url }: Lab) => ({
    '.codex/config.toml': [
      'model_provider = "turnout"',
      '[model_providers.turnout]',
      'name = "turnout"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "LAB_KEY"',
      '',
    ].join('\n'),
  }),
};

export const AGENTS: readonly AgentCheck[] = [
  {
    ...claudeCode,
    name: 'Claude Code runs a command',
    prompt: 'SCENARIO:tool Bash {"command":"echo by claude code > shell.txt","description":"x"}',
    file: 'shell.txt',
    words: 'by claude code',
  },
  {
    ...claudeCode,
    name: 'Claude Code writes a file',
    prompt: 'SCENARIO:tool Write {"file_path":"DIR/edit.txt","content":"edited by claude code"}',
    file: 'edit.txt',
    words: 'edited by claude code',
  },
  {
    ...codex,
    name: 'Codex runs a command',
    prompt: 'SCENARIO:tool exec_command {"cmd":"echo by codex > codex.txt"}',
    file: 'codex.txt',
    words: 'by codex',
  },
  {
    ...codex,
    name: 'Codex changes a file',
    before: 'one\n',
    prompt: 'SCENARIO:tool exec_command {"cmd":"sed -i s/one/two/ changed.txt"}',
    file: 'changed.txt',
    words: 'two',
  },
  {
    program: 'aider',
    name: 'aider talks to a model of ours',
    argv: (prompt, model) => [
      ...['--model', `openai/${model}`, '--no-git', '--yes-always', '--no-check-update', '--no-analytics'],
      ...['--no-show-model-warnings', '--message', prompt, '--llm-history-file', 'history.txt'],
    ],
    env: ({ url }) => ({ OPENAI_API_BASE: `${url}/v1`, OPENAI_API_KEY: KEY }),
    prompt: 'SCENARIO:text',
    file: 'history.txt',
    words: 'scripted',
  },
];

/** @returns null where it did what it was to do */
export async function runAgent(check: AgentCheck, lab: Lab, model: string): Promise<string | null> {
  const bin = installedBin(check.program);
  if (bin === undefined) return `not installed; run: npm run lab -- install ${check.program}`;
  const home = lab.env['HOME'] ?? lab.folder;
  const cwd = join(lab.folder, check.program);
  mkdirSync(cwd, { recursive: true });
  for (const [name, content] of Object.entries(check.files?.(lab) ?? {})) {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), content);
  }
  if (check.before !== undefined) writeFileSync(join(cwd, check.file), check.before);
  const said = await runProgramLater(bin, check.argv(check.prompt.replace('DIR', cwd), model), {
    cwd,
    env: { ...lab.env, ...check.env(lab) },
    timeout: 180_000,
  });
  const file = join(cwd, check.file);
  const found = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (found.includes(check.words)) return null;
  return `exit ${said.status}\n${said.stdout.slice(-1200)}\n${said.stderr.slice(-1200)}`;
}
