/**
 * OpenAI's chat messages, one JSON object a line (grok-cli 0.0.34; kimi's print mode is documented so): the prompt comes
 * back as `user`, then whole messages of `assistant` and answers of `tool`. No ids, no usage, no last line.
 */

import type { Json, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import { arr, isObject, parseJson, parseObject, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';
import { exitWords } from './exit-words.js';
import { oneShot } from './one-shot.js';
import type { Failure } from './plain-text.js';
import { plan } from './plan.js';

export interface ChatProgram {
  /** For people. */
  title: string;
  /** Kinds of its tools that no other runtime has. */
  kinds: Readonly<Record<string, ToolKind>>;
  /** Whether a tool's answer is a failure, which nothing else marks. */
  failedTool?(name: string, output: string): boolean;
  /** A whole answer that is an error although nothing marks it: the program has no other channel. Anchored. */
  errorText?: RegExp;
  /** A whole answer in place of the one that its own limit of rounds cut off; with the limit it was given. */
  cap?: { text: RegExp; rounds: number };
  /** What stderr says when the program failed; null when no line is known. */
  failure(stderr: readonly string[]): Failure | null;
}

const LAST_LINES = 50;

/** Content is text, or a list of parts of which some are text. */
function textOf(line: JsonObject): string {
  const parts = arr(line, 'content');
  return parts === undefined ? (str(line, 'content') ?? '') : parts.flatMap((part) => str(part, 'text') ?? []).join('');
}

/** @param stdin the prompt where stdin carries it; null when it went another way */
export function chatJsonl(program: ChatProgram, stdin: string | null): Conversation {
  return oneShot((finish, stderr) => {
    /** Calls that are under way. */
    const calls = new Map<string, { name: string; input: Json | undefined }>();
    const steps = plan();
    let count = 0;
    let rounds = 0;
    /** The last line that is not the prompt. */
    let last: { role: string; text: string } | null = null;
    /** An answer is kept until it is known not to stand for an error. */
    let held: Action[] = [];

    const release = (): Action[] => held.splice(0);

    const toolStart = (call: JsonObject): Action => {
      const id = str(call, 'id') ?? '';
      const name = str(call, 'function', 'name') ?? '';
      const kind = program.kinds[name] ?? kindOf(name);
      const given = parseJson(str(call, 'function', 'arguments') ?? '');
      calls.set(id, { name, input: given });
      const input = canonicalInput(kind, given);
      return { do: 'say', event: { type: 'tool_activity', phase: 'start', id, name, kind, input } };
    };
    const assistant = (line: JsonObject): Action[] => {
      const text = textOf(line);
      const calls = (arr(line, 'tool_calls') ?? []).filter(isObject);
      const message_id = `message ${++count}`;
      const said: Action[] = text === '' ? [] : [{ do: 'say', event: { type: 'assistant', text, message_id } }];
      last = { role: 'assistant', text };
      const before = release();
      if (calls.length === 0) {
        held = said;
        return before;
      }
      rounds++;
      return [...before, ...said, { do: 'round', id: message_id }, ...calls.map(toolStart)];
    };
    const tool = (line: JsonObject): Action[] => {
      const id = str(line, 'tool_call_id') ?? '';
      const output = textOf(line);
      const call = calls.get(id);
      calls.delete(id);
      const ok = program.failedTool?.(call?.name ?? '', output) !== true;
      last = { role: 'tool', text: output };
      const entries = ok && call !== undefined ? steps.ended(call.name, call.input, undefined) : null;
      return [
        ...release(),
        { do: 'say', event: { type: 'tool_activity', phase: 'end', id, ok, output } },
        ...(entries === null ? [] : [{ do: 'say', event: { type: 'plan', entries } } as const]),
      ];
    };
    const line = (text: string): Action[] => {
      const one = parseObject(text);
      if (one === undefined) return text.trim() === '' ? [] : [{ do: 'unread', text }];
      switch (str(one, 'role')) {
        case 'user':
        case 'system':
          return [];
        case 'assistant':
          return assistant(one);
        case 'tool':
          return tool(one);
        default:
          return [{ do: 'unread', text }];
      }
    };

    const exit = (code: number | null, signal: string | null): Action[] => {
      if (code !== 0) {
        const how = exitWords(code, signal);
        const fallback = { code: 'runner-error' as const, message: `${program.title} ${how}.` };
        return [...release(), ...finish({ ok: false, ...(program.failure(stderr) ?? fallback) })];
      }
      const answer = last?.role === 'assistant' ? last.text.trim() : null;
      if (answer === null) {
        const known = program.failure(stderr);
        const fallback = { code: 'runner-error' as const, message: `${program.title} ended without an answer.` };
        return finish({ ok: false, ...(known ?? fallback) });
      }
      const { cap } = program;
      if (cap !== undefined && rounds >= cap.rounds && cap.text.test(answer)) {
        return finish({ ok: true, stopReason: 'max_turns' });
      }
      if (program.errorText?.test(answer)) return finish({ ok: false, code: 'runner-error', message: answer });
      return [...release(), ...finish({ ok: true, stopReason: 'end_turn' })];
    };

    return {
      title: program.title,
      keep: LAST_LINES,
      stdin: stdin,
      release,
      line,
      exit: (heard) => exit(heard.code, heard.signal),
    };
  });
}
