/** What a turn has cost so far, as a running total of the turn. */

import type { ModelUsage } from '../../../src/contract/event.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action, Spent } from '../../../src/runner/action.js';
import { addKnown, num, obj, str } from '../../../src/text/json.js';
import type { StreamProgram } from './options.js';

/** Tokens of one model call; `input` includes what was cached. */
interface Call {
  input: number;
  output: number;
  cached: number;
}

interface Settled {
  models: Record<string, ModelUsage>;
  costUsd: number | null;
}

export interface Usage {
  /** A `message_start` or `message_delta` of the stream: what one call costs. */
  event(line: JsonObject): Action[];
  /** The usage of an `assistant` line. */
  whole(line: JsonObject): Action[];
  /** A `result` line: what everything up to here cost. */
  result(line: JsonObject): Action[];
  /** What was not reported yet, when no `result` will come. */
  flush(): Action[];
  /** By model, when the program reports it. */
  models(): Record<string, ModelUsage> | undefined;
  /** The fullest context of the main agent. */
  peak(): number | undefined;
}

function readCall(usage: JsonObject, before: Call | undefined, cachedIsInput: boolean): Call {
  const input = num(usage, 'input_tokens');
  const cached = num(usage, 'cache_read_input_tokens') ?? before?.cached ?? 0;
  const created = num(usage, 'cache_creation_input_tokens') ?? 0;
  const more = cachedIsInput ? 0 : cached + created;
  return {
    input: input === undefined ? (before?.input ?? 0) : input + more,
    output: num(usage, 'output_tokens') ?? before?.output ?? 0,
    cached,
  };
}

function readModels(table: JsonObject): Settled {
  const models: Record<string, ModelUsage> = {};
  let costUsd: number | null = null;
  for (const [name, one] of Object.entries(table)) {
    models[name] = {
      input: num(one, 'inputTokens') ?? 0,
      output: num(one, 'outputTokens') ?? 0,
      cache_read: num(one, 'cacheReadInputTokens') ?? 0,
      cache_creation: num(one, 'cacheCreationInputTokens') ?? 0,
    };
    costUsd = addKnown(costUsd, num(one, 'costUSD'));
  }
  return { models, costUsd };
}

function add(before: Settled | null, more: Settled): Settled {
  const models: Record<string, ModelUsage> = { ...before?.models };
  for (const [name, one] of Object.entries(more.models)) {
    const had = models[name] ?? { input: 0, output: 0, cache_read: 0, cache_creation: 0 };
    models[name] = {
      input: had.input + one.input,
      output: had.output + one.output,
      cache_read: had.cache_read + one.cache_read,
      cache_creation: had.cache_creation + one.cache_creation,
    };
  }
  return { models, costUsd: addKnown(before?.costUsd, more.costUsd) };
}

/** Key of what a `result` line summed up, among the ids of calls. */
const SUM = 'result ';

export function usage(program: StreamProgram): Usage {
  const calls = new Map<string, Call>();
  let settled: Settled | null = null;
  let streaming = '';
  let peak: number | undefined;

  let fresh = false;

  const report = (): Action[] => {
    if (!fresh) return [];
    fresh = false;
    const total: Spent & { input: number; output: number; cached: number } = {
      input: 0,
      output: 0,
      cached: 0,
      costUsd: settled?.costUsd ?? null,
    };
    for (const one of Object.values(settled?.models ?? {})) {
      total.input += one.input + one.cache_read + one.cache_creation;
      total.output += one.output;
      total.cached += one.cache_read;
    }
    for (const call of calls.values()) {
      total.input += call.input;
      total.output += call.output;
      total.cached += call.cached;
    }
    return [{ do: 'spend', scope: 'turn', spent: total }];
  };
  const take = (id: string, told: JsonObject | undefined, isMain: boolean): void => {
    if (told === undefined) return;
    const call = readCall(told, calls.get(id), program.usage === 'messages');
    calls.set(id, call);
    fresh = true;
    if (isMain) peak = Math.max(peak ?? 0, call.input);
  };
  /** The sum of the turn, which includes what its subagents used; their own messages are not shown (qwen 0.24). */
  const whole = (line: JsonObject): Action[] => {
    const told = obj(line, 'usage');
    if (told === undefined) return report();
    const all = readCall(told, undefined, true);
    const known = [...calls.values()].reduce((sum, call) => sum + call.input, 0);
    if (all.input > known) {
      calls.clear();
      calls.set('all', all);
      fresh = true;
    }
    return report();
  };
  /**
   * A version without `modelUsage`: `usage` is the sum since the last result, `total_cost_usd` that of the process. The
   * stream reports more where subagents worked, since the sum leaves them out.
   */
  const summed = (line: JsonObject): Action[] => {
    const sum = readCall(obj(line, 'usage') ?? {}, undefined, false);
    const streamed = [...calls].filter(([id]) => !id.startsWith(SUM));
    const known = streamed.reduce((total, [, call]) => total + call.input + call.output, 0);
    const told = sum.input + sum.output;
    if (told > known) {
      for (const [id] of streamed) calls.delete(id);
      calls.set(`${SUM}${calls.size}`, sum);
    }
    const cost = num(line, 'total_cost_usd');
    // Without a model call both are 0, which says nothing.
    if (told + known === 0 && !cost) return report();
    settled = { models: settled?.models ?? {}, costUsd: cost ?? settled?.costUsd ?? null };
    fresh = true;
    return report();
  };
  const isMain = (line: JsonObject) => str(line, 'parent_tool_use_id') === undefined;

  return {
    event(line) {
      if (program.usage !== 'result') return [];
      switch (str(line, 'event', 'type')) {
        case 'message_start': {
          // The last call of a turn is reported with the cost, which only the end knows.
          const before = report();
          streaming = str(line, 'event', 'message', 'id') ?? '';
          take(streaming, obj(line, 'event', 'message', 'usage'), isMain(line));
          return before;
        }
        case 'message_delta':
          take(str(line, 'api_message_id') ?? streaming, obj(line, 'event', 'usage'), isMain(line));
          return [];
        default:
          return [];
      }
    },
    whole(line) {
      const told = obj(line, 'message', 'usage');
      // Only the last block of a call has the figures; the ones before it say 0.
      if (program.usage !== 'messages' || told === undefined || !num(told, 'input_tokens')) return [];
      take(str(line, 'message', 'id') ?? '', told, isMain(line));
      return report();
    },
    result(line) {
      if (program.usage !== 'result') return whole(line);
      const since = obj(line, 'model_usage_since_last_result');
      const sums = obj(line, 'modelUsage');
      if (since === undefined && sums === undefined) return summed(line);
      const table = since ?? sums ?? {};
      if (Object.keys(table).length === 0) return report();
      // `modelUsage` counts since the process began, and one process serves one turn (all that claude 2.1.197 has).
      settled = add(since === undefined ? null : settled, readModels(table));
      calls.clear();
      fresh = true;
      return report();
    },
    flush: report,
    models: () => (Object.keys(settled?.models ?? {}).length === 0 ? undefined : settled?.models),
    peak: () => peak,
  };
}
