/** What can be chosen on this machine: runtimes that are installed and the models they list. Asked once, then known. */

import type { ModelEntry } from '../../contract/listing.js';
import { locate } from '../../discovery/locate.js';
import { isMissing } from '../../discovery/located.js';
import { pickRuntime } from '../../exec/pick-runtime.js';
import { models as listModels } from '../../inspect/list.js';
import type { Runner } from '../../runner/runner.js';
import type { Core } from '../../runs/core.js';

export interface Catalog {
  /** The runner that a name stands for, and whether its program is there. Null when nothing has that name. */
  find(runtime: string, cwd: string): Promise<{ runner: Runner; installed: boolean } | null>;
  /** The runner of a runtime that was found before. */
  known(runtime: string): Runner | null;
  /** Runtimes that are installed, and ours. */
  installed(): Promise<readonly Runner[]>;
  /** Null while they are not known. */
  models(runtime: string): readonly ModelEntry[] | null;
  /** Resolves when they are known; empty where a runtime lists none. */
  learnModels(runtime: string): Promise<readonly ModelEntry[]>;
}

export function catalog(core: Core): Catalog {
  const found = new Map<string, Runner>();
  const lists = new Map<string, { now: readonly ModelEntry[] | null; later: Promise<readonly ModelEntry[]> }>();
  let here: Promise<readonly Runner[]> | null = null;

  async function isHere(runner: Runner): Promise<boolean> {
    return runner.bins.length === 0 || !isMissing(await locate(runner, core.places()));
  }
  async function ask(runtime: string): Promise<readonly ModelEntry[]> {
    if (!found.get(runtime)?.models) return [];
    const { models } = await listModels({ runtime, env: core.ambient, runners: core.runners });
    // Several names of one model would be a longer list of the same.
    return models.filter(({ alias_of }) => alias_of === undefined);
  }

  return {
    async find(runtime, cwd) {
      const picked = await pickRuntime(runtime, core.runners, core.places(cwd));
      if (!picked) return null;
      const { runner, places } = picked;
      const name = runtime.startsWith('acp:') ? runtime : runner.id;
      found.set(name, runner);
      const installed = runner.bins.length === 0 || !isMissing(await locate(runner, places));
      return { runner, installed };
    },
    known: (runtime) => found.get(runtime) ?? null,
    installed() {
      here ??= Promise.all(
        core.runners.map(async (runner) =>
          runner.unsupported === undefined && (await isHere(runner)) ? runner : null,
        ),
      ).then((all) => {
        const there = all.filter((runner) => runner !== null);
        for (const runner of there) found.set(runner.id, runner);
        return there;
      });
      return here;
    },
    models: (runtime) => lists.get(runtime)?.now ?? null,
    learnModels(runtime) {
      const before = lists.get(runtime);
      if (before) return before.later;
      const later = ask(runtime).then((models) => {
        lists.set(runtime, { now: models, later });
        return models;
      });
      lists.set(runtime, { now: null, later });
      return later;
    },
  };
}
