/** Letta Code's stream (0.32.18): messages come as pieces that share an id; a conversation is what is continued. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { arr, num, obj, parseObject, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';
import { withSystem } from '../dialects/argv-prompt.js';
import { exitWords } from '../dialects/exit-words.js';
import { oneShot } from '../dialects/one-shot.js';
import { plan } from '../dialects/plan.js';
import { type Failure, failure, lastWords } from './errors.js';

const LAST_LINES = 20;
const DENIED = /^Error: request to call tool denied\. User reason: /;

export function converse(request: TurnRequest): Conversation {
  return oneShot((finish, stderr) => {
    const steps = plan();
    const called = new Map<string, { name: string; input: JsonObject | undefined }>();
    let failed: Failure | null = null;
    /** A model call that asked for tools: the first of them names the round. */
    let round: string | null = null;
    let speaking: string | null = null;
    /** The message whose text a retry repeats. */
    let replaced: string | null = null;

    const speak = (type: 'assistant' | 'thinking', id: string, text: string): Action[] => {
      if (text === '') return [];
      if (type === 'thinking') return [{ do: 'say', event: { type, text, message_id: `${id} thinking` } }];
      const replaces = replaced !== null && replaced !== id ? { replaces: replaced } : {};
      replaced = null;
      // The model answers after all.
      failed = null;
      speaking = id;
      return [{ do: 'say', event: { type, text, message_id: id, ...replaces } }];
    };
    const toolStart = (line: JsonObject): Action[] => {
      const name = str(line, 'tool_call', 'name') ?? '';
      const id = str(line, 'tool_call', 'tool_call_id') ?? '';
      round ??= id;
      const kind = kindOf(name);
      const given = parseObject(str(line, 'tool_call', 'arguments') ?? '');
      const input = canonicalInput(kind, given);
      called.set(id, { name, input: given });
      return [
        { do: 'round', id: round },
        { do: 'say', event: { type: 'tool_activity', phase: 'start', id, name, kind, input } },
      ];
    };
    const toolEnd = (line: JsonObject): Action[] => {
      const output = str(line, 'tool_return') ?? '';
      const ok = str(line, 'status') === 'success';
      const id = str(line, 'tool_call_id') ?? '';
      const denied = !ok && DENIED.test(output);
      const call = called.get(id);
      const entries = ok && call !== undefined ? steps.ended(call.name, call.input, parseObject(output)) : null;
      return [
        { do: 'say', event: { type: 'tool_activity', phase: 'end', id, ok, output, ...(denied ? { denied } : {}) } },
        ...(entries === null ? [] : [{ do: 'say' as const, event: { type: 'plan' as const, entries } }]),
      ];
    };
    /** One model call. Its prompt tokens are those that were not cached. */
    const usage = (line: JsonObject): Action[] => {
      const fresh = num(line, 'prompt_tokens');
      const cached = num(line, 'cached_input_tokens') ?? 0;
      const input = fresh === undefined ? null : fresh + cached + (num(line, 'cache_write_tokens') ?? 0);
      const output = num(line, 'completion_tokens') ?? null;
      return [{ do: 'spend', scope: 'delta', spent: { input, output, cached, costUsd: null } }];
    };
    const retrying = (data: JsonObject, why: Failure | null): Action[] => {
      replaced = speaking;
      const message = why === null ? 'Letta Code tries again.' : `Letta Code tries again: ${why.message}`;
      const attempt = num(data, 'attempt') ?? 1;
      const max = num(data, 'max_attempts') ?? null;
      return [
        {
          ...{ do: 'retrying', attempt, max, delayMs: num(data, 'delay_ms') ?? null, code: why?.code ?? null, message },
          why: why?.message ?? 'Letta Code failed without saying why.',
        },
      ];
    };

    const message = (line: JsonObject, text: string): Action[] => {
      const id = str(line, 'id') ?? '';
      switch (str(line, 'message_type')) {
        case 'assistant_message': {
          const parts = (arr(line, 'content') ?? []).flatMap((part) => str(part, 'text') ?? []);
          return speak('assistant', id, parts.join(''));
        }
        case 'reasoning_message':
          return speak('thinking', id, str(line, 'reasoning') ?? '');
        case 'tool_call_message':
          return toolStart(line);
        case 'tool_return_message':
          return toolEnd(line);
        case 'usage_statistics':
          return usage(line);
        case 'stop_reason':
          round = null;
          speaking = str(line, 'stop_reason') === 'llm_api_error' ? speaking : null;
          return [];
        case 'event_message': {
          const data = obj(line, 'event_data') ?? {};
          if (str(line, 'event_type') !== 'retry') return [{ do: 'unread', text }];
          return retrying(data, failure(str(data, 'message') ?? ''));
        }
        default:
          return [{ do: 'unread', text }];
      }
    };
    const line = (text: string): Action[] => {
      const one = parseObject(text);
      if (one === undefined) return text.trim() === '' ? [] : [{ do: 'unread', text }];
      switch (str(one, 'type')) {
        case 'system': {
          const session_id = str(one, 'conversation_id');
          const model = str(one, 'model');
          return [
            { do: 'say', event: { type: 'ready', mcpServers: [] } },
            ...(session_id === undefined
              ? []
              : [{ do: 'say' as const, event: { type: 'session' as const, session_id } }]),
            ...(model === undefined ? [] : [{ do: 'model' as const, id: model }]),
          ];
        }
        case 'message':
          return message(one, text);
        case 'error': {
          if (str(one, 'stop_reason') === 'max_tokens_exceeded') return finish({ ok: true, stopReason: 'max_tokens' });
          // The last of them says the same once more, as JSON in its message.
          const detail = str(parseObject(str(one, 'message') ?? ''), 'error', 'error', 'message');
          failed = failure(detail ?? str(one, 'message') ?? 'Letta Code failed without saying why.');
          return detail === undefined ? [] : finish({ ok: false, ...failed });
        }
        case 'retry': {
          const why = failed;
          failed = null;
          return retrying(one, why);
        }
        case 'result':
          if (str(one, 'subtype') === 'success' && failed === null) return finish({ ok: true, stopReason: 'end_turn' });
          return finish({ ok: false, ...(failed ?? failure(str(one, 'result') ?? 'Letta Code failed.')) });
        default:
          return [{ do: 'unread', text }];
      }
    };
    const exit = (code: number | null, signal: string | null): Action[] => {
      const how = exitWords(code, signal);
      const fallback = { code: 'runner-error' as const, message: `Letta Code ${how} before its turn was over.` };
      return finish({ ok: false, ...(failed ?? lastWords(stderr) ?? fallback) });
    };
    const prompt = request.resume === null ? withSystem(request.system, request.prompt) : request.prompt;

    return {
      title: 'Letta Code',
      keep: LAST_LINES,
      stdin: prompt,
      line,
      exit: (heard) => exit(heard.code, heard.signal),
    };
  });
}
