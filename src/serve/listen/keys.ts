/** Secrets → principals. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { OWNER, type Principal, type PrincipalLimits } from '../../contract/principal.js';
import type { Identify } from './surface.js';

export interface Key {
  secret: string;
  principal: Principal;
}

/** Why a list of keys is refused. */
export class KeyError extends Error {}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
/** Guessing a shorter one over a network is a matter of time. */
const SHORTEST = 16;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compared as digests, and with all of them, so that neither length, content nor place shows in the time it takes. */
export function keyring(keys: readonly Key[]): Identify {
  const known = keys.map(({ secret, principal }) => ({ digest: digest(secret), principal }));
  return (secret) => {
    const given = digest(secret);
    let found: Principal | null = null;
    for (const one of known) if (timingSafeEqual(given, one.digest)) found = one.principal;
    return found;
  };
}

/** @throws KeyError */
function limitsOf(rules: readonly string[], at: string): PrincipalLimits {
  let limits: PrincipalLimits = {};
  for (const rule of rules) {
    const [, name, value = ''] = /^(concurrency|budget)=(.*)$/.exec(rule) ?? [];
    if (name === 'concurrency' && /^[1-9]\d{0,5}$/.test(value)) limits = { ...limits, concurrency: Number(value) };
    else if (name === 'budget' && /^\d{1,9}(\.\d{1,6})?$/.test(value) && Number(value) > 0)
      limits = { ...limits, budgetUsd: Number(value) };
    // The rule is not shown: it may be a secret with a blank in it.
    else throw new KeyError(`${at}: behind the secret stand concurrency=N and budget=USD, each above 0`);
  }
  return limits;
}

/**
 * Keys that the owner gave out, one a line: `NAME key|guest SECRET`, with `concurrency=N` and `budget=USD` behind it where
 * they are limited. Empty lines and lines that begin with `#` are skipped.
 * @throws KeyError that names the line, never its secret
 */
export function readKeys(text: string): Key[] {
  const keys: Key[] = [];
  text.split('\n').forEach((line, index) => {
    const fields = line.trim().split(/\s+/);
    const [name = '', kind, secret = '', ...rules] = fields;
    if (name === '' || name.startsWith('#')) return;
    const at = `line ${index + 1}`;
    if (fields.length < 3 || (kind !== 'key' && kind !== 'guest'))
      throw new KeyError(`${at}: expected NAME key|guest SECRET`);
    if (!NAME.test(name)) throw new KeyError(`${at}: a name is up to 64 letters, digits and . _ @ -`);
    if (name === OWNER.name) throw new KeyError(`${at}: "${OWNER.name}" is the name of the server's own token`);
    if (secret.length < SHORTEST) throw new KeyError(`${at}: a secret has at least ${SHORTEST} characters`);
    if (keys.some((one) => one.principal.name === name)) throw new KeyError(`${at}: the name ${name} is used twice`);
    if (keys.some((one) => one.secret === secret)) throw new KeyError(`${at}: the secret of another line`);
    const limits = rules.length === 0 ? {} : { limits: limitsOf(rules, at) };
    keys.push({ secret, principal: { name, kind, ...limits } });
  });
  return keys;
}
