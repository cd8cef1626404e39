/** What `turnout page` does: asks a running server for a code, and makes the address of it. */

import { readFileSync } from 'node:fs';
import { UsageError } from '../../contract/error.js';
import { parseObject, str } from '../../text/json.js';
import { type Address, shownAddress } from '../listen/address.js';

/** Milliseconds in which a server on this machine answers. */
const PATIENCE_MS = 5_000;

/** The token in a file; null when there is no such file. @throws UsageError */
export function tokenIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new UsageError(
      `the token in ${path} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function refused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/**
 * @param token what the server's own callers show; null where there is none yet
 * @returns the page's address with a code that works once, for a minute; null when nothing listens there
 * @throws UsageError something else listens there, or it does not take the token
 */
export async function invitation(address: Address, token: string | null): Promise<string | null> {
  const at = shownAddress(address);
  let response: Response;
  try {
    response = await fetch(`http://${at}/page/code`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    if (refused(error)) return null;
    throw new UsageError(`what listens on ${at} does not answer; --port N takes another port`);
  }
  if (response.status === 401)
    throw new UsageError(`the server on ${at} has another token; --auth-token-file PATH or TURNOUT_TOKEN gives it`);
  const code = response.ok ? str(parseObject(await response.text()), 'code') : undefined;
  if (code === undefined)
    throw new UsageError(`what listens on ${at} is not this version of turnout; --port N takes another port`);
  // A fragment is never sent: it is in no log and in no header of what the page loads.
  return `http://${at}/#t=${code}`;
}
