/** OpenCode over ACP: real deltas, our answers to its questions, MCP servers for one session. */

import type { Runner } from '../src/runner/runner.js';
import { opencodeFamily } from './dialects/opencode/index.js';

const runner: Runner = {
  id: 'opencode',
  title: 'OpenCode',
  bins: ['opencode'],
  binVariables: ['OPENCODE_BIN'],
  packages: ['opencode-ai'],
  places: ['~/.opencode/bin/opencode'],
  startupMs: 60_000,
  install: { kind: 'npm', packages: ['opencode-ai'] },
  installHint: 'npm install -g opencode-ai',
  loginHint: 'opencode auth login',
  loginTraces: ['$XDG_DATA_HOME/opencode/auth.json', '~/.local/share/opencode/auth.json'],
  configFiles: ['$XDG_CONFIG_HOME/opencode/opencode.json', '~/.config/opencode/opencode.json'],
  testedVersions: ['1.18.33'],
  nesting: ['AGENT', 'OPENCODE', 'OPENCODE_PID', 'OPENCODE_TERMINAL'],
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/, env: { OPENCODE_DISABLE_AUTOUPDATE: '1' } },
  // One database holds the sessions of all projects.
  confine: {
    state: [
      {
        at: '~/.local/share/opencode',
        variable: 'XDG_DATA_HOME',
        below: 'opencode',
        kept: true,
        logins: ['auth.json'],
      },
      {
        at: '~/.config/opencode',
        variable: 'XDG_CONFIG_HOME',
        below: 'opencode',
        config: ['opencode.json', 'opencode.jsonc', 'config.json', 'agent', 'command', 'plugin', 'AGENTS.md'],
      },
      { at: '~/.local/state/opencode', variable: 'XDG_STATE_HOME', below: 'opencode' },
      { at: '~/.cache/opencode', variable: 'XDG_CACHE_HOME', below: 'opencode' },
    ],
  },
  ...opencodeFamily('OpenCode', 'OPENCODE'),
};

export default runner;
