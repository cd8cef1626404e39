/**
 * Kimi over ACP. Two generations answer to the name: Kimi Code (2.1.0), and the older package kimi-cli (1.51.0), whose
 * last version only says that it is no longer maintained.
 */

import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Refusal, Runner } from '../src/runner/runner.js';
import { type AcpAgent, acpAgent } from './dialects/acp/agent.js';

const OLDER = 'kimi-cli';
const INSTALL = 'npm install -g @moonshot-ai/kimi-code';
/** From this version on kimi-cli does nothing any more. */
const RETIRED = /^1\.(?:5[2-9]|[6-9]\d|\d{3,})\./;

const common: AcpAgent = {
  id: 'kimi',
  aliases: ['kimicode'],
  title: 'Kimi',
  bins: ['kimi'],
  packages: ['@moonshot-ai/kimi-code', OLDER],
  startupMs: 60_000,
  install: { kind: 'npm', packages: ['@moonshot-ai/kimi-code'] },
  installHint: INSTALL,
  loginHint: 'kimi login',
  configFiles: ['~/.kimi-code/config.toml', '~/.kimi/config.toml'],
  testedVersions: ['2.1.0'],
  version: {
    args: ['--version'],
    pattern: /^(?:kimi, version )?(\d+\.\d+\.\d+\S*)/,
    env: { KIMI_CODE_NO_AUTO_UPDATE: '1' },
  },
  effort: true,
  images: true,
  access: {
    // It asks before a command or a write, also for `git log`; it reads and fetches unasked.
    scoped: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: ['read_outside', 'network'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  confine: {
    state: [
      {
        at: '~/.kimi-code',
        variable: 'KIMI_CODE_HOME',
        sessions: ['sessions'],
        config: ['config.toml', 'AGENTS.md', 'mcp.json', 'skills', 'agents'],
        copies: ['session_index.jsonl'],
        logins: ['credentials/kimi-code.json'],
      },
      {
        // The older program (kimi-cli): it replaces the list of its sessions in this folder.
        at: '~/.kimi',
        variable: 'KIMI_SHARE_DIR',
        kept: true,
        config: ['config.toml', 'config.json', 'mcp.json', 'skills'],
        logins: ['credentials/kimi-code.json'],
      },
    ],
  },
  settingsLoaded: ['user config.toml, MCP servers and skills', 'project AGENTS.md, MCP servers and skills'],
  args: () => ['acp'],
  // Its first try and three more, without output.
  env: () => ({ KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_LOOP_MAX_ATTEMPTS_PER_STEP: '4' }),
  quirks: {
    title: 'Kimi',
    mcpNames: ['mcp__{server}__{tool}'],
    inputInContent: true,
    shownExit: /^Command failed with exit code: (\d+)\.$/gm,
    commandMarks: '/',
    model: 'session',
    mode: { ids: { scoped: 'default', full: 'yolo' }, required: false },
    efforts: {},
  },
};

const agent = acpAgent(common);
/** It calls tools of servers by their bare names, which its own tools may have too: the two can't be distinguished. */
const older = acpAgent({ ...common, toolTransport: 'prompt' });
const generation = ({ program }: Machine): Runner => (program.variant === OLDER ? older : agent);

function invoke(request: TurnRequest, machine: Machine): ReturnType<Runner['invoke']> {
  const { variant, version } = machine.program;
  if (variant === OLDER && RETIRED.test(version ?? '')) return retired(version ?? '');
  if (variant === OLDER && request.mcpServers.length > 0 && request.access !== 'full') {
    const message = 'kimi-cli calls the tools of MCP servers by bare names, so they need --access full, or Kimi Code';
    return { refuse: 'unsupported', message, hint: INSTALL };
  }
  return generation(machine).invoke(request, machine);
}

function retired(version: string): Refusal {
  return {
    refuse: 'unsupported',
    message: `kimi-cli ${version} only says that it is no longer maintained. Install Kimi Code: ${INSTALL}`,
    hint: INSTALL,
  };
}

const runner: Runner = {
  ...agent,
  tools: (request, machine) => generation(machine).tools(request, machine),
  invoke,
  converse: (request, machine) => generation(machine).converse(request, machine),
};

export default runner;
