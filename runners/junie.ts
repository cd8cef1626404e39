/** JetBrains Junie over ACP, from its entry in the ACP registry; never run here. */

import { acpAgent, UNPROVEN } from './dialects/acp/agent.js';
import { SEEN_NAMES } from './dialects/acp/custom.js';

export default acpAgent({
  id: 'junie',
  title: 'JetBrains Junie',
  bins: ['junie'],
  packages: ['@jetbrains/junie'],
  install: { kind: 'npm', packages: ['@jetbrains/junie'] },
  installHint: 'npm install -g @jetbrains/junie',
  loginHint: 'junie',
  version: { args: ['--version'], pattern: /(\d+(?:\.\d+)+\S*)/ },
  access: UNPROVEN,
  args: () => ['--acp=true'],
  quirks: { title: 'Junie', mcpNames: SEEN_NAMES, commandMarks: '/', model: 'session', efforts: {} },
  effort: true,
});
