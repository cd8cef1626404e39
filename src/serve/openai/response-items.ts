/** The items of a response's `input` → what was said. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { type Content, content } from './content.js';
import { invalid } from './failure.js';
import { imageAt, unsupported } from './images.js';
import { entry, text } from './reading.js';
import type { Said } from './said.js';

export interface ItemsRead {
  system: string[];
  messages: Said[];
}

/** Finds an item of an earlier response by its id. */
export type FindItem = (id: string) => Promise<JsonObject | null>;

function part(value: Json, at: string): Content {
  const given = entry(value, at);
  const type = text(given, 'type', at);
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { text: text(given, 'text', at) ?? '', images: [] };
    case 'refusal':
      return { text: text(given, 'refusal', at) ?? '', images: [] };
    case 'input_image': {
      const url = text(given, 'image_url', at);
      if (url === undefined) throw unsupported(`${at}.image_url`, 'expected a data: URL; files are not kept here');
      return { text: '', images: [imageAt(url, `${at}.image_url`)] };
    }
    default:
      throw unsupported(at.replace(/\[\d+\]$/, ''), `parts of type ${JSON.stringify(type ?? null)} are not taken`);
  }
}

const plain = { images: [], calls: [], callId: null };

function message(item: JsonObject, at: string, to: ItemsRead): void {
  const { text: said, images } = content(item['content'], `${at}.content`, part);
  const role = text(item, 'role', at);
  switch (role) {
    case 'system':
    case 'developer':
      if (said !== '') to.system.push(said);
      return;
    case 'user':
    case 'assistant':
      to.messages.push({ role, text: said, images, calls: [], callId: null });
      return;
    default:
      throw invalid(`${at}.role`, 'expected system, developer, user or assistant');
  }
}

async function read(item: JsonObject, at: string, to: ItemsRead, find: FindItem): Promise<void> {
  const type = text(item, 'type', at) ?? 'message';
  switch (type) {
    case 'message':
      return message(item, at, to);
    case 'custom_tool_call':
    case 'function_call': {
      const id = text(item, 'call_id', at) ?? '';
      const call = {
        id,
        name: text(item, 'name', at) ?? '',
        arguments: text(item, type === 'function_call' ? 'arguments' : 'input', at) ?? '{}',
      };
      const last = to.messages.at(-1);
      // Calls of one answer come as items of their own.
      if (last?.role === 'assistant') to.messages[to.messages.length - 1] = { ...last, calls: [...last.calls, call] };
      else to.messages.push({ ...plain, role: 'assistant', text: '', calls: [call] });
      return;
    }
    case 'custom_tool_call_output':
    case 'function_call_output': {
      const { text: output } = content(item['output'], `${at}.output`, part);
      to.messages.push({ ...plain, role: 'tool', text: output, callId: text(item, 'call_id', at) ?? '' });
      return;
    }
    case 'item_reference': {
      const id = text(item, 'id', at) ?? '';
      const found = await find(id);
      if (found === null) throw invalid(`${at}.id`, `there is no item ${id}`, 'item_not_found');
      return read(found, at, to, find);
    }
    // What the agent thought and did is known to its session, and never said again.
    case 'web_search_call':
    case 'file_search_call':
    case 'code_interpreter_call':
    case 'image_generation_call':
    case 'reasoning':
    case 'mcp_call':
      return;
    default:
      throw unsupported(`${at}.type`, `items of type ${JSON.stringify(type)} are not taken`);
  }
}

/**
 * @param path where the list stands
 * @throws ApiError 400
 */
export async function allItems(given: readonly Json[], path: string, find: FindItem): Promise<ItemsRead> {
  const to: ItemsRead = { system: [], messages: [] };
  for (const [index, one] of given.entries()) {
    const at = `${path}[${index}]`;
    if (typeof one === 'string') to.messages.push({ ...plain, role: 'user', text: one });
    else await read(entry(one, at), at, to, find);
  }
  return to;
}

/** @throws ApiError 400 */
export async function readItems(input: Json | undefined, find: FindItem): Promise<ItemsRead> {
  if (typeof input !== 'string' && !Array.isArray(input))
    throw invalid('input', 'expected a text or a list of items', 'missing_value');
  const to = await allItems(Array.isArray(input) ? input : [input], 'input', find);
  const last = to.messages.at(-1);
  if (!last || last.role === 'assistant')
    throw invalid('input', 'the last item is from the user, or the output of a call');
  if (last.role === 'user' && last.text.trim() === '' && last.images.length === 0)
    throw invalid('input', 'expected a text that is not empty', 'missing_value');
  return to;
}
