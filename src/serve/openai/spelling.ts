/** How the two request forms of the API spell the options of a turn. */

import { dotted, type Path, type Spelling } from '../../request/place.js';
import { asJson } from '../../request/spelling.js';

export interface Names {
  /** Options that have a key of their own. */
  keys: Readonly<Record<string, string>>;
  /** Where a tool's inner values stand. */
  tools(inner: Path): Path;
  /** Where the schema of the answer stands. */
  schema: Path;
}

/** What has no key of its own is spelled inside `turnout`. */
export function spelling(names: Names): Spelling {
  const keys = new Map(
    Object.entries({ ...names.keys, images: names.keys['prompt'] ?? '', model: 'model', runtime: 'model' }),
  );
  const path = ([name = '', ...inner]: Path): string => {
    if (name === 'tools') return dotted(['tools', ...names.tools(inner)]);
    if (name === 'outputSchema') return dotted([...names.schema, ...inner]);
    return keys.get(`${name}`) ?? `turnout.${asJson.path([name, ...inner])}`;
  };
  return { path, setting: (name, value) => `${path([name])}: ${JSON.stringify(value)}` };
}
