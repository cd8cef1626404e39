// limit: 120s
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { checkPatch, checkReceipt } from '../../src/jobs/receipt/check.js';
import { NotVerified, seal } from '../../src/jobs/receipt/dsse.js';
import { keyId, ownKeyFile, publicKeyOf, signingKey } from '../../src/jobs/receipt/keys.js';
import { isObject, obj, parseObject, str } from '../../src/text/json.js';
import { runProgram } from '../run-program.js';
import { type Agent, HOST, put, refused, type Stage, withJobs } from './stage.js';

const SECRET = 'prompt-that-stays-here';
const maker: Agent = async ({ cwd }) => {
  put(cwd, 'made.txt', 'made\n');
  return 'done';
};

async function accepted(stage: Stage) {
  const job = await stage.until((await stage.submit({ message: SECRET })).job_id, 'awaiting_audit');
  await stage.audit(job, 'accept');
  const text = stage.jobs.receipt(job.job_id, HOST);
  return { job, text, key: publicKeyOf(signingKey(stage.one.env).export({ type: 'pkcs8', format: 'pem' }).toString()) };
}

test('the receipt of an accepted job says what was made, by what, checked how and accepted by whom', () =>
  withJobs(maker, async (stage) => {
    const { job, text, key } = await accepted(stage);
    const receipt = checkReceipt(text, [key]);
    assert.equal(
      [receipt.job, receipt.revision, receipt.base, receipt.paths],
      [job.job_id, job.revision, job.base, ['made.txt']],
    );
    const { predicate } = receipt;
    assert.equal(obj(predicate, 'runtime'), { id: 'maker', version: '1.2.3', model_asked: null, models_answered: [] });
    assert.equal([predicate['verified'], predicate['approver']], [true, 'host']);
    assert.equal(obj(predicate, 'confinement'), { by: 'program', network: 'open' });
    checkPatch(receipt, (await stage.jobs.patch(job.job_id, HOST)) ?? new Uint8Array());
    assert.not.match(Buffer.from(str(parseObject(text), 'payload') ?? '', 'base64').toString(), SECRET);
    if (process.platform !== 'win32') assert.is(statSync(ownKeyFile(stage.one.env)).mode & 0o777, 0o600);
  }));

test('after landing the receipt names the commit', () =>
  withJobs(maker, async (stage) => {
    stage.one.git('add', '-A');
    stage.one.git('commit', '--quiet', '-m', 'clean');
    const { job, key } = await accepted(stage);
    const { landed } = await stage.jobs.land(job.job_id, { form: 'commit' }, HOST);
    assert.is(checkReceipt(stage.jobs.receipt(job.job_id, HOST), [key]).commit, landed?.made);
  }));

/** Each changes the envelope, or the statement inside of it. */
const ENVELOPES: [string, (envelope: Record<string, unknown>) => unknown][] = [
  ['another payload type', (one) => ({ ...one, payloadType: 'application/json' })],
  ['one character of the payload', (one) => ({ ...one, payload: `A${String(one['payload']).slice(1)}` })],
  ['a cut payload', (one) => ({ ...one, payload: String(one['payload']).slice(0, -8) })],
  ['white space in the payload', (one) => ({ ...one, payload: `${one['payload']}\n` })],
  ['no signature', (one) => ({ ...one, signatures: [] })],
  [
    'a signature of zeros',
    (one) => ({ ...one, signatures: [{ ...first(one), sig: Buffer.alloc(64).toString('base64') }] }),
  ],
  ['an empty signature', (one) => ({ ...one, signatures: [{ ...first(one), sig: '' }] })],
  ['another key id', (one) => ({ ...one, signatures: [{ ...first(one), keyid: '0'.repeat(64) }] })],
  ['a second signature', (one) => ({ ...one, signatures: [first(one), first(one)] })],
  ['something beside the signature', (one) => ({ ...one, note: 'trust me' })],
  ['not JSON', () => 'receipt'],
  ['an empty file', () => undefined],
];
const STATEMENTS: [string, (statement: JsonObject) => JsonObject][] = [
  ['another type', (one) => ({ ...one, _type: 'https://in-toto.io/Statement/v0.1' })],
  ['another predicate type', (one) => ({ ...one, predicateType: 'https://slsa.dev/provenance/v1' })],
  [
    'another patch as subject',
    (one) => ({ ...one, subject: [{ name: 'change.patch', digest: { sha256: 'a'.repeat(64) } }] }),
  ],
  ['no subject', (one) => ({ ...one, subject: [] })],
  [
    'another revision',
    (one) => within(one, { revision: { domain: 'turnout.coding-revision.v1', sha256: 'b'.repeat(64) } }),
  ],
  ['a rework as last verdict', (one) => within(one, { audits: [{ verdict: 'rework', by: 'host' }] })],
  ['no verdict', (one) => within(one, { audits: [] })],
  ['another approver', (one) => within(one, { approver: 'somebody' })],
  ['no files', (one) => within(one, { files: [] })],
  ['another job', (one) => within(one, { job: '../../job' })],
  ['no base', (one) => within(one, { base: null })],
];

const first = (envelope: Record<string, unknown>): JsonObject => {
  const [one] = Array.isArray(envelope['signatures']) ? envelope['signatures'] : [];
  return isObject(one) ? one : {};
};
const within = (statement: JsonObject, changes: JsonObject): JsonObject => ({
  ...statement,
  predicate: { ...obj(statement, 'predicate'), ...changes },
});

function notBelieved(what: string, text: string, keys: KeyObject[]): void {
  try {
    checkReceipt(text, keys);
  } catch (error) {
    assert.instance(error, NotVerified, `${what}: ${String(error)}`);
    return;
  }
  assert.unreachable(`${what} was not found`);
}

test(`each of ${ENVELOPES.length + 2 * STATEMENTS.length + 2} tamperings is found`, () =>
  withJobs(maker, async (stage) => {
    const { text, key } = await accepted(stage);
    const envelope = parseObject(text) ?? {};
    checkReceipt(text, [key]);
    for (const [what, change] of ENVELOPES) notBelieved(what, JSON.stringify(change(envelope)) ?? '', [key]);
    const statement = parseObject(Buffer.from(str(envelope, 'payload') ?? '', 'base64').toString()) ?? {};
    for (const [what, change] of STATEMENTS) {
      const changed = change(statement);
      const payload = Buffer.from(JSON.stringify(changed)).toString('base64');
      notBelieved(`${what}, with the old signature`, JSON.stringify({ ...envelope, payload }), [key]);
      // Even the right key can't make sense of what contradicts itself.
      notBelieved(`${what}, signed`, seal(changed, signingKey(stage.one.env)), [key]);
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    notBelieved('the same statement, signed by somebody else', seal(statement, privateKey), [key]);
    notBelieved('no key is trusted', text, []);
    const receipt = checkReceipt(text, [key]);
    assert.throws(
      () => checkPatch(receipt, Buffer.from('another patch')),
      (error: unknown) => error instanceof NotVerified,
    );
  }));

const COSIGN = process.env['COSIGN_BIN'] ?? 'cosign';

test('cosign verifies a receipt offline, with the patch it is about and no other', () =>
  withJobs(maker, async (stage) => {
    if (runProgram(COSIGN, ['version']).status !== 0) return console.log('SKIPPED: COSIGN IS NOT INSTALLED');
    const { job, text } = await accepted(stage);
    const folder = mkdtempSync(join(tmpdir(), 'receipt-test-'));
    const at = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const key = createPublicKey(signingKey(stage.one.env)).export({ type: 'spki', format: 'pem' }).toString();
    const patch = (await stage.jobs.patch(job.job_id, HOST)) ?? new Uint8Array();
    const verify = (receipt: string, blob: string) =>
      runProgram(COSIGN, [
        ...['verify-blob-attestation', '--insecure-ignore-tlog', '--key', at('key.pem', key)],
        ...['--type', 'urn:turnout:coding-job:v1', '--signature', at('receipt.json', receipt), blob],
      ]);
    const right = at('change.patch', patch);
    const seen = verify(text, right);
    assert.is(seen.status, 0, seen.stderr);
    assert.is.not(verify(text, at('other.patch', 'another')).status, 0);
    assert.is.not(
      verify(
        text.replace(/"sig":"./, (found) => `${found.slice(0, -1)}${found.endsWith('A') ? 'B' : 'A'}`),
        right,
      ).status,
      0,
    );
  }));

test('a key of the user is taken; one that others can read, or of another kind, is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-key-'));
  const file = join(folder, 'key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  assert.is(keyId(signingKey({ TURNOUT_SIGNING_KEY: file })), keyId(privateKey));
  if (process.platform !== 'win32') {
    chmodSync(file, 0o644);
    await refused('service_unavailable', () => signingKey({ TURNOUT_SIGNING_KEY: file }));
    chmodSync(file, 0o600);
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  writeFileSync(file, rsa.export({ type: 'pkcs8', format: 'pem' }));
  await refused('service_unavailable', () => signingKey({ TURNOUT_SIGNING_KEY: file }));
  await refused('service_unavailable', () => signingKey({ TURNOUT_SIGNING_KEY: join(folder, 'none.pem') }));
});

test.run();
