/** Whom HTTP callers are known by: the owner's token, and keys that the owner gave out. */

import { readFileSync } from 'node:fs';
import { OWNER } from '../../contract/principal.js';
import { isLoopback } from './guard.js';
import { type Key, KeyError, keyring, readKeys } from './keys.js';
import type { Identify } from './surface.js';
import { ownToken } from './token.js';

export interface AuthOptions {
  /** Where the listener is bound. */
  host: string;
  /** `--no-auth` */
  open: boolean;
  /** `--auth-token` or the variable for it. */
  token?: string | undefined;
  tokenFile?: string | undefined;
  keysFile?: string | undefined;
  /** The same lines as in that file, from the environment. */
  keys?: string | undefined;
  /** Where a token of our own is kept. */
  ownTokenFile: string;
  tell(text: string): void;
}

/** Why callers could not be told apart: the message names the flag. */
export class AuthError extends Error {}

/** Keys of other callers, one a line; the file counts instead where there is one. */
export const KEYS_VARIABLE = 'TURNOUT_AUTH_KEYS';

/** On a network, a shorter token is guessed sooner or later. */
const SHORTEST = 16;

function fileText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AuthError(`${flag}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function ownerToken(options: AuthOptions): string {
  const { tokenFile } = options;
  const given =
    options.token ?? (tokenFile === undefined ? undefined : fileText('--auth-token-file', tokenFile).trim());
  if (given === undefined) {
    const token = ownToken(options.ownTokenFile);
    options.tell(`the token is in ${options.ownTokenFile}`);
    return token;
  }
  if (!/^\S+$/.test(given)) throw new AuthError('the token is empty or has blanks');
  if (!isLoopback(options.host) && given.length < SHORTEST)
    throw new AuthError(`the token is too short to listen on ${options.host}: at least ${SHORTEST} characters`);
  return given;
}

function keysIn(text: string, where: string): Key[] {
  try {
    return readKeys(text);
  } catch (error) {
    if (error instanceof KeyError) throw new AuthError(`${where}: ${error.message}`);
    throw error;
  }
}

function givenKeys({ keysFile: path, keys }: AuthOptions): Key[] {
  if (path !== undefined) return keysIn(fileText('--auth-keys', path), `--auth-keys: ${path}`);
  return keys === undefined ? [] : keysIn(keys, KEYS_VARIABLE);
}

/** @returns who a secret belongs to; null when nobody is asked for one @throws AuthError */
export function httpAuth(options: AuthOptions): Identify | null {
  if (options.open) {
    if (!isLoopback(options.host)) throw new AuthError('--no-auth is for loopback addresses only');
    if (options.keysFile !== undefined) throw new AuthError('--no-auth and --auth-keys exclude each other');
    return null;
  }
  const owner = { secret: ownerToken(options), principal: OWNER };
  const keys = givenKeys(options);
  if (keys.some(({ secret }) => secret === owner.secret))
    throw new AuthError("--auth-keys: one of the secrets is the server's own token");
  return keyring([owner, ...keys]);
}
