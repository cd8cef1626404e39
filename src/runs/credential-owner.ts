/** A person's logins serve that person: guests name no repository to be fetched, and need a runtime with an API key or a cloud credential, or none at all. */

import type { Credential } from '../contract/vocabulary.js';
import { credentialOf } from '../discovery/credential.js';
import type { Places } from '../discovery/places.js';
import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { CoreError } from './failure.js';
import type { Submission } from './ports.js';

/** What a guest may use; a credential that is not known may be a login in a keychain. */
const FREE: ReadonlySet<Credential['kind']> = new Set(['api_key', 'cloud', 'none']);

/**
 * Checks what a guest asks for.
 * @param places where the runtime will look for its credential
 * @throws {CoreError} credential-owner
 */
export async function checkCredentialOwner(
  { plan }: Pick<Submission, 'plan'>,
  { runners, places }: { runners: readonly Runner[]; places(cwd: string): Places },
): Promise<void> {
  const { runtime, cwd, workspace } = plan.request;
  if (workspace !== undefined)
    throw new CoreError(
      'credential-owner',
      'Guests name no repository: git would fetch it with the keys of the owner.',
    );
  const runner = byId(runtime, runners);
  if (!runner)
    throw new CoreError('credential-owner', `A guest names one of the runtimes that a scan lists, not ${runtime}.`);
  const at = places(cwd);
  const { kind } = await credentialOf(runner, { ...at, env: { ...at.env, ...plan.env } });
  if (FREE.has(kind)) return;
  const what = kind === 'login' ? 'the login of its owner' : 'a credential that may be the login of its owner';
  const message = `${runner.title} uses ${what}, which serves nobody else. It can be used with an API key or a cloud credential.`;
  throw new CoreError('credential-owner', message);
}
