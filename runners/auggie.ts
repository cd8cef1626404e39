/** Auggie over ACP (0.36.0, seen with a stand-in for its service). Over ACP it never asks before it uses a tool. */

import { num, str } from '../src/text/json.js';
import { acpAgent } from './dialects/acp/agent.js';

/** Tools that change something, by the names its documentation gives them; only the first was seen to be refused. */
const WRITERS = ['launch-process', 'write-process', 'save-file', 'str-replace-editor', 'remove-files', 'apply_patch'];

/** What it says when it has used up the time it may spend on retries. */
const RATE_LIMITED = /^Request failed after exceeding retry timeout of \d+s: Rate limited\b/;

export default acpAgent({
  id: 'auggie',
  title: 'Auggie',
  bins: ['auggie'],
  packages: ['@augmentcode/auggie'],
  install: { kind: 'npm', packages: ['@augmentcode/auggie'] },
  installHint: 'npm install -g @augmentcode/auggie',
  loginHint: 'auggie login',
  decidesPerCommand: false,
  silentRetries: false,
  keys: ['AUGMENT_API_TOKEN', 'AUGMENT_API_URL', 'AUGMENT_SESSION_AUTH'],
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/, env: { AUGMENT_DISABLE_AUTO_UPDATE: '1' } },
  access: {
    scoped: { native_sandbox: 'restricted', approvals: 'on', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  confine: {
    state: [
      {
        at: '~/.augment',
        sessions: ['sessions', 'task-storage'],
        config: ['settings.json', 'user-guidelines.md', 'rules', 'agents', 'commands', 'skills'],
        logins: ['session.json'],
      },
    ],
  },
  args: (request) => [
    '--acp',
    // Seconds; without it Auggie retries a failing service for minutes without output.
    ...['--retry-timeout', '30'],
    ...(request.model === null ? [] : ['--model', request.model]),
    ...(request.access === 'full' ? [] : WRITERS.flatMap((name) => ['--permission', `${name}:deny`])),
  ],
  env: () => ({ AUGMENT_DISABLE_AUTO_UPDATE: '1' }),
  quirks: {
    title: 'Auggie',
    mcpNames: ['{tool}_{server}'],
    // Asked with the first prompt; a separate message comments on the answer.
    sideQuestions: /^workspace-indexing-permission$/,
    notModel: /^(Augment would like to index your workspace|Indexing (disabled|enabled))\b/,
    mode: { ids: { scoped: 'ask' }, required: false },
    model: 'argv',
    classify(error) {
      if (RATE_LIMITED.test(str(error.data, 'details') ?? '')) return { code: 'rate-limited' };
      const status = num(error.data, 'httpStatus');
      if (status === undefined) return undefined;
      if (status === 401 || status === 403) return { code: 'auth' };
      return { code: status === 429 ? 'rate-limited' : 'runner-error' };
    },
  },
});
