/** Mistral Vibe over ACP: a program of its own next to `vibe`. From its documentation; never run here. */

import { acpAgent, UNPROVEN } from './dialects/acp/agent.js';
import { SEEN_NAMES } from './dialects/acp/custom.js';

export default acpAgent({
  id: 'vibe',
  title: 'Mistral Vibe',
  bins: ['vibe-acp'],
  packages: ['mistral-vibe'],
  install: { kind: 'manual' },
  installHint: 'uv tool install mistral-vibe',
  loginHint: 'vibe --setup',
  keys: ['MISTRAL_API_KEY'],
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+\S*)/ },
  access: UNPROVEN,
  args: () => [],
  quirks: { title: 'Mistral Vibe', mcpNames: SEEN_NAMES, commandMarks: '/', model: 'session' },
});
