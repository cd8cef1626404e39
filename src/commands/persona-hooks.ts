/** Under another name a turn has its defaults and its words. */

import type { AccessMode } from '../contract/vocabulary.js';
import type { StdioOptions } from '../exec/exec-stdio.js';
import { personaOf } from './persona-name.js';

/** @param asked the access mode that the caller gave, or the default */
export async function personaHooks(asked: { access: AccessMode }): Promise<Pick<StdioOptions, 'adapt' | 'say'>> {
  if (personaOf() === null) return {};
  const { originalEvent, originalRequest } = await import('../exec/persona.js');
  return { adapt: originalRequest, say: (event) => originalEvent(event, asked) };
}
