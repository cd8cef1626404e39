/** Kilo Code's CLI over ACP: an OpenCode derivative with its own variables. */

import type { Runner } from '../src/runner/runner.js';
import { opencodeFamily } from './dialects/opencode/index.js';

const runner: Runner = {
  id: 'kilo',
  title: 'Kilo Code',
  bins: ['kilo', 'kilocode'],
  packages: ['@kilocode/cli'],
  startupMs: 60_000,
  install: { kind: 'npm', packages: ['@kilocode/cli'] },
  installHint: 'npm install -g @kilocode/cli',
  loginHint: 'kilo auth login',
  testedVersions: ['7.7.7'],
  nesting: ['AGENT', 'KILO', 'KILO_PID', 'KILO_TERMINAL'],
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/, env: { KILO_DISABLE_AUTOUPDATE: '1' } },
  confine: {
    state: [
      { at: '~/.local/share/kilo', variable: 'XDG_DATA_HOME', below: 'kilo', kept: true, logins: ['auth.json'] },
      {
        at: '~/.config/kilo',
        variable: 'XDG_CONFIG_HOME',
        below: 'kilo',
        // 7.7 writes what it adds to its configuration at every start.
        copies: ['kilo.json', 'kilo.jsonc'],
        config: ['opencode.json', 'config.json', 'agent', 'command', 'plugin', 'AGENTS.md'],
      },
      { at: '~/.local/state/kilo', variable: 'XDG_STATE_HOME', below: 'kilo' },
      { at: '~/.local/state/kilo-sandbox-policy', variable: 'XDG_STATE_HOME', below: 'kilo-sandbox-policy' },
      { at: '~/.cache/kilo', variable: 'XDG_CACHE_HOME', below: 'kilo' },
    ],
  },
  ...opencodeFamily('Kilo Code', 'KILO'),
};

export default runner;
