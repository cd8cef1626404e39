/**
 * `--access none`: a thread that offers none of codex's own tools (0.171.0). Without an environment there is no shell, no patch
 * and no picture to look at; the rest is switched off by name. The user's own servers and skills stay out too.
 */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { arr } from '../../src/text/json.js';

/** Features whose tools a thread would offer. */
const FEATURES = [
  'apps',
  'browser_use',
  'computer_use',
  'goals',
  'image_generation',
  'multi_agent',
  'plugins',
  'shell_tool',
  'skill_search',
  'sleep_tool',
  'tool_suggest',
  'unified_exec',
  'view_image',
];

/** For `thread/start` and, on a thread that is resumed, for `turn/start`. */
export const NO_ENVIRONMENT: JsonObject = { environments: [] };

/** Configuration of such a thread. */
export function withoutTools(): JsonObject {
  const off = { enabled: false };
  return {
    web_search: 'disabled',
    tools: { update_plan: off, experimental_request_user_input: off },
    features: Object.fromEntries(FEATURES.map((name) => [name, false])),
  };
}

/** The first version in which this was seen to hold. */
export const NONE_SINCE: readonly number[] = [0, 171, 0];

/** Whether a thread that was just started has an environment all the same. A resumed one loses it with the turn. */
export function keepsTools(opened: Json): boolean {
  return arr(opened, 'thread', 'environments')?.length !== 0;
}
