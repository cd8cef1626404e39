/** Models: the answer to the control protocol's first request (seen in 2.1.332). Sessions: one file each, by folder. */

import type { ModelEntry } from '../../src/contract/listing.js';
import { EFFORTS, type Json } from '../../src/contract/vocabulary.js';
import type { ModelQuery, SessionSource } from '../../src/runner/listing.js';
import { arr, at, bool, parseObject, str } from '../../src/text/json.js';

const HELLO = 'turnout-models';

function model(entry: Json): ModelEntry[] {
  const id = str(entry, 'value');
  if (id === undefined) return [];
  const [resolved, label, description] = [
    str(entry, 'resolvedModel'),
    str(entry, 'displayName'),
    str(entry, 'description'),
  ];
  const levels = arr(entry, 'supportedEffortLevels');
  return [
    {
      id,
      ...(resolved === undefined ? {} : { resolved_id: resolved }),
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      ...(id === 'default' ? { default: true } : {}),
      ...(levels ? { effort_levels: EFFORTS.filter((effort) => levels.includes(effort)) } : {}),
    },
  ];
}

export const models: ModelQuery = {
  args: ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--setting-sources', ''],
  say: [
    JSON.stringify({ type: 'control_request', request_id: HELLO, request: { subtype: 'initialize', hooks: null } }),
  ],
  read(lines) {
    for (const line of lines) {
      const reply = parseObject(line);
      if (str(reply, 'response', 'request_id') !== HELLO) continue;
      return (arr(reply, 'response', 'response', 'models') ?? []).flatMap(model);
    }
    return null;
  },
};

const promptOf = (message: Json | undefined): string | undefined =>
  str(message, 'content') ??
  arr(message, 'content')
    ?.map((part) => str(part, 'text'))
    .find((text) => text !== undefined);

/** The folder is named after the working directory, everything but letters and digits as `-`. */
export function sessions(cwd: string): SessionSource {
  const slug = cwd.replace(/[^A-Za-z0-9]/g, '-');
  return {
    files: {
      folders: [`$CLAUDE_CONFIG_DIR/projects/${slug}`, `~/.claude/projects/${slug}`],
      name: /^[0-9a-f-]{36}\.jsonl$/,
      read(name, text) {
        let title: string | null = null;
        let where: string | null = null;
        for (const line of text.split('\n')) {
          const entry = parseObject(line);
          where ??= str(entry, 'cwd') ?? null;
          if (str(entry, 'type') === 'summary') title = str(entry, 'summary') ?? title;
          const own =
            str(entry, 'type') === 'user' && bool(entry, 'isSidechain') !== true && bool(entry, 'isMeta') !== true;
          if (own) title ??= promptOf(at(entry, 'message'))?.slice(0, 200) ?? null;
        }
        // Files without a message are left-overs of starts that came to nothing.
        if (where === null) return null;
        return { id: name.replace(/\.jsonl$/, ''), title, cwd: where };
      },
    },
  };
}
