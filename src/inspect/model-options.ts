/** Which models can be chosen on this machine: by installed program, as far as the programs list them. */

import type { ModelEntry } from '../contract/listing.js';
import type { Credential } from '../contract/vocabulary.js';
import { credentialOf } from '../discovery/credential.js';
import { locate } from '../discovery/locate.js';
import { isMissing } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import type { Runner } from '../runner/runner.js';
import { models as listModels } from './list.js';

/** One program and the models it offers. */
export interface ModelOptions {
  /** The value of `--runtime`. */
  slug: string;
  name: string;
  is_current: boolean;
  is_user_defined: boolean;
  /** Ids for `--model`. */
  models: string[];
  total_models: number;
  /** `listed` by the program, `none` where it lists nothing, `unasked` where it was not started for it. */
  source: 'listed' | 'none' | 'unasked';
  /** Whether it has something to log in with; null where that can't be seen. */
  authenticated: boolean | null;
  auth_type: Credential['kind'];
  /** Why there is no list. */
  warning?: string;
  /** By model: what is known of it. */
  capabilities: Record<string, { reasoning: boolean }>;
}

export interface ModelQuestion {
  runners: readonly Runner[];
  places: Places;
  /** The runtime that is in use. */
  current: string | null;
  /** How long a program may take for its list; milliseconds. */
  withinMs?: number;
  /** What programs listed when they were asked last; filled and read where it is given. */
  lists?: ModelLists;
  /** Whether programs are started for their lists (true). */
  refresh?: boolean;
}

/** By runtime. */
export type ModelLists = Map<string, Listed>;

/** Programs take a second or two to start. */
const WITHIN_MS = 5000;

export interface Listed {
  models: readonly ModelEntry[];
  warning?: string;
  /** The program was never asked. */
  unasked?: true;
}

async function listOf(runner: Runner, question: ModelQuestion): Promise<Listed> {
  const { lists, refresh = true } = question;
  if (!runner.models) return { models: [] };
  if (!refresh) return lists?.get(runner.id) ?? { models: [], unasked: true };
  const listed = await askFor(runner, question);
  // What is known stays known when the program fails once.
  if (listed.warning === undefined) lists?.set(runner.id, listed);
  return listed;
}

async function askFor(runner: Runner, { runners, places, withinMs = WITHIN_MS }: ModelQuestion): Promise<Listed> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Listed>((resolve) => {
    timer = setTimeout(() => resolve({ models: [], warning: 'it did not list its models in time' }), withinMs);
  });
  const asked = listModels({ runtime: runner.id, env: places.env, runners }).then(
    ({ models, error }): Listed => ({ models, ...(error ? { warning: error.message } : {}) }),
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function optionsOf(runner: Runner, question: ModelQuestion): Promise<ModelOptions> {
  const [{ models, warning, unasked }, credential] = await Promise.all([
    listOf(runner, question),
    credentialOf(runner, question.places),
  ]);
  // Several names of one model would be a longer list of the same.
  const shown = models.filter(({ alias_of }) => alias_of === undefined);
  return {
    slug: runner.id,
    name: runner.title,
    is_current: runner.id === question.current,
    is_user_defined: false,
    models: shown.map(({ id }) => id),
    total_models: shown.length,
    source: unasked ? 'unasked' : shown.length > 0 ? 'listed' : 'none',
    authenticated: credential.kind === 'unknown' ? null : credential.kind !== 'none' || runner.loginHint === null,
    auth_type: credential.kind,
    ...(warning === undefined ? {} : { warning }),
    capabilities: Object.fromEntries(
      shown.map(({ id, effort_levels }) => [id, { reasoning: runner.effort && effort_levels?.length !== 0 }]),
    ),
  };
}

/** Starts the programs that can list their models, each for a moment. @returns installed programs, in the order of a scan */
export async function modelOptions(question: ModelQuestion): Promise<ModelOptions[]> {
  const found = await Promise.all(
    question.runners.map(async (runner) => {
      if (runner.unsupported !== undefined) return null;
      const here = runner.bins.length === 0 || !isMissing(await locate(runner, question.places));
      return here ? optionsOf(runner, question) : null;
    }),
  );
  return found.filter((one) => one !== null);
}
