/** pi through its RPC mode. Our extension decides about its tools and adds the caller's (pi 1.6.0). */

import type { Runner } from '../../src/runner/runner.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';

const runner: Runner = {
  id: 'pi',
  aliases: ['pi-rpc'],
  title: 'pi',
  bins: ['pi'],
  packages: ['@earendil-works/pi-coding-agent', '@mariozechner/pi-coding-agent'],
  install: { kind: 'npm', packages: ['@earendil-works/pi-coding-agent'] },
  installHint: 'npm install -g @earendil-works/pi-coding-agent',
  loginHint: 'pi auth login',
  chatter: /^Warning: No project session found with id '[^']*'; creating a new session/,
  testedVersions: ['1.6.0'],
  transport: 'pi --mode rpc',
  streamsIncrementally: true,
  toolActivity: 'full',
  access: {
    // A link inside the directory may lead out of it.
    scoped: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: ['read_outside'] },
    none: { native_sandbox: 'read-only', approvals: 'off', gaps: [] },
    read: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    edit: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {
    'read-only': { native_sandbox: 'read-only', approvals: 'n/a' },
    'workspace-write': { native_sandbox: 'turnout', approvals: 'n/a' },
  },
  confine: {
    state: [
      {
        at: '~/.pi/agent',
        variable: 'PI_CODING_AGENT_DIR',
        sessions: ['sessions'],
        config: ['models.json', 'settings.json', 'extensions', 'AGENTS.md', 'mcp.json', 'prompts', 'skills'],
        logins: ['auth.json'],
      },
    ],
  },
  toolTransport: 'native',
  tellsServers: true,
  parallelCalls: true,
  toolResultLimit: 400_000,
  resume: true,
  effort: true,
  maxTurns: false,
  reportsCost: true,
  silentRetries: false,
  promptInArgv: false,
  decidesPerCommand: true,
  steer: true,
  images: true,
  settingsLoaded: ['user settings.json', 'user models.json', 'user mcp.json (with --mcp-config)'],
  nesting: [
    'AI_AGENT',
    'PI_CODING_AGENT',
    'PI_SESSION_ID',
    'PI_SESSION_FILE',
    'PI_PROVIDER',
    'PI_MODEL',
    'PI_REASONING_LEVEL',
  ],
  keys: 'all',
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/ },
  tools: () => 'native',
  invoke,
  converse,
};

export default runner;
