/** Which of an agent's options means what we want to say. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, str } from '../../../src/text/json.js';
import type { Quirks } from './quirks.js';

export const CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };

interface Option {
  id: string;
  kind: string;
}

function options(params: Json): Option[] {
  return (arr(params, 'options') ?? []).flatMap((option) => {
    const id = str(option, 'optionId');
    return id === undefined ? [] : [{ id, kind: str(option, 'kind') ?? '' }];
  });
}

const select = (option: Option | undefined): JsonObject =>
  option === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId: option.id } };

/** Once and no more; an agent that offers no such option (nanocoder 1.30: `allow`) gets its plainest one. */
export function allowOnce(params: Json): JsonObject {
  const all = options(params);
  return select(all.find(({ kind }) => kind === 'allow_once') ?? all.find(({ id }) => /^(allow|yes)$/i.test(id)));
}

export function reject(params: Json): JsonObject {
  const all = options(params);
  return select(
    all.find(({ kind }) => kind === 'reject_once') ??
      all.find(({ kind }) => kind === 'reject_always') ??
      all.find(({ id }) => /^(reject|deny|disable|no|cancel)/i.test(id)),
  );
}

/** For the caller's own tools: so that the same question is not asked again, where that stays within the session. */
export function keepAllowing(params: Json, quirks: Quirks): JsonObject {
  const all = options(params);
  for (const id of quirks.keepAllowing ?? []) {
    const found = all.find((option) => option.id === id);
    if (found) return select(found);
  }
  return allowOnce(params);
}
