/** A prompt as the client wrote it → the text and the pictures of one turn. */

import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import { invalid } from './errors.js';

export interface Prompt {
  text: string;
  /** Base64. */
  pictures: { data: string; mimeType: string }[];
  /** What the user wrote, without what was attached. */
  said: string;
  /** Whether the text is all there is, so that it can stand for the blocks. */
  plain: boolean;
}

/** A `file:` address as a path, which agents know better; other addresses as they are. */
export function placeOf(uri: string): string {
  if (!/^file:/i.test(uri)) return uri;
  try {
    return fileURLToPath(uri.replace(/[#?].*$/, ''));
  } catch {
    return uri;
  }
}

const attached = (place: string, text: string): string =>
  `<file name=${JSON.stringify(place)}>\n${text}${text.endsWith('\n') ? '' : '\n'}</file>`;

/** @param takesPictures what to say when it does not, else null @throws RequestError invalid params */
export function readPrompt(blocks: readonly ContentBlock[], takesPictures: string | null): Prompt {
  const body: string[] = [];
  const behind: string[] = [];
  const said: string[] = [];
  const pictures: Prompt['pictures'] = [];
  const picture = (data: string, mimeType: string) => {
    if (takesPictures !== null) throw invalid(takesPictures);
    pictures.push({ data, mimeType });
  };
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        body.push(block.text);
        said.push(block.text);
        break;
      case 'image':
        picture(block.data, block.mimeType);
        break;
      case 'resource_link':
        body.push(`[${block.title ?? block.name}](${placeOf(block.uri)})`);
        break;
      case 'resource': {
        const { resource } = block;
        const place = placeOf(resource.uri);
        if ('text' in resource) {
          body.push(`[${place.split(/[\\/]/).at(-1) ?? place}](${place})`);
          behind.push(attached(place, resource.text));
        } else if (resource.mimeType?.startsWith('image/')) picture(resource.blob, resource.mimeType);
        else throw invalid(`${place}: only text and images can be handed to the agent`);
        break;
      }
      case 'audio':
        throw invalid('audio is not taken; the capabilities said so');
      default: {
        const never: never = block;
        throw invalid(`unknown content ${JSON.stringify(never)}`);
      }
    }
  }
  const text = [body.join(''), ...behind].join('\n\n').trim();
  if (text === '' && pictures.length === 0) throw invalid('the prompt is empty');
  return {
    // A runtime wants words beside a picture.
    text: text === '' ? 'See the attached image.' : text,
    pictures,
    said: said.join('').trim(),
    plain: blocks.every(({ type }) => type === 'text'),
  };
}
