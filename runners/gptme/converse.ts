/** gptme's JSON lines (0.35.1): `user`, `assistant` and, for what its tools gave, `system`. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { num, obj, parseObject, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';
import { exitWords } from '../dialects/exit-words.js';
import { oneShot } from '../dialects/one-shot.js';
import { failure, retryOf } from './errors.js';
import { conversationName } from './invoke.js';
import { readMessage } from './messages.js';

const LAST_LINES = 100;
/** It asks a model that answered without its `complete` tool to go on, twice: the answer was the answer. */
const NUDGE = /^<system>No tool call detected in last message\. /;
const DONE = 'complete';

export function converse(request: TurnRequest, machine: Machine): Conversation {
  return oneShot((finish, stderr) => {
    /** Calls that are open, and whether they have been reported. */
    const open = new Map<string, { name: string }>();
    let count = 0;
    let answered = false;

    const usage = (line: JsonObject): Action[] => {
      const told = obj(line, 'metadata', 'usage');
      const model = str(line, 'metadata', 'served_model');
      const fresh = num(told, 'input_tokens');
      const cached = num(told, 'cache_read_tokens') ?? 0;
      const input = fresh === undefined ? null : fresh + cached + (num(told, 'cache_creation_tokens') ?? 0);
      const output = num(told, 'output_tokens') ?? null;
      return [
        ...(model === undefined ? [] : [{ do: 'model' as const, id: model }]),
        ...(told === undefined
          ? []
          : [{ do: 'spend' as const, scope: 'delta' as const, spent: { input, output, cached, costUsd: null } }]),
      ];
    };
    const assistant = (line: JsonObject): Action[] => {
      const { text, calls } = readMessage(str(line, 'content') ?? '');
      // Words of the program itself, e.g. about a command it does not know.
      if (str(line, 'metadata', 'model') === undefined) {
        return text === '' ? [] : finish({ ok: false, code: 'runner-error', message: text });
      }
      answered = true;
      const message_id = `message ${++count}`;
      const said: Action[] = text === '' ? [] : [{ do: 'say', event: { type: 'assistant', text, message_id } }];
      const own = calls.filter(({ name }) => name !== DONE);
      const starts = own.map(({ id, name, args }): Action => {
        open.set(id, { name });
        const kind = kindOf(name === 'save' ? 'write' : name === 'ipython' ? 'shell' : name);
        const input = canonicalInput(
          kind,
          name === 'ipython' ? { command: args?.['code'] ?? '' } : (args ?? undefined),
        );
        return { do: 'say', event: { type: 'tool_activity', phase: 'start', id, name, kind, input } };
      });
      const round: Action[] = own.length === 0 ? [] : [{ do: 'round', id: message_id }];
      return [...said, ...round, ...starts, ...usage(line)];
    };
    const result = (line: JsonObject, text: string): Action[] => {
      const id = str(line, 'call_id') ?? '';
      const output = str(line, 'content') ?? '';
      if (str(line, 'metadata', 'tool') === DONE) return finish({ ok: true, stopReason: 'end_turn' });
      const call = open.get(id);
      if (call === undefined) return str(line, 'call_id') === undefined ? [] : [{ do: 'unread', text }];
      open.delete(id);
      const code = call.name === 'shell' ? /^Return code: (\d{1,3})$/m.exec(output)?.[1] : undefined;
      const ok = code === undefined && !/^Error during execution: /.test(output);
      return [
        {
          do: 'say',
          event: {
            type: 'tool_activity',
            phase: 'end',
            id,
            ok,
            output,
            ...(code === undefined ? {} : { exit_code: Number(code) }),
          },
        },
      ];
    };
    const line = (text: string): Action[] => {
      const one = parseObject(text);
      // A shell's output is printed raw as well.
      if (one === undefined || str(one, 'type') !== 'message')
        return text.trim() === '' ? [] : [{ do: 'unread', text }];
      switch (str(one, 'role')) {
        case 'user':
          return answered && NUDGE.test(str(one, 'content') ?? '') ? finish({ ok: true, stopReason: 'end_turn' }) : [];
        case 'assistant':
          return assistant(one);
        case 'system':
          return result(one, text);
        default:
          return [{ do: 'unread', text }];
      }
    };
    const exit = (code: number | null, signal: string | null): Action[] => {
      if (code === 0 && answered) return finish({ ok: true, stopReason: 'end_turn' });
      const how = exitWords(code, signal);
      const fallback = { code: 'runner-error' as const, message: `gptme ${how} before its turn was over.` };
      return finish({ ok: false, ...(failure(stderr, code) ?? fallback) });
    };

    return {
      title: 'gptme',
      keep: LAST_LINES,
      stdin: null,
      spawned: () => [{ do: 'say', event: { type: 'session', session_id: conversationName(request, machine) } }],
      stderr(text) {
        const retry = retryOf(text);
        return retry === null ? [] : [retry];
      },
      line,
      exit: (heard) => exit(heard.code, heard.signal),
    };
  });
}
