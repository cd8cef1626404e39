/** Signed envelopes, DSSE v1.0.2 (github.com/secure-systems-lab/dsse): `cosign verify-blob-attestation` reads them. */

import { type KeyObject, sign, verify } from 'node:crypto';
import type { JsonObject } from '../../contract/vocabulary.js';
import { arr, isObject, parseObject, str } from '../../text/json.js';
import { canonicalJson } from '../canonical.js';
import { keyId } from './keys.js';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Why a receipt is not to be believed. */
export class NotVerified extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotVerified';
  }
}

/** What is signed: type and payload with their lengths, so that no byte can move from one to the other. */
function preAuthentication(payload: Uint8Array): Uint8Array {
  const type = Buffer.from(PAYLOAD_TYPE, 'utf8');
  const head = `DSSEv1 ${type.byteLength} ${PAYLOAD_TYPE} ${payload.byteLength} `;
  return Buffer.concat([Buffer.from(head, 'utf8'), payload]);
}

export function seal(statement: JsonObject, key: KeyObject): string {
  const payload = Buffer.from(canonicalJson(statement), 'utf8');
  const sig = sign(null, preAuthentication(payload), key).toString('base64');
  const envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(key), sig }],
  };
  return `${JSON.stringify(envelope)}\n`;
}

function bytesOf(text: string | undefined, what: string): Buffer {
  const bytes = Buffer.from(text ?? '', 'base64');
  if (text === undefined || bytes.byteLength === 0 || bytes.toString('base64') !== text)
    throw new NotVerified(`${what} is not base64`);
  return bytes;
}

function only(value: JsonObject, keys: readonly string[], what: string): void {
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined) throw new NotVerified(`${what} holds something else: ${other.slice(0, 60)}`);
}

/**
 * @param text the envelope as JSON
 * @param keys public keys that are trusted
 * @returns the statement, and which key signed it
 * @throws NotVerified
 */
export function open(text: string, keys: readonly KeyObject[]): { statement: JsonObject; keyid: string } {
  const envelope = parseObject(text.trim());
  if (envelope === undefined) throw new NotVerified('the receipt is not a JSON object');
  only(envelope, ['payloadType', 'payload', 'signatures'], 'the envelope');
  if (str(envelope, 'payloadType') !== PAYLOAD_TYPE) throw new NotVerified(`payloadType is not ${PAYLOAD_TYPE}`);
  const payload = bytesOf(str(envelope, 'payload'), 'the payload');
  const signatures = arr(envelope, 'signatures') ?? [];
  const [signature] = signatures;
  if (signatures.length !== 1 || !isObject(signature)) throw new NotVerified('expected one signature');
  only(signature, ['keyid', 'sig'], 'the signature');
  const keyid = str(signature, 'keyid');
  const key = keys.find((one) => keyId(one) === keyid);
  if (keyid === undefined || key === undefined)
    throw new NotVerified('the receipt is signed with a key that is not trusted here; --key PATH names another');
  if (!verify(null, preAuthentication(payload), key, bytesOf(str(signature, 'sig'), 'the signature')))
    throw new NotVerified('the signature does not fit what is signed');
  const statement = parseObject(payload.toString('utf8'));
  if (statement === undefined || canonicalJson(statement) !== payload.toString('utf8'))
    throw new NotVerified('the statement is not canonical JSON');
  return { statement, keyid };
}
