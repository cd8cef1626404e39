/** Cline's `--json` stream (3.0.65): hook events without content, agent events, and `run_result` as the last line. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { bool, num, obj, parseObject, str } from '../../src/text/json.js';
import { exitWords } from '../dialects/exit-words.js';
import { notice } from '../dialects/notice.js';
import { oneShot } from '../dialects/one-shot.js';
import { type NativeError, outcomeOfError } from './errors.js';
import { replacesServers, SERVER } from './invoke.js';
import { speakers } from './speakers.js';
import { endOf, inputFor, kindFor } from './tools.js';

export function converse(request: TurnRequest, machine: Machine): Conversation {
  return oneShot((finish) => {
    const hasTools = request.toolsOn && request.tools.length > 0;
    const who = speakers();
    /** Numbers the blocks of text and of thinking: an end closes one, deltas are called `content_start`. */
    const blocks = new Map<string, { count: number; spoke: boolean }>();
    const blockOf = (key: string) => {
      const block = blocks.get(key) ?? { count: 0, spoke: false };
      blocks.set(key, block);
      return block;
    };
    let toldOfLost = false;
    let iteration = 0;
    let failed: NativeError | null = null;
    /** The running total of each agent: that of a helper begins at 0. */
    const costs = new Map<string, number>();
    let begun = false;
    let toldOfCost = false;

    const speak = (type: 'assistant' | 'thinking', text: string | undefined, whole: boolean): Action[] => {
      const speaker = who.now();
      if (speaker === 'unknown') {
        if (toldOfLost) return [];
        toldOfLost = true;
        const about = 'what several helpers say at once is left out: cline does not tell which of them speaks';
        return [notice('text-left-out', about)];
      }
      const key = speaker === null ? type : `${type} of ${speaker.helper}`;
      const block = blockOf(key);
      const message_id = `${key} ${block.count}`;
      const repeats = whole && block.spoke;
      block.spoke = !whole;
      if (whole) block.count++;
      if (text === undefined || text === '' || repeats) return [];
      // An error is repeated as if it were an answer, or the model answers after all.
      if (text === failed?.message) return [];
      failed = null;
      const parent = speaker === null ? {} : { parent_tool_use_id: speaker.helper };
      return [{ do: 'say', event: { type, text, message_id, ...parent } }];
    };
    /** Our own server reports calls of the caller's tools. */
    const isCallers = (name: string) => hasTools && name.startsWith(`${SERVER}__`);
    const serverOf = (name: string) => request.mcpServers.find((server) => name.startsWith(`${server.name}__`))?.name;

    const toolStart = (event: JsonObject): Action[] => {
      const name = str(event, 'toolName') ?? '';
      const id = str(event, 'toolCallId') ?? '';
      const speaker = who.now();
      const rounds: Action[] = speaker === null ? [{ do: 'round', id: `iteration ${iteration}` }] : [];
      const parent = speaker === null || speaker === 'unknown' ? {} : { parent_tool_use_id: speaker.helper };
      who.toolStart(name, id);
      if (isCallers(name)) return rounds;
      const server = serverOf(name);
      if (server !== undefined) {
        const input = { server, tool: name.slice(server.length + 2), arguments: obj(event, 'input') ?? {} };
        const began = { type: 'tool_activity', phase: 'start', id, name, kind: 'mcp', input, ...parent } as const;
        return [...rounds, { do: 'say', event: began }];
      }
      const kind = kindFor(name, event['input']);
      const input = inputFor(name, event['input']);
      return [
        ...rounds,
        { do: 'say', event: { type: 'tool_activity', phase: 'start', id, name, kind, input, ...parent } },
      ];
    };
    const toolEnd = (event: JsonObject): Action[] => {
      who.toolEnd(str(event, 'toolCallId') ?? '');
      if (isCallers(str(event, 'toolName') ?? '')) return [];
      const { ok, output, denied, exitCode } = endOf(event);
      return [
        {
          do: 'say',
          event: {
            type: 'tool_activity',
            phase: 'end',
            id: str(event, 'toolCallId') ?? '',
            ok,
            output,
            ...(denied ? { denied } : {}),
            ...(exitCode === undefined ? {} : { exit_code: exitCode }),
          },
        },
      ];
    };
    const unpriced = (costUsd: number | null): Action[] => {
      if (costUsd !== null || request.budgetUsd === null || toldOfCost) return [];
      toldOfCost = true;
      const message = "cline knows no price for this model; --budget-usd can't be checked";
      return [notice('budget-unchecked', message)];
    };
    /** One model call; its cost is the growth of a running total, which stays 0 where no price is known. */
    const usage = (event: JsonObject): Action[] => {
      const total = num(event, 'totalCost') ?? 0;
      const speaker = who.now();
      const key = speaker === null || speaker === 'unknown' ? String(speaker) : speaker.helper;
      // The totals of several helpers can't be separated.
      const costUsd = total > 0 && speaker !== 'unknown' ? total - (costs.get(key) ?? 0) : null;
      costs.set(key, total);
      return [
        ...unpriced(costUsd),
        {
          do: 'spend',
          scope: 'delta',
          spent: {
            input: num(event, 'inputTokens') ?? null,
            output: num(event, 'outputTokens') ?? null,
            cached: num(event, 'cacheReadTokens') ?? null,
            costUsd,
          },
        },
      ];
    };

    const content = (event: JsonObject, text: string): Action[] => {
      const isEnd = str(event, 'type') === 'content_end';
      switch (str(event, 'contentType')) {
        case 'text':
          return speak('assistant', str(event, 'text'), isEnd);
        case 'reasoning':
          return speak('thinking', str(event, 'reasoning'), isEnd);
        case 'tool':
          return isEnd ? toolEnd(event) : toolStart(event);
        default:
          return [{ do: 'unread', text }];
      }
    };
    /** By its first model call its servers are up or abandoned; it does not say which. */
    const ready = (): Action[] => {
      if (begun) return [];
      begun = true;
      const mcpServers = request.mcpServers.map(({ name }) => ({ name, status: 'unknown' }));
      return [{ do: 'say', event: { type: 'ready', mcpServers } }];
    };
    const agentEvent = (event: JsonObject, text: string): Action[] => {
      switch (str(event, 'type')) {
        case 'iteration_start':
          if (who.now() === null) iteration = num(event, 'iteration') ?? iteration + 1;
          return ready();
        case 'content_start':
        case 'content_end':
          return content(event, text);
        case 'usage':
          return usage(event);
        case 'notice': {
          const message = str(event, 'message');
          return message === undefined ? [] : [notice('runtime-message', message)];
        }
        case 'error':
          if (bool(event, 'recoverable') !== true) {
            const message = str(event, 'error', 'message') ?? 'Cline failed without saying why.';
            failed = { message, kind: str(event, 'errorClass') };
          }
          return [];
        case 'content_update':
        case 'iteration_end':
        case 'done':
          return [];
        default:
          return [{ do: 'unread', text }];
      }
    };

    const result = (line: JsonObject): Action[] => {
      const model = str(line, 'model', 'id');
      const answered: Action[] = model === undefined ? [] : [{ do: 'model', id: model }];
      const reason = str(line, 'finishReason');
      const text = str(line, 'text');
      if (reason === 'completed' && failed === null) {
        return [...answered, ...finish({ ok: true, stopReason: 'end_turn', ...(text ? { text } : {}) })];
      }
      // On an error its text is the error.
      const error = failed ?? { message: text || `Cline ended with ${reason ?? 'no reason'}.`, kind: undefined };
      return [...answered, ...finish(outcomeOfError(error))];
    };

    const line = (text: string): Action[] => {
      const one = parseObject(text);
      if (one === undefined) return text.trim() === '' ? [] : [{ do: 'unread', text }];
      switch (str(one, 'type')) {
        case 'hook_event':
          who.hook(one);
          return [];
        case 'agent_event':
          return agentEvent(obj(one, 'event') ?? {}, text);
        case 'run_result':
          return result(one);
        default:
          return [{ do: 'unread', text }];
      }
    };

    /** Its stack traces and warnings go to stderr as well; what ends it is one JSON object. */
    const stderr = (text: string): Action[] => {
      const one = parseObject(text);
      const message = str(one, 'message');
      if (str(one, 'type') === 'error' && message !== undefined) failed ??= { message, kind: undefined };
      return [];
    };
    const spawned = (): Action[] => {
      if (!request.settings.includes('user') || !replacesServers(request, machine)) return [];
      const message = "Beside the caller's tools and servers, cline loads none of the user's own MCP servers.";
      return [notice('mcp-server-ignored', message)];
    };
    const exit = (code: number | null, signal: string | null): Action[] => {
      if (failed !== null) return finish(outcomeOfError(failed));
      const how = exitWords(code, signal);
      return finish({ ok: false, code: 'runner-error', message: `Cline ${how} before its turn was over.` });
    };

    return {
      title: 'Cline',
      stdin: null,
      spawned,
      line,
      stderr,
      exit: (heard) => exit(heard.code, heard.signal),
    };
  });
}
