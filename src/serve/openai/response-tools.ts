/**
 * The kinds of tools that Responses has beyond functions. Codex 0.171 sends namespaces of functions and the vendor's own
 * search with each request, and answers calls by the names that it gave.
 */

import type { ToolCallEvent } from '../../contract/event.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { arr, isObject, str } from '../../text/json.js';
import { callIdOf } from './call-id.js';
import { CALL } from './results.js';

/** Run by the vendor, behind its API: an agent has such tools of its own, or none. */
const HOSTED = /^(web_search|file_search|code_interpreter|image_generation|mcp$|tool_search)/;
/** Between a namespace and a name: an agent knows tools by one name. */
const BETWEEN = '__';

/** A tool whose input is a text, of a grammar perhaps. */
function asFunction(tool: JsonObject): JsonObject {
  const grammar = str(tool, 'format', 'definition');
  const description = [str(tool, 'description') ?? '', grammar === undefined ? '' : `Grammar:\n${grammar}`]
    .filter((one) => one !== '')
    .join('\n\n');
  const input = { type: 'string', description: 'The whole input.' };
  const parameters = { type: 'object', properties: { input }, required: ['input'], additionalProperties: false };
  return { type: 'function', name: tool['name'] ?? null, description, parameters };
}

/** What is left for the caller to run, as functions. Anything unknown stays as it is, and is refused by its type. */
export function asFunctions(tools: readonly Json[]): Json[] {
  return tools.flatMap((tool) => {
    if (!isObject(tool)) return [tool];
    const type = str(tool, 'type') ?? '';
    if (HOSTED.test(type)) return [];
    if (type === 'custom') return [asFunction(tool)];
    if (type !== 'namespace') return [tool];
    const space = str(tool, 'name') ?? '';
    const named = (one: Json): Json =>
      isObject(one) ? { ...one, name: `${space}${BETWEEN}${str(one, 'name') ?? ''}` } : one;
    return asFunctions(arr(tool, 'tools') ?? []).map(named);
  });
}

interface Named {
  name: string;
  namespace: string | null;
  custom: boolean;
}

/** What the caller calls a tool. @param tools as it sent them */
function named(name: string, tools: readonly Json[]): Named {
  for (const tool of tools) {
    const [type, own] = [str(tool, 'type'), str(tool, 'name') ?? ''];
    if (type === 'custom' && own === name) return { name, namespace: null, custom: true };
    const [space, inner] = [`${own}${BETWEEN}`, arr(tool, 'tools') ?? []];
    if (type !== 'namespace' || !name.startsWith(space)) continue;
    const short = name.slice(space.length);
    const found = inner.find((one) => str(one, 'name') === short);
    if (found !== undefined) return { name: short, namespace: own, custom: str(found, 'type') === 'custom' };
  }
  return { name, namespace: null, custom: false };
}

/** One call, as an item and as what is told of it. */
export interface CallItem {
  /** Before its input is known. */
  begun: JsonObject;
  item: JsonObject;
  /** In front of `.delta` and `.done`. */
  event: string;
  /** What the input is called in `.done`. */
  key: 'arguments' | 'input';
  input: string;
  name: string;
}

/** @param id of the item @param tools as the caller sent them */
export function callItem(
  { id: call, name, args }: ToolCallEvent,
  { run, id, tools }: { run: string; id: string; tools: readonly Json[] },
): CallItem {
  const { name: own, namespace, custom } = named(name, tools);
  const call_id = callIdOf(CALL, run, call);
  const type = custom ? 'custom_tool_call' : 'function_call';
  const key = custom ? 'input' : 'arguments';
  const input = custom ? (str(args, 'input') ?? '') : JSON.stringify(args);
  const begun: JsonObject = {
    id,
    type,
    status: 'in_progress',
    call_id,
    name: own,
    ...(namespace === null ? {} : { namespace }),
    [key]: '',
  };
  return {
    begun,
    item: { ...begun, status: 'completed', [key]: input },
    event: custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments',
    key,
    input,
    name: own,
  };
}
