/** Mistral Vibe over ACP (3.0.3): a program of its own next to `vibe`. */

import { acpAgent } from './dialects/acp/agent.js';
import { usageWithCached } from './dialects/acp/tokens.js';

export default acpAgent({
  id: 'vibe',
  title: 'Mistral Vibe',
  bins: ['vibe-acp'],
  packages: ['mistral-vibe'],
  install: { kind: 'manual' },
  installHint: 'uv tool install mistral-vibe',
  loginHint: 'vibe --setup',
  configFiles: ['~/.vibe/config.toml', '~/.vibe/.env'],
  testedVersions: ['3.0.3'],
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+\S*)/ },
  effort: true,
  images: true,
  access: {
    scoped: { native_sandbox: 'restricted', approvals: 'on', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  settingsLoaded: ['user config.toml, skills and AGENTS.md', 'project AGENTS.md where the folder is trusted'],
  args: () => [],
  quirks: {
    title: 'Mistral Vibe',
    mcpNames: ['{server}_{tool}'],
    commandMarks: '/!',
    model: 'session',
    // Its own default accepts edits unasked.
    mode: { ids: { scoped: 'ask', full: 'auto-approve' }, required: true },
    efforts: { xhigh: 'max' },
    tokens: usageWithCached,
  },
});
