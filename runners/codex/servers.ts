/** MCP servers that the turn waits for, so that the model has their tools from its first word on. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import { str } from '../../src/text/json.js';

export interface Servers {
  expect(names: readonly string[]): void;
  hear(params: JsonObject): void;
  /** Whether every expected server is up or has failed. */
  settled(): boolean;
  all(): { name: string; status: string }[];
}

export function servers(): Servers {
  const states = new Map<string, string>();
  const expected = new Set<string>();
  return {
    expect(names) {
      for (const name of names) expected.add(name);
    },
    hear(params) {
      const name = str(params, 'name');
      const status = str(params, 'status');
      if (name !== undefined && status !== undefined) states.set(name, status);
    },
    settled: () => [...expected].every((name) => (states.get(name) ?? 'starting') !== 'starting'),
    all: () => [...expected].map((name) => ({ name, status: states.get(name) ?? 'starting' })),
  };
}
