/**
 * What Gemini CLI (0.61.0) logs about its MCP servers; the protocol says nothing. A server that answered gets its handlers:
 * "Registering notification handlers for server 'files'. Capabilities: …"; one that did not is named with the reason:
 * "[MCP error] Error during discovery for MCP server 'files': spawn /bin/x ENOENT".
 */

import type { McpServerStatus } from '../../src/contract/event.js';
import { LOGGED_ATTEMPT } from '../dialects/attempts.js';

const LOGGED = /^\[[^\]]*\] \[[A-Z]+\] /;
const ANSWERED = /^Registering notification handlers for server '([^']+)'/;
const FAILED = /^\[MCP error\] [^']*\bserver '([^']+)'(?::? (.*))?$/;

/** Lines of the log that are heard: with servers that must be ready, those about servers too. */
export function heardLines(waits: boolean): RegExp {
  if (!waits) return LOGGED_ATTEMPT;
  const about = `${LOGGED.source}(?:Registering notification handlers for server|\\[MCP error\\])`;
  return new RegExp(`(?:${LOGGED_ATTEMPT.source})|(?:${about})`);
}

/** @returns a server's state, when a line of the log reports it */
export function serverLine(logged: string): McpServerStatus | undefined {
  const line = logged.replace(LOGGED, '');
  const answered = ANSWERED.exec(line)?.[1];
  if (answered !== undefined) return { name: answered, status: 'connected' };
  const [, name, reason] = FAILED.exec(line) ?? [];
  if (name === undefined) return undefined;
  return { name, status: 'failed', ...(reason ? { reason: reason.slice(0, 500) } : {}) };
}
