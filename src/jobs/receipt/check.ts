/** Whether a receipt can be believed, and whether it fits a patch or a commit. */

import { createHash, type KeyObject } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { arr, obj, str } from '../../text/json.js';
import { NotVerified, open } from './dsse.js';
import { PREDICATE_TYPE, STATEMENT_TYPE } from './statement.js';

export interface CheckedReceipt {
  statement: JsonObject;
  predicate: JsonObject;
  keyid: string;
  job: string;
  revision: string;
  domain: string;
  patch: string;
  base: string;
  paths: string[];
  /** The commit that was made by landing, where one was. */
  commit: string | null;
}

function need(value: string | undefined, what: string, form: RegExp): string {
  if (value === undefined || !form.test(value)) throw new NotVerified(`the statement has no valid ${what}`);
  return value;
}

function digestIn(statement: JsonObject, name: string): string | undefined {
  const found = (arr(statement, 'subject') ?? []).filter((one: Json) => str(one, 'name') === name);
  if (found.length > 1) throw new NotVerified(`the statement names ${name} twice`);
  return str(found[0], 'digest', 'sha256') ?? str(found[0], 'digest', 'gitCommit');
}

const SHA256 = /^[0-9a-f]{64}$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** @throws NotVerified */
export function checkReceipt(text: string, keys: readonly KeyObject[]): CheckedReceipt {
  const { statement, keyid } = open(text, keys);
  if (str(statement, '_type') !== STATEMENT_TYPE) throw new NotVerified(`it is not a ${STATEMENT_TYPE}`);
  if (str(statement, 'predicateType') !== PREDICATE_TYPE) throw new NotVerified(`it is not a ${PREDICATE_TYPE}`);
  const predicate = obj(statement, 'predicate');
  if (predicate === undefined) throw new NotVerified('the statement says nothing');
  const revision = need(str(predicate, 'revision', 'sha256'), 'revision', SHA256);
  const patch = need(str(predicate, 'patch_sha256'), 'patch', SHA256);
  // Other programs look at the subjects alone: they must say the same.
  if (digestIn(statement, 'revision') !== revision || digestIn(statement, 'change.patch') !== patch)
    throw new NotVerified('the subjects and the statement differ');
  const audits = arr(predicate, 'audits') ?? [];
  const last = audits.at(-1);
  if (str(last, 'verdict') !== 'accept' || str(last, 'revision') !== revision)
    throw new NotVerified('the revision was not accepted');
  if (str(predicate, 'approver') !== str(last, 'by')) throw new NotVerified('the approver is not who accepted');
  const commit = digestIn(statement, 'commit') ?? null;
  if (commit !== null && str(predicate, 'landed', 'made') !== commit)
    throw new NotVerified('the subjects name another commit than the statement');
  const paths = (arr(predicate, 'files') ?? []).map((one) => str(one, 'path') ?? '');
  if (paths.length === 0) throw new NotVerified('the statement names no files');
  return {
    ...{ statement, predicate, keyid, revision, patch, paths },
    job: need(str(predicate, 'job'), 'job', /^job_[0-9a-f]{24}$/),
    domain: need(str(predicate, 'revision', 'domain'), 'domain', /^[a-z]+\.coding-revision\.v1$/),
    base: need(str(predicate, 'base'), 'base', COMMIT),
    commit: commit === null ? null : need(commit, 'commit', COMMIT),
  };
}

/** @throws NotVerified when it is another patch */
export function checkPatch(receipt: CheckedReceipt, patch: Uint8Array): void {
  if (createHash('sha256').update(patch).digest('hex') !== receipt.patch)
    throw new NotVerified('the patch is not the one that was accepted');
}
