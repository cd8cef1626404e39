/** Token counts of a run, from the file that Copilot writes when it ends; stdout has none (1.0.102). */

import type { ModelUsage } from '../../src/contract/event.js';
import type { Action } from '../../src/runner/action.js';
import { addKnown, num, obj, parseObject } from '../../src/text/json.js';

/** @returns spending and the models that answered; nothing for a file that is missing or empty */
export function readUsage(text: string | null): { actions: Action[]; models: Record<string, ModelUsage> } {
  const metrics = obj(parseObject(text ?? ''), 'modelMetrics') ?? {};
  const models: Record<string, ModelUsage> = {};
  let input: number | null = null;
  let output: number | null = null;
  let cached: number | null = null;
  for (const [model, one] of Object.entries(metrics)) {
    const count = (key: string) => num(one, 'usage', key) ?? null;
    const [all, read, written] = [count('inputTokens'), count('cacheReadTokens'), count('cacheWriteTokens')];
    input = addKnown(input, all);
    output = addKnown(output, count('outputTokens'));
    cached = addKnown(cached, read);
    models[model] = {
      // Cached ones are counted in.
      input: Math.max(0, (all ?? 0) - (read ?? 0) - (written ?? 0)),
      output: count('outputTokens') ?? 0,
      cache_read: read ?? 0,
      cache_creation: written ?? 0,
    };
  }
  if (input === null && output === null) return { actions: [], models: {} };
  const spend: Action = { do: 'spend', scope: 'process', spent: { input, output, cached, costUsd: null } };
  return { actions: [spend, ...Object.keys(models).map((id): Action => ({ do: 'model', id }))], models };
}
