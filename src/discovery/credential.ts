/** What a program will log in with, as far as files and names of variables tell. */

import { readFile, stat } from 'node:fs/promises';
import type { Credential } from '../contract/vocabulary.js';
import type { CredentialSource } from '../runner/credential.js';
import type { Runner } from '../runner/runner.js';
import { parseJson } from '../text/json.js';
import { diskFiles } from './files.js';
import { expand } from './known-folders.js';
import { type Places, variable } from './places.js';

/** A larger file is no login. */
const LARGEST = 1024 * 1024;

/** Variables of providers that programs for any provider read. Which of several is used depends on the model. */
const PROVIDERS: readonly CredentialSource[] = [
  'ANTHROPIC_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'DEEPSEEK_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'XAI_API_KEY',
].map((name) => ({ kind: 'api_key', variable: name }));

/** Where a runner says nothing better, its keys come before its login. */
function sources(runner: Runner): readonly CredentialSource[] {
  if (runner.credentials !== undefined) return runner.credentials;
  const keys: readonly CredentialSource[] =
    runner.keys === 'all'
      ? PROVIDERS
      : runner.keys
          .filter((name) => /(?:KEY|TOKEN)$/.test(name))
          .map((name) => ({ kind: 'api_key', variable: name }) as const);
  return [...keys, ...(runner.loginTraces ?? []).map((file) => ({ kind: 'login', file }) as const)];
}

async function look(source: CredentialSource, places: Places): Promise<Credential | null> {
  if ('variable' in source) {
    const isSet = variable(places, source.variable) !== null;
    return isSet ? { kind: source.kind, source: source.variable } : null;
  }
  if (source.unless !== undefined && variable(places, source.unless) !== null) return null;
  for (const path of await expand(source.file, places, diskFiles(places.platform))) {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile() || found.size > LARGEST) continue;
    if (source.tells === undefined) return { kind: source.kind, source: path };
    const content = parseJson(await readFile(path, 'utf8').catch(() => ''));
    const kind = content === undefined ? null : source.tells(content);
    if (kind !== null) return { kind, source: path };
  }
  return null;
}

/** All that is there, in the order in which the program looks. */
export async function credentials(runner: Runner, places: Places): Promise<Credential[]> {
  const found: Credential[] = [];
  for (const source of sources(runner)) {
    const one = await look(source, places);
    if (one !== null && !found.some(({ source: known }) => known === one.source)) found.push(one);
  }
  return found;
}

/** Whether the user has configured the program: that may name a provider with a key of its own, or a command that prints one. */
async function isConfigured(runner: Runner, places: Places): Promise<boolean> {
  for (const file of runner.configFiles ?? []) {
    for (const path of await expand(file, places, diskFiles(places.platform)))
      if ((await stat(path).catch(() => null))?.isFile()) return true;
  }
  return false;
}

/**
 * The one that the program will use. `unknown` where several could be meant, where a login may lie in a keychain, or where
 * none was found but the user's configuration may name one.
 * @param places the environment and the home folder that the program will have
 */
export async function credentialOf(runner: Runner, places: Places): Promise<Credential> {
  if (runner.loginHint === null && runner.keys !== 'all' && runner.keys.length === 0) return { kind: 'none' };
  const found = await credentials(runner, places);
  const [first] = found;
  const isOrdered = runner.credentials !== undefined || runner.keys !== 'all';
  if (first !== undefined) return isOrdered || found.length === 1 ? first : { kind: 'unknown' };
  const isComplete = isOrdered && (runner.credentials ?? runner.loginTraces) !== undefined;
  const isNone = isComplete && places.platform !== 'darwin' && !(await isConfigured(runner, places));
  return { kind: isNone ? 'none' : 'unknown' };
}

/** A key that outranks a login which is there, too: what a person with a plan pays for twice. */
export function strayKey(found: readonly Credential[]): { key: string; login: string } | null {
  const at = found.findIndex(({ kind }) => kind === 'login');
  const key = found.slice(0, Math.max(at, 0)).find(({ kind }) => kind === 'api_key');
  const login = found[at];
  return key?.source === undefined || login?.source === undefined ? null : { key: key.source, login: login.source };
}
