import { readFileSync, statSync } from 'node:fs';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { TurnoutError, UsageError } from '../contract/error.js';
import { checkPatch, checkReceipt } from '../jobs/receipt/check.js';
import { checkCommit, trailersIn } from '../jobs/receipt/commit.js';
import { NotVerified } from '../jobs/receipt/dsse.js';
import { ownKeyFile, publicKeyOf } from '../jobs/receipt/keys.js';
import { WorkspaceError } from '../workspace/failure.js';
import { TurnoutCommand } from './base.js';
import { JSON_FLAG, ME, reporting, withJobs } from './jobs-reading.js';

function bytesOf(flag: string, path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UsageError(`${flag}: ${path} can't be read`, { cause });
  }
}

function keysOf(path: string | undefined) {
  const file = path ?? ownKeyFile(process.env);
  if (path === undefined && statSync(file, { throwIfNoEntry: false }) === undefined) return [];
  try {
    return [publicKeyOf(bytesOf('--key', file))];
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`--key: ${file} is not an ed25519 key in PEM`, { cause });
  }
}

export default class Verify extends TurnoutCommand {
  static override summary = 'Check the signed receipt of a coding job, or the commit that one landed as.';
  static override description =
    'Works offline. A receipt is believed when it is signed with your key, or with --key. A commit is found by its Agent-Job line; ' +
    'its files must be the ones that were accepted. Exit codes: 0 verified, 1 not, 2 wrong call.';
  static override args = {
    what: Args.string({ description: 'a receipt file, or a commit of the repository here', required: true }),
  };
  static override flags = {
    ...JSON_FLAG,
    key: Flags.string({ summary: 'the public key to believe (your own)', helpValue: 'FILE' }),
    patch: Flags.string({ summary: 'also: whether this is the patch that was accepted', helpValue: 'FILE' }),
    receipt: Flags.string({ summary: "of a commit: its receipt, where it isn't kept here", helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Verify);
    const keys = keysOf(flags.key);
    const isFile = statSync(args.what, { throwIfNoEntry: false })?.isFile() === true;
    try {
      const commit = isFile ? null : await trailersIn(process.cwd(), args.what);
      if (commit !== null && commit.job === null) throw new NotVerified(`${args.what} has no Agent-Job line`);
      const file = isFile ? args.what : flags.receipt;
      const { job: id } = commit ?? { job: null };
      const text =
        file === undefined
          ? await reporting(() => withJobs(null, undefined, async ({ jobs }) => jobs.receipt(id, ME)))
          : new TextDecoder().decode(bytesOf('receipt', file));
      const receipt = checkReceipt(text, keys);
      if (flags.patch !== undefined) checkPatch(receipt, bytesOf('--patch', flags.patch));
      const found = commit === null ? null : await checkCommit(process.cwd(), commit, receipt);
      const { job, revision, keyid, paths, predicate } = receipt;
      const result = { v: 1, ok: true, job, revision, keyid, files: paths, commit: found, predicate };
      await this.print(
        flags.json
          ? `${JSON.stringify(result)}\n`
          : `verified: job ${job}, revision ${revision}, key ${keyid.slice(0, 16)}\n`,
      );
    } catch (error) {
      if (error instanceof WorkspaceError)
        throw new UsageError(`${args.what} is neither a receipt file nor a commit here`, { cause: error });
      if (!(error instanceof NotVerified)) throw error;
      if (flags.json) await this.print(`${JSON.stringify({ v: 1, ok: false, message: error.message })}\n`);
      throw new TurnoutError('runner-error', `not verified: ${error.message}`, { cause: error });
    }
  }
}
