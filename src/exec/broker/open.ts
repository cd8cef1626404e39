/** Opens a turn's broker: which key it holds back, and what the program gets in its place. */

import type { TurnRequest } from '../../runner/request.js';
import type { Runner } from '../../runner/runner.js';
import type { Wire } from '../../turn/wire.js';
import { openEndpoint } from './endpoint.js';

export interface Broker {
  wire: Wire;
  /** The environment without the key, wherever it stood. */
  without<Value extends string | undefined>(env: Readonly<Record<string, Value>>): Record<string, Value>;
  /** Variables for the program. */
  set: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * @param env the environment outside, the caller's variables included
 * @returns the broker, or why there can be none
 * @throws when no port can be had
 */
export async function openBroker(
  runner: Runner,
  request: TurnRequest,
  env: NodeJS.ProcessEnv,
): Promise<Broker | { refuse: string }> {
  const { brokered } = runner;
  if (brokered === undefined) {
    return { refuse: `${runner.id} can't be pointed at an endpoint of turnout by its environment (--broker)` };
  }
  const key = env[brokered.key];
  if (!key) return { refuse: `--broker keeps an API key, and ${brokered.key} is not set for ${runner.id}` };
  const address = env[brokered.address] || brokered.vendor;
  if (!address || !URL.canParse(address) || !/^https?:/.test(address)) {
    return { refuse: `--broker needs the vendor's address in ${brokered.address} for ${runner.id}` };
  }
  const upstream = new URL(address);
  const total = { input: null as number | null, output: null as number | null, cached: null as number | null };
  const listeners: ((model: string | null) => void)[] = [];
  const most = request.budgetTokens ?? null;
  const used = (): number => (total.input ?? 0) + (total.output ?? 0);
  const endpoint = await openEndpoint({
    upstream,
    key,
    refuse: () => (most !== null && used() > most ? `the budget of ${most} tokens is used up` : null),
    used(one) {
      for (const field of ['input', 'output', 'cached'] as const) {
        if (one[field] !== null) total[field] = (total[field] ?? 0) + one[field];
      }
      if (one.input !== null || one.output !== null) for (const listener of listeners) listener(one.model);
    },
  });
  return {
    wire: { total: () => ({ ...total, costUsd: null }), listen: (listener) => listeners.push(listener) },
    without: (from) =>
      Object.fromEntries(
        Object.entries(from).filter(([name, value]) => value?.includes(key) !== true && name !== brokered.address),
      ),
    set: {
      [brokered.key]: endpoint.token,
      [brokered.address]: `${endpoint.address}${upstream.pathname.replace(/\/$/, '')}`,
    },
    close: endpoint.close,
  };
}
