/** Hermes Agent over ACP (0.19.0). The adapter is an extra of its package: without it the program says how to get it. */

import { str } from '../../src/text/json.js';
import { acpAgent } from '../dialects/acp/agent.js';
import { usageWithCached } from '../dialects/acp/tokens.js';
import { log, NOT_MODEL } from './log.js';

/** "No LLM provider configured. Run `hermes model` to select a provider, …" */
const NO_PROVIDER = /^No LLM provider configured\b/;

const LOGIN = 'hermes acp --setup';

export default acpAgent({
  id: 'hermes',
  title: 'Hermes Agent',
  bins: ['hermes'],
  packages: ['hermes-agent'],
  startupMs: 60_000,
  install: { kind: 'script', url: 'https://hermes-agent.nousresearch.com/install.sh', shell: 'bash' },
  installHint: 'curl -fsSL https://hermes-agent.nousresearch.com/install.sh | bash',
  loginHint: LOGIN,
  configFiles: ['~/.hermes/config.yaml', '~/.hermes/.env'],
  // `2026-11-30 13:07:03 [INFO] acp_adapter.server: …`
  chatter: /^\d{4}-\d{2}-\d{2} [\d:]+ \[(?:INFO|DEBUG|WARNING)\] /,
  testedVersions: ['0.19.0'],
  version: { args: ['--version'], pattern: /^Hermes Agent v(\d+\.\d+\.\d+\S*)/ },
  access: {
    // It asks for commands it holds dangerous and for edits, not for everything that changes something.
    scoped: {
      native_sandbox: 'restricted',
      approvals: 'on',
      asks: true,
      gaps: ['read_outside', 'write', 'shell', 'network'],
    },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  confine: {
    state: [
      {
        // It keeps its sessions in one database in this folder, with two more files beside it.
        at: '~/.hermes',
        variable: 'HERMES_HOME',
        kept: true,
        config: ['config.yaml', '.env', 'SOUL.md', 'hooks', 'plugins', 'cron', 'memories'],
        logins: ['auth.json'],
      },
    ],
  },
  settingsLoaded: ['user config.yaml', 'user memories and skills', 'project AGENTS.md and .cursorrules'],
  args: () => ['acp'],
  quirks: {
    title: 'Hermes Agent',
    mcpNames: ['mcp__{server}__{tool}'],
    nameInTitle: /^([\w.-]+)(?:: |$)/,
    shownCommand: /^\$ ([\s\S]*)$/,
    shownExit: /^- \*\*exit_code:\*\* (\d+)$/gm,
    blankIsGone: true,
    commandMarks: '/',
    model: 'session',
    mode: { ids: { scoped: 'default', full: 'dont_ask' }, required: false },
    tokens: usageWithCached,
    notModel: NOT_MODEL,
    log,
    classify: (error) => (NO_PROVIDER.test(str(error.data, 'details') ?? '') ? { code: 'auth' } : undefined),
  },
});
