/** The user's key for receipts: made on first use, or given as a file. */

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../process/make-folder.js';
import { randomHex } from '../../process/random.js';
import { stateDir } from '../../process/state-dir.js';
import { JobError } from '../failure.js';

/** Names a private key in PEM (PKCS #8) that is used instead of our own. */
const KEY_VARIABLE = 'TURNOUT_SIGNING_KEY';

export const ownKeyFile = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'keys', 'receipts.pem');

const publicOf = (key: KeyObject): KeyObject => (key.type === 'public' ? key : createPublicKey(key));

/** SHA-256 of the public key's DER form (SubjectPublicKeyInfo). */
export const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(publicOf(key).export({ type: 'spki', format: 'der' }))
    .digest('hex');

const unusable = (path: string, why: string, cause?: unknown): JobError =>
  new JobError('service_unavailable', `the signing key ${path} can not be used: ${why}`, {}, { cause });

function readPrivate(path: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(path));
  } catch (cause) {
    throw unusable(path, 'it is not a private key in PEM without a passphrase', cause);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw unusable(path, `it is ${key.asymmetricKeyType}, not ed25519`);
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw unusable(path, `others can read it; run chmod 600 ${path}`);
  return key;
}

/** Whole or not at all, and on the disk; the first one wins where two processes make one. */
function makeKey(path: string): void {
  makeFolder(dirname(path), 0o700);
  const { privateKey } = generateKeyPairSync('ed25519');
  const scratch = `${path}.${randomHex(6)}`;
  const file = openSync(scratch, 'wx', 0o600);
  try {
    writeSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(scratch, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(scratch, { force: true });
  }
}

/** @throws JobError service_unavailable with what to do */
export function signingKey(env: NodeJS.ProcessEnv): KeyObject {
  const given = env[KEY_VARIABLE];
  if (given !== undefined && given !== '') return readPrivate(given);
  const path = ownKeyFile(env);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) makeKey(path);
  return readPrivate(path);
}

/** @param pem a public or a private key @throws Error when it is neither, or not ed25519 */
export function publicKeyOf(pem: string | Uint8Array): KeyObject {
  const key = createPublicKey(Buffer.from(pem));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key is not ed25519');
  return key;
}
