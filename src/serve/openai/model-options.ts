/** `GET /api/model/options`: what can be chosen, by runtime. Only `?refresh=1` starts the programs to ask them. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { type ModelLists, modelOptions } from '../../inspect/model-options.js';
import type { Core } from '../../runs/core.js';
import type { Exchange } from '../listen/surface.js';

/** @param lists what programs listed when they were asked last */
export async function optionsShown({ query }: Exchange, core: Core, lists: ModelLists): Promise<JsonObject> {
  const refresh = ['1', 'true', 'yes'].includes(query.get('refresh') ?? '');
  const found = await modelOptions({ runners: core.runners, places: core.places(), current: null, lists, refresh });
  return { providers: found.map((one): JsonObject => ({ ...one })), provider: null, model: null };
}
