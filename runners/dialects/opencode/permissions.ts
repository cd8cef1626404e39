/** Access mode as OpenCode's permissions (1.18): the last rule that matches decides; a denied tool is not offered. */

import { asksBeyond, type TurnRequest } from '../../../src/runner/request.js';

type Verdict = 'allow' | 'ask' | 'deny';
export type Permissions = Record<string, Verdict>;

const READERS: Permissions = { read: 'allow', glob: 'allow', grep: 'allow', list: 'allow' };
const NOTES: Permissions = { todowrite: 'allow', todoread: 'allow' };
const WEB: Permissions = { webfetch: 'allow', websearch: 'allow', codesearch: 'allow' };

function forMode(request: TurnRequest): Permissions {
  // Only a host that is asked could allow more.
  const above: Verdict = asksBeyond(request) ? 'ask' : 'deny';
  switch (request.access) {
    case 'scoped':
      return { '*': above };
    case 'none':
      return { '*': 'deny' };
    case 'read':
      return { '*': above, ...WEB, external_directory: 'allow' };
    case 'edit':
      // It allows what is below the root of the repository and follows links: where a file really lies, we look ourselves.
      return { '*': above, ...WEB, edit: 'ask', external_directory: 'ask' };
    case 'full':
      return { '*': 'allow', question: 'deny' };
    default: {
      const never: never = request.access;
      return never;
    }
  }
}

/**
 * Its own patterns for commands let `git log > file` through, so each command is asked for.
 * @param servers names of the MCP servers given to the session
 */
export function permissions(request: TurnRequest, servers: readonly string[]): Permissions {
  const mode = forMode(request);
  if (request.access === 'full') return mode;
  const tools = servers.map((server) => [`${server.replace(PLAIN, '_')}_*`, 'allow'] as const);
  const native = request.access === 'none' ? {} : { ...READERS, ...NOTES, bash: 'ask' as const };
  return { ...mode, ...native, ...Object.fromEntries(tools) };
}

/** What its tool names can't hold becomes `_`. */
export const PLAIN = /[^a-zA-Z0-9_-]/g;
