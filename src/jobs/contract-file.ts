/** The checks that a change must pass: `.turnout/coding.yaml` of the commit that the work began from. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../text/json.js';
import { baseFile } from '../workspace/base-file.js';
import type { WorkspaceRecord } from '../workspace/paths.js';
import { sha256 } from './canonical.js';
import { JobError } from './failure.js';

/** `.flyto/coding.yaml` of flyto-ai 0.20 is read as well. */
const CONTRACT_FILES = ['.turnout/coding.yaml', '.flyto/coding.yaml'] as const;
const VERSIONS = ['turnout.coding-config.v1', 'flyto.coding-config.v1'];
const MOST_CHECKS = 32;
const MOST_BYTES = 64 * 1024;
const MOST_SECONDS = 3600;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

export interface Check {
  name: string;
  argv: string[];
  timeout_ms: number;
  required: boolean;
}

export interface Contract {
  checks: Check[];
  /** Of the file's bytes. */
  sha256: string;
}

const invalid = (why: string, cause?: unknown): JobError =>
  new JobError('verification_contract_invalid', `${CONTRACT_FILES[0]}: ${why}`, {}, { cause });

function readCheck(value: unknown, number: number): Check {
  const at = `checks[${number}]`;
  if (!isObject(value)) throw invalid(`${at}: expected a mapping`);
  const others = Object.keys(value).filter((key) => !['name', 'argv', 'timeout_seconds', 'required'].includes(key));
  if (others.length > 0) throw invalid(`${at}: unknown key ${others[0]}`);
  const { name, argv, timeout_seconds: seconds = 300, required = true } = value;
  if (typeof name !== 'string' || !NAME.test(name)) throw invalid(`${at}.name: expected a word`);
  if (!Array.isArray(argv) || argv.length === 0 || argv.length > 64)
    throw invalid(`${at}.argv: expected a list of 1 to 64 texts`);
  const words = argv.map((one) => {
    if (typeof one !== 'string' || one.includes('\0')) throw invalid(`${at}.argv: expected texts`);
    return one;
  });
  if (words[0] === '') throw invalid(`${at}.argv: the program has no name`);
  if (typeof seconds !== 'number' || !(seconds > 0) || seconds > MOST_SECONDS)
    throw invalid(`${at}.timeout_seconds: expected a number up to ${MOST_SECONDS}`);
  if (typeof required !== 'boolean') throw invalid(`${at}.required: expected true or false`);
  return { name, argv: words, timeout_ms: Math.ceil(seconds * 1000), required };
}

/** @throws JobError verification_contract_invalid with what is wrong */
export async function readContract(bytes: Uint8Array): Promise<Contract> {
  if (bytes.byteLength > MOST_BYTES) throw invalid(`larger than ${MOST_BYTES} bytes`);
  const { parse } = await import('./yaml.js');
  let value: unknown;
  try {
    value = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { maxAliasCount: 10 });
  } catch (cause) {
    throw invalid(cause instanceof Error ? (cause.message.split('\n')[0] ?? 'unreadable') : 'unreadable', cause);
  }
  if (!isObject(value)) throw invalid('expected a mapping');
  const { version, checks } = value;
  if (typeof version !== 'string' || !VERSIONS.includes(version)) throw invalid(`version: expected ${VERSIONS[0]}`);
  if (!Array.isArray(checks) || checks.length === 0 || checks.length > MOST_CHECKS)
    throw invalid(`checks: expected a list of 1 to ${MOST_CHECKS}`);
  const read = checks.map(readCheck);
  const names = read.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalid(`checks: the name ${twice} stands twice`);
  if (!read.some(({ required }) => required)) throw invalid('checks: at least one must be required');
  return { checks: read, sha256: sha256(bytes) };
}

const missing = (): JobError =>
  new JobError(
    'verification_required',
    `${CONTRACT_FILES[0]} is missing: it names the checks a change must pass (or start the service with --checks none)`,
  );

async function fileIn(folder: string): Promise<Contract | null> {
  for (const name of CONTRACT_FILES) {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(join(folder, name));
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) continue;
      throw invalid('it can not be read', error);
    }
    return readContract(bytes);
  }
  return null;
}

/**
 * Before there is a job: what stands in the folder now, or at the top of its repository.
 * @throws JobError verification_required, verification_contract_invalid
 */
export async function contractInFolder(folder: string): Promise<Contract> {
  for (let at = folder; ; at = dirname(at)) {
    const top = existsSync(join(at, '.git')) || dirname(at) === at;
    const found = at === folder || top ? await fileIn(at) : null;
    if (found !== null) return found;
    if (top) throw missing();
  }
}

/** What counts: the file of the commit that the copy began as, which no agent can change. @throws JobError, as `contractInFolder` */
export async function contractOfBase(record: WorkspaceRecord): Promise<Contract> {
  const { prefix } = record.repository;
  for (const name of CONTRACT_FILES) {
    const bytes = (await baseFile(record, `${prefix}${name}`)) ?? (prefix === '' ? null : await baseFile(record, name));
    if (bytes !== null) return readContract(bytes);
  }
  throw missing();
}
