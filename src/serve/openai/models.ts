/** `/v1/models`: what may stand in `model`. Nothing is started for it. */

import { scan } from '../../discovery/scan.js';
import type { Core } from '../../runs/core.js';
import { AUTO, type ModelRules, readModel } from './model-name.js';
import { type Compat, namesOf } from './names.js';

export interface Model {
  id: string;
  object: 'model';
  /** Seconds since 1970. */
  created: number;
  owned_by: string;
  /** As OpenAI once had them, for clients of hermes-agent. */
  permission?: [];
  root?: string;
  parent?: null;
}

const named = (id: string, owned_by: string, created: number): Model => ({ id, object: 'model', created, owned_by });

/** @param created when the server was started, seconds since 1970 */
export async function listModels(core: Core, created: number, compat?: Compat): Promise<Model[]> {
  // Its clients expect the one; the others are at /api/model/options.
  const { model: virtual } = namesOf(compat);
  if (compat === 'hermes') return [{ ...named(virtual, compat, created), permission: [], root: virtual, parent: null }];
  const { agents } = await scan(core.runners, { places: core.places(), all: true, installed: true });
  const model = (id: string, by: string): Model => named(id, by, created);
  const usable = agents.filter((agent) => agent.execution_supported);
  return [model(AUTO, AUTO), ...usable.map(({ id }) => model(id, id))];
}

/** One model by name, whether or not it is listed: only the runtime knows its own models. @throws ApiError 404 */
export function oneModel(id: string, rules: ModelRules, created: number): Model {
  const { runner } = readModel(id, rules);
  return { id, object: 'model', created, owned_by: runner?.id ?? AUTO };
}

/** With what clients of Anthropic's API look for, besides. */
export const asAnthropic = (model: Model): Model & { type: 'model'; display_name: string; created_at: string } => ({
  ...model,
  type: 'model',
  display_name: model.id,
  created_at: new Date(model.created * 1000).toISOString(),
});
