/** OpenHands over ACP, from its documentation; never run here. */

import { acpAgent, UNPROVEN } from './dialects/acp/agent.js';
import { SEEN_NAMES } from './dialects/acp/custom.js';

export default acpAgent({
  id: 'openhands',
  title: 'OpenHands',
  bins: ['openhands'],
  packages: ['openhands'],
  install: { kind: 'manual' },
  installHint: 'uv tool install openhands',
  loginHint: 'openhands',
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+\S*)/ },
  access: UNPROVEN,
  args: () => ['acp'],
  quirks: { title: 'OpenHands', mcpNames: SEEN_NAMES, commandMarks: '/', model: 'session' },
});
