/** `tools` and `tool_choice` of chat completions and responses → the caller's tools of a turn. */

import type { ToolDefinition } from '../../contract/tool.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { place, type Spelling } from '../../request/place.js';
import { readValue } from '../../request/read-value.js';
import { isObject, str } from '../../text/json.js';
import { invalid } from './failure.js';
import { entry, list } from './reading.js';

export interface Tools {
  tools: readonly ToolDefinition[];
  /** What to say to the agent of how it is to use them; no runtime takes an order. */
  instruction: string | null;
}

/** What the agent is asked for by `tool_choice`, whose name stands in a different place in each API. */
function chosen(choice: Json | undefined): { use: boolean; instruction: string | null } {
  if (choice === undefined || choice === null || choice === 'auto') return { use: true, instruction: null };
  if (choice === 'none') return { use: false, instruction: null };
  if (choice === 'required')
    return { use: true, instruction: 'Call at least one of the given tools before you answer.' };
  const name = str(choice, 'function', 'name') ?? str(choice, 'name');
  if (name !== undefined) return { use: true, instruction: `Call the tool ${name} before you answer.` };
  if (isObject(choice) && choice['type'] === 'allowed_tools') return { use: true, instruction: null };
  throw invalid('tool_choice', 'expected none, auto, required, or a function by name');
}

/**
 * @param definition where name, description and schema of a tool stand: `function` in chat completions, the tool itself in
 * responses
 * @throws ApiError 400 @throws UsageError
 */
export function readTools(
  body: JsonObject,
  spelling: Spelling,
  definition: (tool: JsonObject, at: string) => JsonObject,
): Tools {
  const given = list(body, 'tools') ?? [];
  const { use, instruction } = chosen(body['tool_choice']);
  if (!use || given.length === 0) return { tools: [], instruction: null };
  const declared = given.map((one, index) => {
    const at = `tools[${index}]`;
    const tool = entry(one, at);
    if (tool['type'] !== undefined && tool['type'] !== 'function')
      throw invalid(`${at}.type`, 'only tools of type function can be given');
    const { name, description, parameters } = definition(tool, at);
    return {
      name: name ?? null,
      description: description ?? '',
      ...(parameters === undefined || parameters === null ? {} : { schema: parameters }),
    };
  });
  const tools = readValue('tools', declared, place(spelling, ['tools']), 'json') ?? [];
  return { tools, instruction };
}
