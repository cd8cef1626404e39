/** A connection whose answers are kept as objects. */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { LineSession } from '../../../src/serve/listen/lines.js';
import { type ConnectionOptions, connection } from '../../../src/serve/ops/connection.js';
import { parseObject } from '../../../src/text/json.js';
import { type Stage, settled, stage } from '../../runs/fake-turn.js';

export interface Talk extends Stage {
  one: LineSession;
  lines: JsonObject[];
  raw: string[];
  send(...requests: (JsonObject | string)[]): Promise<void>;
  /** The lines so far, by kind, and forgets them. */
  take(): string[];
}

export function talk(options: Partial<ConnectionOptions> & { stage?: Stage } = {}): Talk {
  const on = options.stage ?? stage();
  const lines: JsonObject[] = [];
  const raw: string[] = [];
  const one = connection({
    core: on.core,
    scope: 'test',
    out: {
      closed: false,
      ready: () => Promise.resolve(),
      write(line) {
        raw.push(line);
        lines.push(parseObject(line) ?? {});
      },
    },
    ...options,
  });
  return {
    ...on,
    one,
    lines,
    raw,
    async send(...requests) {
      for (const request of requests) one.accept(typeof request === 'string' ? request : JSON.stringify(request));
      for (let i = 0; i < 5; i++) await settled();
    },
    take: () => lines.splice(0).map((line) => String(line['kind'])),
  };
}
