/** Qoder's CLI over ACP, from its documentation; never run here. */

import { acpAgent, UNPROVEN } from './dialects/acp/agent.js';
import { SEEN_NAMES } from './dialects/acp/custom.js';

export default acpAgent({
  id: 'qoder',
  title: 'Qoder',
  bins: ['qodercli'],
  packages: ['@qoder-ai/qodercli'],
  install: { kind: 'npm', packages: ['@qoder-ai/qodercli'] },
  installHint: 'npm install -g @qoder-ai/qodercli',
  loginHint: 'qodercli login',
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+\S*)/ },
  access: UNPROVEN,
  args: () => ['--acp'],
  quirks: { title: 'Qoder', mcpNames: SEEN_NAMES, commandMarks: '/', model: 'session' },
});
