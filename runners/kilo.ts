/** Kilo Code's CLI over ACP: an OpenCode derivative with variables of its own. */

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
  ...opencodeFamily('Kilo Code', 'KILO'),
};

export default runner;
