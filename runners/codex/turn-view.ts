/** What the app server's notifications say about our turn (methods of 0.171.0). */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Outcome, Say } from '../../src/runner/action.js';
import { arr, bool, num, obj, str } from '../../src/text/json.js';
import { withoutKey } from '../dialects/openai-error.js';
import { codeOf, failedOutcome, isFiltered, retryNumber } from './errors.js';
import { type NativeCall, nativeCall, nativeEnd } from './items.js';
import { planLimits } from './plan-limits.js';
import { rounds } from './rounds.js';
import { subagents, totalTokens } from './subagents.js';
import { texts } from './texts.js';

export interface Opened {
  threadId: string;
  model: string | undefined;
  provider: string | undefined;
  effort: string | undefined;
}

export interface TurnView {
  opened(thread: Opened): void;
  began(turnId: string): void;
  turnId(): string | null;
  hear(method: string, params: JsonObject): Action[];
  /** Makes sure that a native call is reported before a question about it. */
  told(id: string, threadId: string, call: NativeCall): Action[];
  /** A native call that is running. */
  running(id: string): NativeCall | undefined;
  steered(): void;
}

const TOOLS = new Set(['commandExecution', 'fileChange', 'mcpToolCall', 'dynamicToolCall', 'webSearch', 'imageView']);
const FELL_BACK = /^Falling back from WebSockets to HTTPS transport/;
const PLAN = { pending: 'pending', inProgress: 'in_progress', completed: 'completed' } as const;
const KEPT_OUTPUT = 16 * 1024;

const say = (said: readonly Say[]): Action[] => said.map((event) => ({ do: 'say', event }));
const planStatus = (word: string | undefined) =>
  word === 'completed' || word === 'inProgress' ? PLAN[word] : PLAN.pending;

interface Running {
  call: NativeCall;
  /** It has a process: at the end of the turn it is ended, not lost. */
  live: boolean;
  output: string;
}

export function turnView(): TurnView {
  const words = texts();
  const counted = rounds();
  const children = subagents();
  const limits = planLimits();
  const open = new Map<string, Running>();
  const turns = new Set<string>();
  let thread: Opened | null = null;
  let turn: string | null = null;
  let fellBack = false;
  let toldOfSockets = false;
  let retries = 0;
  let peak = 0;
  /** An error that was not announced as a retry. */
  let failed: JsonObject | null = null;

  const isMain = (params: JsonObject) => str(params, 'threadId') === thread?.threadId;
  /** Whether something belongs to our turn: a resumed thread repeats the last report of the turn before. */
  const isOurs = (params: JsonObject) => {
    const turnId = str(params, 'turnId');
    if (isMain(params)) return turnId === turn && turn !== null;
    return children.known(str(params, 'threadId') ?? '') && (turnId === undefined || turns.has(turnId));
  };

  const start = (id: string, threadId: string, call: NativeCall, live: boolean): Action[] => {
    if (open.has(id)) return [];
    open.set(id, { call, live, output: '' });
    const parent = children.parent(threadId);
    const event: Say = {
      type: 'tool_activity',
      phase: 'start',
      id,
      ...call,
      ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
    };
    return say([event]);
  };
  const itemStarted = (item: JsonObject, params: JsonObject): Action[] => {
    const main = isMain(params);
    const type = str(item, 'type') ?? '';
    if (main && type === 'contextCompaction') counted.excused();
    const actions: Action[] = [];
    if (main && (type === 'agentMessage' || type === 'reasoning')) actions.push(...counted.speaks());
    const call = nativeCall(item);
    if (main && (TOOLS.has(type) || call)) actions.push(...counted.tool());
    if (call)
      actions.push(
        ...start(str(item, 'id') ?? '', str(params, 'threadId') ?? '', call, str(item, 'processId') !== undefined),
      );
    return actions;
  };
  const itemCompleted = (item: JsonObject, params: JsonObject): Action[] => {
    const id = str(item, 'id') ?? '';
    const threadId = str(params, 'threadId') ?? '';
    const type = str(item, 'type') ?? '';
    if (isMain(params) && TOOLS.has(type)) counted.toolEnded();
    if (type === 'subAgentActivity') return say(children.activity(item));
    if (type === 'agentMessage' && !isMain(params)) {
      const text = str(item, 'text') ?? '';
      const parent = children.parent(threadId);
      children.said(threadId, text);
      return text === '' || parent === undefined
        ? []
        : say([{ type: 'assistant', text, message_id: id, parent_tool_use_id: parent }]);
    }
    if (type === 'agentMessage' || type === 'reasoning') return isMain(params) ? say(words.completed(item)) : [];
    const call = nativeCall(item);
    if (!call) return [];
    const actions = open.has(id) ? [] : itemStarted(item, params);
    if (type === 'collabAgentToolCall' && str(item, 'tool') === 'spawnAgent')
      actions.push(...say(children.spawned(item)));
    open.delete(id);
    return [...actions, ...say([{ type: 'tool_activity', phase: 'end', id, ...nativeEnd(item) }])];
  };
  const usage = (params: JsonObject): Action[] => {
    const last = obj(params, 'tokenUsage', 'last');
    // An answer that was cut off is reported with zeros (0.171.0): nothing is known of it.
    if (num(last, 'totalTokens') === 0) return [];
    const input = num(last, 'inputTokens') ?? null;
    if (isMain(params)) {
      counted.callEnded();
      words.settled();
      retries = 0;
      peak = Math.max(peak, input ?? 0);
    } else children.spent(str(params, 'threadId') ?? '', totalTokens(params));
    const spent = {
      input,
      output: num(last, 'outputTokens') ?? null,
      cached: num(last, 'cachedInputTokens') ?? null,
      costUsd: null,
    };
    return [{ do: 'spend', scope: 'delta', spent }];
  };
  const failure = (params: JsonObject): Action[] => {
    if (!isMain(params)) return [];
    const error = obj(params, 'error') ?? {};
    if (bool(params, 'willRetry') !== true) {
      failed = error;
      return [];
    }
    const details = str(error, 'additionalDetails');
    // Tried again the answer would be filtered again.
    if (isFiltered(details)) return finish({ ok: true, stopReason: 'refusal' });
    words.broken();
    const text = str(error, 'message') ?? 'codex tries again';
    const message = withoutKey(details === undefined ? text : `${details} (${text})`);
    const code = codeOf(error['codexErrorInfo']);
    const verdict = code === 'auth' || code === 'quota' || code === 'rate-limited';
    const number = retryNumber(text);
    retries = number?.attempt ?? retries + 1;
    // OpenAI's own provider tries WebSockets five times before it speaks HTTPS: behind many proxies that is every turn,
    // and no reason to end it. One notice reports it, the next one that HTTPS is used.
    if (thread?.provider === 'openai' && !fellBack && !verdict) {
      const first = !toldOfSockets;
      toldOfSockets = true;
      return first ? say([{ type: 'notice', code: 'runtime-message', message }]) : [];
    }
    // "Reconnecting... 2/5" explains no end.
    const why = withoutKey(details ?? (number === null ? text : 'the connection to the model service broke off'));
    return [{ do: 'retrying', attempt: retries, max: number?.max ?? null, delayMs: null, code, message, why }];
  };
  const finish = (outcome: Outcome): Action[] => {
    const ends: Say[] = [...open].map(([id, one]) => ({
      type: 'tool_activity',
      phase: 'end',
      id,
      ok: false,
      output: one.output,
      ...(one.live ? { cancelled: true } : {}),
    }));
    open.clear();
    return [...say([...ends, ...children.stopAll()]), { do: 'finish', outcome }];
  };
  const turnCompleted = (params: JsonObject): Action[] => {
    const threadId = str(params, 'threadId') ?? '';
    const status = str(params, 'turn', 'status');
    if (!isMain(params)) return children.known(threadId) ? say(children.turnCompleted(threadId, status)) : [];
    if (turn === null || str(params, 'turn', 'id') !== turn) {
      const message = 'codex ended a turn of its own; the answer to the prompt is still awaited.';
      return say([{ type: 'notice', code: 'other-turn', message }]);
    }
    // An error that nothing followed has failed the turn, whatever its status says.
    const error = obj(params, 'turn', 'error') ?? failed;
    if (status === 'failed' || (status === 'completed' && error)) {
      return finish(failedOutcome(error ?? undefined, limits.resetsAt()));
    }
    if (status !== 'completed')
      return finish({ ok: false, code: 'runner-error', message: `codex ended the turn as ${status}` });
    return finish({
      ok: true,
      stopReason: 'end_turn',
      ...(thread?.effort === undefined ? {} : { effort: thread.effort }),
      ...(peak === 0 ? {} : { peakContextTokens: peak }),
    });
  };
  const turnStarted = (params: JsonObject): Action[] => {
    const id = str(params, 'turn', 'id');
    const threadId = str(params, 'threadId');
    if (id === undefined || threadId === undefined) return [];
    // Ours is the one that the answer to our request names.
    if (
      !isMain(params) &&
      (children.known(threadId) || (turn !== null && str(params, 'turn', 'rootTurnId') === turn))
    ) {
      children.add(threadId);
      turns.add(id);
    }
    return [];
  };
  const plan = (params: JsonObject): Action[] => {
    const entries = (arr(params, 'plan') ?? []).map((step) => ({
      content: str(step, 'step') ?? '',
      status: planStatus(str(step, 'status')),
    }));
    return say([{ type: 'plan', entries }]);
  };
  const rerouted = (params: JsonObject): Action[] => {
    const model = str(params, 'toModel');
    if (model === undefined) return [];
    const message = `codex answers with ${model} instead of ${str(params, 'fromModel') ?? 'the requested model'}`;
    return [{ do: 'model', id: model }, ...say([{ type: 'notice', code: 'model-changed', message }])];
  };
  const warning = (params: JsonObject): Action[] => {
    const message = str(params, 'message') ?? '';
    if (!isMain(params) || !FELL_BACK.test(message)) return [];
    fellBack = true;
    return say([{ type: 'notice', code: 'runtime-message', message }]);
  };

  return {
    opened(one) {
      thread = one;
    },
    began(id) {
      turn ??= id;
    },
    turnId: () => turn,
    running: (id) => open.get(id)?.call,
    steered: () => counted.excused(),
    told: (id, threadId, call) => start(id, threadId, call, false),
    hear(method, params) {
      switch (method) {
        case 'turn/started':
          return turnStarted(params);
        case 'turn/completed':
          return turnCompleted(params);
        case 'warning':
          return warning(params);
        case 'account/rateLimits/updated':
          limits.hear(params);
          return [];
      }
      if (!isOurs(params)) return [];
      const id = str(params, 'itemId') ?? '';
      const delta = str(params, 'delta') ?? '';
      switch (method) {
        case 'item/agentMessage/delta':
          failed = null;
          return isMain(params) ? say(words.assistant(id, delta)) : [];
        case 'item/reasoning/summaryTextDelta':
          return isMain(params) ? say(words.thinking(id, delta, 'summary', num(params, 'summaryIndex') ?? 0)) : [];
        case 'item/reasoning/textDelta':
          return isMain(params) ? say(words.thinking(id, delta, 'raw', num(params, 'contentIndex') ?? 0)) : [];
        case 'item/started':
          return itemStarted(obj(params, 'item') ?? {}, params);
        case 'item/completed':
          return itemCompleted(obj(params, 'item') ?? {}, params);
        case 'item/commandExecution/outputDelta': {
          const one = open.get(id);
          if (one) {
            one.live = true;
            one.output = (one.output + delta).slice(-KEPT_OUTPUT);
          }
          return [];
        }
        case 'turn/plan/updated':
          return isMain(params) ? plan(params) : [];
        case 'thread/tokenUsage/updated':
          return usage(params);
        case 'error':
          return failure(params);
        case 'model/rerouted':
          return isMain(params) ? rerouted(params) : [];
        default:
          return [];
      }
    },
  };
}
