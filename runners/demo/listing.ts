/** What the demo program lists of itself, for hosts that show lists of models and sessions. */

import type { ModelQuery, SessionSource } from '../../src/runner/listing.js';
import { arr, bool, parseObject, str } from '../../src/text/json.js';

export const models: ModelQuery = {
  args: ['models'],
  read: (lines, over) =>
    !over
      ? null
      : lines.flatMap((line) => {
          const entry = parseObject(line);
          const id = str(entry, 'id');
          if (id === undefined) return [];
          const [resolved, label] = [str(entry, 'model'), str(entry, 'label')];
          return [
            {
              id,
              ...(resolved === undefined ? {} : { resolved_id: resolved }),
              ...(label === undefined ? {} : { label }),
              ...(bool(entry, 'default') ? { default: true } : {}),
            },
          ];
        }),
};

export const sessions = (): SessionSource => ({
  files: {
    folders: ['$XDG_STATE_HOME/turnout/demo', '~/.local/state/turnout/demo', '$LOCALAPPDATA/turnout/demo'],
    name: /^[A-Za-z0-9-]{1,64}\.json$/,
    read(_name, text) {
      const kept = parseObject(text);
      const id = str(kept, 'id');
      const [first] = arr(kept, 'prompts') ?? [];
      if (id === undefined) return null;
      return { id, title: typeof first === 'string' ? first.slice(0, 200) : null, cwd: str(kept, 'cwd') ?? null };
    },
  },
});
