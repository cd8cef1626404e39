/** One run of Copilot: the prompt goes in, JSON lines come out, and the exit brings the token counts (1.0.102). */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Outcome, Say } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { arr, num, obj, parseObject, str } from '../../src/text/json.js';
import { withoutKey } from '../dialects/openai-error.js';
import { callFailure, FILTERED, sessionError, startFailure } from './errors.js';
import { BRIDGE, LOG, USAGE } from './invoke.js';
import { nativeEnd, nativeTool } from './tools.js';
import { readUsage } from './usage.js';

const say = (event: Say): Action => ({ do: 'say', event });

/** @returns a fresh conversation for one turn */
export function converse(request: TurnRequest, machine: Machine): Conversation {
  const spoken = new Map<string, string>();
  const callerCalls = new Set<string>();
  let sessionTold = false;
  let broken: string | undefined;
  let replaces: string | undefined;
  let retries = 0;
  let failure: Outcome | null = null;
  let startError: Outcome | null = null;
  let lastFailure: { code: ReturnType<typeof callFailure>; message: string } | null = null;
  /** The provider kept the last answer back. */
  let filtered = false;
  let ended = false;

  const session = (): Action[] => {
    if (sessionTold) return [];
    sessionTold = true;
    return [say({ type: 'session', session_id: request.resume ?? machine.ids.session })];
  };
  /** A message that was never completed is repeated by the next one. */
  const started = (id: string): Action[] => {
    replaces = broken;
    broken = undefined;
    spoken.set(id, '');
    return [];
  };
  const text = (type: 'assistant' | 'thinking', id: string, delta: string): Action[] => {
    if (delta === '') return [];
    spoken.set(id, (spoken.get(id) ?? '') + delta);
    if (type === 'assistant') broken = id;
    return [say({ type, text: delta, message_id: id, ...(replaces === undefined ? {} : { replaces }) })];
  };
  const message = (data: JsonObject): Action[] => {
    const id = str(data, 'messageId') ?? '';
    const parent = str(data, 'parentToolCallId');
    const whole = str(data, 'content') ?? '';
    if (parent !== undefined) {
      return whole === '' ? [] : [say({ type: 'assistant', text: whole, message_id: id, parent_tool_use_id: parent })];
    }
    const said = spoken.get(id) ?? '';
    filtered = said === '' && FILTERED.test(whole);
    if (filtered) return [];
    const rest = said === '' ? text('assistant', id, whole) : [];
    broken = undefined;
    const asks = (arr(data, 'toolRequests') ?? []).length > 0;
    return [...rest, ...(asks ? [{ do: 'round', id } as const] : [])];
  };
  const reasoning = (data: JsonObject): Action[] => {
    const id = str(data, 'reasoningId') ?? '';
    return spoken.has(id) ? [] : text('thinking', id, str(data, 'content') ?? '');
  };
  const toolStart = (data: JsonObject): Action[] => {
    const id = str(data, 'toolCallId') ?? '';
    if (str(data, 'mcpServerName') === BRIDGE) {
      callerCalls.add(id);
      return [];
    }
    const parent = str(data, 'parentToolCallId');
    const under = parent === undefined ? {} : { parent_tool_use_id: parent };
    return [say({ type: 'tool_activity', phase: 'start', id, ...nativeTool(data), ...under })];
  };
  const toolEnd = (data: JsonObject): Action[] => {
    const id = str(data, 'toolCallId') ?? '';
    return callerCalls.delete(id) ? [] : [say({ type: 'tool_activity', phase: 'end', id, ...nativeEnd(data) })];
  };
  const subagentStarted = (data: JsonObject, id: string): Action[] => {
    const tool = str(data, 'toolCallId') ?? id;
    const [type, description] = [str(data, 'agentName'), str(data, 'agentDescription')];
    const rest = {
      ...(type === undefined ? {} : { subagent_type: type }),
      ...(description === undefined ? {} : { description }),
    };
    return [say({ type: 'subagent', phase: 'started', id, tool_use_id: tool, ...rest })];
  };
  const subagentEnded = (data: JsonObject, id: string, status: 'completed' | 'failed'): Action[] => {
    const tool = str(data, 'toolCallId') ?? id;
    const usage: Record<string, number> = {};
    for (const [ours, theirs] of [
      ['total_tokens', 'totalTokens'],
      ['tool_uses', 'totalToolCalls'],
      ['duration_ms', 'durationMs'],
    ] as const) {
      const value = num(data, theirs);
      if (value !== undefined) usage[ours] = Math.round(value);
    }
    return [say({ type: 'subagent', phase: 'finished', id, tool_use_id: tool, status, usage })];
  };
  const retry = (data: JsonObject): Action[] => {
    retries++;
    const reason = str(data, 'reason') ?? 'unknown';
    const code = lastFailure?.code ?? null;
    const message = lastFailure?.message || `Copilot tries again (${reason})`;
    const why = lastFailure?.message || `The call of the model failed (${reason})`;
    return [{ do: 'retrying', attempt: retries, max: null, delayMs: null, code, message, why }];
  };
  const callFailed = (data: JsonObject): Action[] => {
    const code = callFailure(data);
    // An error object of the provider, or a string in quotes.
    const raw = str(data, 'errorMessage') ?? '';
    const told = withoutKey(str(parseObject(raw), 'message') ?? raw.replace(/^"(.*)"$/s, '$1'));
    lastFailure = { code, message: told };
    // It would be tried again five times, for nothing.
    return code === 'quota' ? finish({ ok: false, code, message: told }) : [];
  };
  const finish = (outcome: Outcome): Action[] => {
    ended = true;
    return [{ do: 'finish', outcome }];
  };
  const servers = (data: JsonObject): Action[] => {
    const wanted = new Set(request.mcpServers.map((server) => server.name));
    const mcpServers = (arr(data, 'servers') ?? [])
      .map((server) => ({ name: str(server, 'name') ?? '', status: str(server, 'status') ?? '' }))
      .filter((server) => wanted.has(server.name) || (request.settings.length > 0 && server.name !== BRIDGE));
    return [say({ type: 'ready', mcpServers })];
  };

  const event = (record: JsonObject, data: JsonObject, line: string): Action[] => {
    const agent = str(record, 'agentId');
    switch (str(record, 'type')) {
      case 'assistant.message_start':
        return agent === undefined ? started(str(data, 'messageId') ?? '') : [];
      case 'assistant.message_delta':
        return agent === undefined
          ? text('assistant', str(data, 'messageId') ?? '', str(data, 'deltaContent') ?? '')
          : [];
      case 'assistant.reasoning_delta':
        return agent === undefined
          ? text('thinking', str(data, 'reasoningId') ?? '', str(data, 'deltaContent') ?? '')
          : [];
      case 'assistant.reasoning':
        return agent === undefined ? reasoning(data) : [];
      case 'assistant.message':
        return message(data);
      case 'tool.execution_start':
        return toolStart(data);
      case 'tool.execution_complete':
        return toolEnd(data);
      case 'subagent.started':
        return subagentStarted(data, agent ?? '');
      case 'subagent.completed':
        return subagentEnded(data, agent ?? '', 'completed');
      case 'subagent.failed':
        return subagentEnded(data, agent ?? '', 'failed');
      case 'session.mcp_servers_loaded':
        return servers(data);
      case 'model.call_failure':
        return callFailed(data);
      case 'assistant.turn_retry':
        return retry(data);
      case 'session.error':
        failure = sessionError(data);
        return [];
      case 'result': {
        const id = str(record, 'sessionId');
        return id === undefined ? [] : [say({ type: 'session', session_id: id })];
      }
      case undefined:
        return [{ do: 'unread', text: line }];
      default:
        return [];
    }
  };
  /** Copilot's own exit code says nothing (0 after a signal): an error counts when it was reported. */
  const exited = (files: Readonly<Record<string, string | null>>, code: number | null): Action[] => {
    const { actions, models } = readUsage(files[LOG] ?? null, files[USAGE] ?? null, request.resume !== null);
    if (ended) return actions;
    if (failure) return [...actions, ...finish(failure)];
    if (startError) return [...actions, ...finish(startError)];
    if (code !== 0) return actions;
    return [
      ...actions,
      ...finish({
        ok: true,
        stopReason: filtered ? 'refusal' : 'end_turn',
        ...(Object.keys(models).length > 0 ? { modelUsage: models } : {}),
      }),
    ];
  };
  const prompt = (): string =>
    request.system !== null && request.resume === null ? `${request.system}\n\n${request.prompt}` : request.prompt;

  return {
    hear(heard) {
      switch (heard.type) {
        case 'spawned':
          return [{ do: 'feed', text: prompt() }, { do: 'end-stdin' }];
        case 'line': {
          const record = parseObject(heard.text);
          if (!record) return [{ do: 'unread', text: heard.text }];
          if (ended) return [];
          const data: Json | undefined = obj(record, 'data') ?? {};
          return [...session(), ...event(record, data, heard.text)];
        }
        case 'stderr':
          startError = startFailure(heard.text.trim()) ?? startError;
          return [];
        case 'exit':
          return exited(heard.files, heard.code);
        case 'steer':
          return [{ do: 'steered', id: heard.id, delivered: false }];
        case 'stop':
          // Prompt mode listens to signals alone, and writes its counts on SIGTERM.
          return [{ do: 'finish', outcome: { ok: false, code: 'cancelled', message: 'The turn was cancelled.' } }];
        case 'answer':
        case 'decision':
        case 'woken':
        case 'answers':
        case 'mcp':
          return [];
        default: {
          const never: never = heard;
          return [{ do: 'unread', text: JSON.stringify(never) }];
        }
      }
    },
  };
}
