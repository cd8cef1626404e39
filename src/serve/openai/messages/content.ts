/** Messages of Anthropic's API → what was said. */

import type { Json, JsonObject } from '../../../contract/vocabulary.js';
import { type Content, content } from '../content.js';
import { invalid } from '../failure.js';
import { imageOf, unsupported } from '../images.js';
import { entry, flag, list, object, text } from '../reading.js';
import type { CallSaid, Said } from '../said.js';

/** Text and pictures, as they may stand in a message and in a result. */
function shown(block: JsonObject, at: string): Content {
  const type = text(block, 'type', at);
  switch (type) {
    case 'text':
      return { text: text(block, 'text', at) ?? '', images: [] };
    case 'image': {
      const source = object(block, 'source', at) ?? {};
      const from = `${at}.source`;
      if (text(source, 'type', from) !== 'base64')
        throw unsupported(from, 'expected an image in base64; URLs are not fetched, and files are not kept here');
      const data = text(source, 'data', from) ?? '';
      return { text: '', images: [imageOf(text(source, 'media_type', from) ?? '', data, from)] };
    }
    case 'document': {
      const source = object(block, 'source', at) ?? {};
      if (text(source, 'type', `${at}.source`) !== 'text')
        throw unsupported(`${at}.source`, 'expected a document of plain text');
      return { text: text(source, 'data', `${at}.source`) ?? '', images: [] };
    }
    default:
      throw unsupported(at, `blocks of type ${JSON.stringify(type ?? null)} are not taken`);
  }
}

const shownAt = (value: Json, at: string): Content => shown(entry(value, at), at);

const blocksOf = (message: JsonObject, at: string): JsonObject[] => {
  const given = message['content'];
  if (typeof given === 'string') return [{ type: 'text', text: given }];
  return (list(message, 'content', at) ?? []).map((one, index) => entry(one, `${at}.content[${index}]`));
};

/** Results first: the calls that they answer came before whatever the user adds. */
function ofUser(message: JsonObject, at: string): Said[] {
  const results: Said[] = [];
  const words: Content[] = [];
  blocksOf(message, at).forEach((block, index) => {
    const here = `${at}.content[${index}]`;
    if (block['type'] !== 'tool_result') {
      words.push(shown(block, here));
      return;
    }
    const failed = flag(block, 'is_error', here) ?? false;
    results.push({
      role: 'tool',
      ...content(block['content'], `${here}.content`, shownAt),
      calls: [],
      callId: text(block, 'tool_use_id', here) ?? '',
      ...(failed ? { failed } : {}),
    });
  });
  const said = words.map((one) => one.text).filter((one) => one !== '');
  const images = words.flatMap((one) => one.images);
  if (said.length === 0 && images.length === 0) return results;
  return [...results, { role: 'user', text: said.join('\n'), images, calls: [], callId: null }];
}

function ofAssistant(message: JsonObject, at: string): Said {
  const words: string[] = [];
  const calls: CallSaid[] = [];
  blocksOf(message, at).forEach((block, index) => {
    const here = `${at}.content[${index}]`;
    const type = text(block, 'type', here) ?? '';
    if (type === 'text') words.push(text(block, 'text', here) ?? '');
    else if (type === 'tool_use') {
      const input = JSON.stringify(block['input'] ?? {});
      calls.push({ id: text(block, 'id', here) ?? '', name: text(block, 'name', here) ?? '', arguments: input });
    }
    // What was thought, and what a vendor's own tools did, is known to the session, or was another's.
  });
  return { role: 'assistant', text: words.filter((one) => one !== '').join('\n\n'), images: [], calls, callId: null };
}

/** @throws ApiError 400 */
export function readMessages(body: JsonObject): { system: string[]; messages: Said[] } {
  const given = list(body, 'messages');
  if (given === undefined || given.length === 0)
    throw invalid('messages', 'expected at least one message', 'missing_value');
  const system = [content(body['system'], 'system', shownAt).text];
  const messages = given.flatMap((one, index) => {
    const at = `messages[${index}]`;
    const message = entry(one, at);
    const role = text(message, 'role', at);
    if (role === 'user') return ofUser(message, at);
    if (role === 'assistant') return [ofAssistant(message, at)];
    if (role !== 'system') throw invalid(`${at}.role`, 'expected user or assistant');
    system.push(content(message['content'], `${at}.content`, shownAt).text);
    return [];
  });
  const last = messages.at(-1);
  if (!last) throw invalid('messages', 'expected a text that is not empty', 'missing_value');
  if (last.role === 'assistant')
    throw invalid('messages', 'the last message is from the user: agents can not go on with a begun answer');
  if (last.role === 'user' && last.text.trim() === '' && last.images.length === 0)
    throw invalid(`messages[${given.length - 1}].content`, 'expected a text that is not empty', 'missing_value');
  return { system: system.filter((one) => one !== ''), messages };
}
