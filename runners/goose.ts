/** Goose over ACP, from its documentation; never run here. */

import { acpAgent, UNPROVEN } from './dialects/acp/agent.js';
import { SEEN_NAMES } from './dialects/acp/custom.js';

export default acpAgent({
  id: 'goose',
  title: 'Goose',
  bins: ['goose'],
  packages: [],
  install: {
    kind: 'script',
    url: 'https://github.com/block/goose/releases/download/stable/download_cli.sh',
    shell: 'bash',
  },
  installHint: 'curl -fsSL https://github.com/block/goose/releases/download/stable/download_cli.sh | bash',
  loginHint: 'goose configure',
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+\S*)/ },
  access: UNPROVEN,
  args: () => ['acp'],
  // Asks before each tool that changes something, or before none.
  env: (request) => ({ GOOSE_MODE: request.access === 'full' ? 'auto' : 'approve' }),
  quirks: { title: 'Goose', mcpNames: SEEN_NAMES, commandMarks: '/', model: 'session' },
});
