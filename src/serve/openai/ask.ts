/** One request for an answer, in whichever API it came. */

import type { ToolDefinition } from '../../contract/tool.js';
import type { Effort, JsonObject } from '../../contract/vocabulary.js';
import type { Spelling } from '../../request/place.js';
import type { Given } from '../../request/table.js';
import type { Metadata } from '../../runs/records.js';
import type { ModelName } from './model-name.js';
import type { Said } from './said.js';

/** What is shown of the agent's own work beside its answer. */
export const ACTIVITIES = ['none', 'reasoning', 'delta'] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** What the field `turnout` of a request holds: our own options, and how the answer is delivered. */
export interface OwnOptions {
  options: Given;
  activity: Activity;
  /** The turn goes on when its caller leaves. */
  detach: boolean;
}

export interface Ask {
  model: ModelName;
  /** Instructions on top of the runtime's own. */
  system: string | null;
  messages: readonly Said[];
  tools: readonly ToolDefinition[];
  /** Whether several calls may be asked for at once. */
  parallel: boolean;
  effort: Effort | null;
  maxTurns: number | null;
  /** What the answer must be. */
  schema: JsonObject | null;
  metadata: Metadata;
  own: OwnOptions;
  /** How this API calls the options of a turn. */
  spelling: Spelling;
}
