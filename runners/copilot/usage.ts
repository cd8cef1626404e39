/**
 * Token counts; stdout has none (1.0.102). The session's own log has a record of each call, written at once. The file of
 * `--usage-output-file` comes with the end, and counts the session from its first turn on.
 */

import type { ModelUsage } from '../../src/contract/event.js';
import type { Json } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import { addKnown, num, obj, parseObject, str } from '../../src/text/json.js';

export interface Counted {
  actions: Action[];
  models: Record<string, ModelUsage>;
}

/** One model's counts, or one call's. */
type Counts = readonly [model: string, usage: Json | undefined];

const NONE: Counted = { actions: [], models: {} };

function counted(all: readonly Counts[], scope: 'process' | 'session'): Counted {
  const models: Record<string, ModelUsage> = {};
  let input: number | null = null;
  let output: number | null = null;
  let cached: number | null = null;
  for (const [model, usage] of all) {
    const count = (key: string) => num(usage, key) ?? null;
    const [whole, said] = [count('inputTokens'), count('outputTokens')];
    const [read, written] = [count('cacheReadTokens'), count('cacheWriteTokens')];
    input = addKnown(input, whole);
    output = addKnown(output, said);
    cached = addKnown(cached, read);
    const before = models[model];
    models[model] = {
      // Cached ones are counted in.
      input: (before?.input ?? 0) + Math.max(0, (whole ?? 0) - (read ?? 0) - (written ?? 0)),
      output: (before?.output ?? 0) + (said ?? 0),
      cache_read: (before?.cache_read ?? 0) + (read ?? 0),
      cache_creation: (before?.cache_creation ?? 0) + (written ?? 0),
    };
  }
  if (input === null && output === null) return NONE;
  const spend: Action = { do: 'spend', scope, spent: { input, output, cached, costUsd: null } };
  return { actions: [spend, ...Object.keys(models).map((id): Action => ({ do: 'model', id }))], models };
}

/** The calls since the session was begun or last resumed. */
function ofLog(log: string): Counts[] {
  let calls: Counts[] = [];
  for (const line of log.split('\n')) {
    if (!/"session\.(usage_record|resume)"/.test(line)) continue;
    const record = parseObject(line);
    const type = str(record, 'type');
    if (type === 'session.resume') calls = [];
    if (type === 'session.usage_record') {
      const usage = obj(record, 'data', 'usage');
      calls.push([str(usage, 'model') ?? 'unknown', usage]);
    }
  }
  return calls;
}

/**
 * @param log the session's log, null where it was not found
 * @param total the file that Copilot writes when it ends
 * @param resumed the total counts earlier turns too
 * @returns spending and the models that answered
 */
export function readUsage(log: string | null, total: string | null, resumed: boolean): Counted {
  const calls = ofLog(log ?? '');
  if (calls.length > 0) return counted(calls, 'process');
  const metrics = Object.entries(obj(parseObject(total ?? ''), 'modelMetrics') ?? {});
  const all = metrics.map(([model, one]): Counts => [model, obj(one, 'usage')]);
  const { actions, models } = counted(all, resumed ? 'session' : 'process');
  return { actions, models: resumed ? {} : models };
}
