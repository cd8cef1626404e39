/** MCP servers that the turn waits for, so that the model has their tools from its first word on. */

import type { McpServerStatus } from '../../src/contract/event.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { str } from '../../src/text/json.js';

export interface Servers {
  expect(names: readonly string[]): void;
  hear(params: JsonObject): void;
  /** Whether every expected server is up or has failed. */
  settled(): boolean;
  all(): McpServerStatus[];
}

export function servers(): Servers {
  const states = new Map<string, string>();
  const reasons = new Map<string, string>();
  const expected = new Set<string>();
  return {
    expect(names) {
      for (const name of names) expected.add(name);
    },
    hear(params) {
      const name = str(params, 'name');
      const status = str(params, 'status');
      if (name === undefined || status === undefined) return;
      states.set(name, status);
      const reason = str(params, 'error');
      if (reason !== undefined) reasons.set(name, reason);
    },
    settled: () => [...expected].every((name) => (states.get(name) ?? 'starting') !== 'starting'),
    all: () =>
      [...expected].map((name) => {
        const reason = reasons.get(name);
        return { name, status: states.get(name) ?? 'starting', ...(reason === undefined ? {} : { reason }) };
      }),
  };
}
