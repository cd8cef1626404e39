/** Models: one id a line. Sessions: one JSON document (seen in opencode 1.18.33). */

import type { ModelQuery, SessionFound, SessionSource } from '../../../src/runner/listing.js';
import { num, parseJson, str } from '../../../src/text/json.js';

export const models: ModelQuery = {
  args: ['models'],
  read: (lines, over) => (over ? lines.filter((line) => /^[\w.-]+\/\S+$/.test(line)).map((id) => ({ id })) : null),
};

/** An empty list prints nothing at all. */
function read(lines: readonly string[], over: boolean): SessionFound[] | null {
  if (!over) return null;
  const text = lines.join('\n').trim();
  const list = text === '' ? [] : parseJson(text);
  if (!Array.isArray(list)) return null;
  return list.flatMap((entry) => {
    const id = str(entry, 'id');
    if (id === undefined) return [];
    const time = num(entry, 'updated') ?? num(entry, 'created') ?? null;
    return [{ id, title: str(entry, 'title') ?? null, time, cwd: str(entry, 'directory') ?? null }];
  });
}

export const sessions = (): SessionSource => ({ ask: { args: ['session', 'list', '--format', 'json'], read } });
