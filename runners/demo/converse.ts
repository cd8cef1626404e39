/** Translates the demo program's stream (`src/demo/dialect.ts`). */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { PlanEntry, SubagentUsage } from '../../src/contract/event.js';
import type { AskedQuestion } from '../../src/contract/question.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Heard, Inquiry, Outcome, Say } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { arr, bool, num, obj, parseObject, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';
import { exitWords } from '../dialects/exit-words.js';
import { notice } from '../dialects/notice.js';
import { asWords } from './commands.js';

const CODES: Readonly<Record<string, TurnErrorCode>> = {
  auth: 'auth',
  quota: 'quota',
  rate_limit: 'rate-limited',
  model_not_found: 'model-unavailable',
  session_not_found: 'session-not-found',
};

function prompt(request: TurnRequest, machine: Machine): JsonObject {
  return {
    type: 'prompt',
    text: asWords(request.prompt),
    system: request.system,
    model: request.model,
    effort: request.effort,
    session: request.resume ?? machine.ids.session,
    resume: request.resume !== null,
    ask: request.access !== 'full',
    ...(request.access === 'none' ? { native: false } : {}),
    tools: request.tools.map(({ name, description, schema }) => ({ name, description, schema })),
  };
}

/** One prompt and one end. The program takes another prompt after it; what was asked before the end is settled by it. */
export function converse(request: TurnRequest, machine: Machine, living?: JsonObject): Conversation {
  let ended = false;
  /** Ties the end to its prompt. */
  const turns = (num(living, 'turns') ?? 0) + 1;
  const turn = `t${turns}`;
  const rounds = new Set<string>();
  const write = (frame: JsonObject): Action => ({ do: 'write', line: JSON.stringify(frame) });
  /** The first tool that a message asks for begins a round. */
  const round = (frame: JsonObject): Action[] => {
    const id = str(frame, 'message') ?? '';
    if (rounds.has(id) || str(frame, 'parent') !== undefined) return [];
    rounds.add(id);
    return [{ do: 'round', id }];
  };
  const finish = (outcome: Outcome): Action[] => {
    if (ended) return [];
    ended = true;
    return [{ do: 'finish', outcome }];
  };
  /** The end that the program itself reported: it waits for the next prompt. */
  const told = (frame: JsonObject): Action[] => {
    if (str(frame, 'turn') !== undefined && str(frame, 'turn') !== turn)
      return [{ do: 'unread', text: JSON.stringify(frame) }];
    if (ended) return [];
    ended = true;
    return [{ do: 'finish', outcome: outcomeOf(frame, request), living: { turns } }];
  };

  function line(text: string): Action[] {
    const frame = parseObject(text);
    const type = frame && str(frame, 'type');
    if (!frame || type === undefined) return [{ do: 'unread', text }];
    switch (type) {
      case 'session': {
        const model = str(frame, 'model');
        const said: Action = { do: 'say', event: { type: 'session', session_id: str(frame, 'id') ?? '' } };
        const ready: Action[] =
          request.settings.length > 0 ? [{ do: 'say', event: { type: 'ready', mcpServers: [] } }] : [];
        return [...ready, said, ...(model === undefined ? [] : [{ do: 'model' as const, id: model }])];
      }
      case 'delta':
      case 'thinking':
        return [{ do: 'say', event: words(type === 'delta' ? 'assistant' : 'thinking', frame) }];
      case 'tool_start':
        return [...round(frame), { do: 'say', event: toolStart(frame) }];
      case 'tool_end':
        return [{ do: 'say', event: toolEnd(frame) }];
      case 'want_tool': {
        const name = str(frame, 'name') ?? '';
        return [...round(frame), { do: 'call', key: str(frame, 'key') ?? '', name, args: obj(frame, 'args') ?? {} }];
      }
      case 'question': {
        const name = str(frame, 'name') ?? '';
        const kind = kindOf(name);
        const input = canonicalInput(kind, frame['input']);
        const question = { toolUseId: str(frame, 'tool'), name, kind, input };
        return [{ do: 'ask', key: str(frame, 'key') ?? '', question }];
      }
      case 'ask_user': {
        const timeoutMs = num(frame, 'timeout_ms');
        const questions = (arr(frame, 'questions') ?? []).map(askedQuestion);
        const limit = timeoutMs === undefined ? {} : { timeoutMs };
        const inquiry: Inquiry = { toolUseId: str(frame, 'tool') ?? '', source: 'agent', questions, ...limit };
        return [{ do: 'inquire', key: str(frame, 'key') ?? '', inquiry }];
      }
      case 'plan':
        return [{ do: 'say', event: { type: 'plan', entries: planEntries(frame) } }];
      case 'subagent':
        return [{ do: 'say', event: subagent(frame) }];
      case 'usage': {
        const spent = {
          input: num(frame, 'input') ?? null,
          output: num(frame, 'output') ?? null,
          cached: num(frame, 'cached') ?? null,
          costUsd: num(frame, 'cost') ?? null,
        };
        return [{ do: 'spend', scope: 'delta', spent }];
      }
      case 'retry': {
        const code = CODES[str(frame, 'reason') ?? ''] ?? null;
        const attempt = num(frame, 'attempt') ?? 1;
        const delayMs = num(frame, 'delay_ms') ?? null;
        const [message, why] = ['The demo tries again.', 'The demo failed too often.'];
        return [{ do: 'retrying', attempt, max: num(frame, 'max') ?? null, delayMs, code, message, why }];
      }
      case 'steered':
        return [{ do: 'steered', id: str(frame, 'id') ?? '', delivered: bool(frame, 'taken') ?? false }];
      case 'notice':
        return [notice('session-not-kept', str(frame, 'text') ?? '')];
      case 'end':
        return told(frame);
      default:
        return [{ do: 'unread', text }];
    }
  }

  return {
    hear(heard: Heard): Action[] {
      switch (heard.type) {
        case 'spawned':
          return [write({ ...prompt(request, machine), turn })];
        case 'line':
          return ended ? [] : line(heard.text);
        case 'answer':
          return [write({ type: 'tool_answer', key: heard.key, ok: heard.ok, text: heard.text })];
        case 'decision':
          return [write({ type: 'decision', key: heard.key, choice: heard.choice, message: heard.message })];
        case 'answers':
          return [write({ type: 'user_answers', key: heard.key, answers: heard.answers })];
        case 'steer':
          return [write({ type: 'steer', id: heard.id, text: heard.text })];
        case 'stop':
          return [write({ type: 'interrupt' })];
        case 'exit': {
          const how = exitWords(heard.code, heard.signal);
          return finish({ ok: false, code: 'runner-error', message: `The demo ${how} before its turn was over.` });
        }
        case 'stderr':
        case 'woken':
        case 'mcp':
          return [];
        default: {
          const never: never = heard;
          return never;
        }
      }
    },
  };
}

function words(type: 'assistant' | 'thinking', frame: JsonObject): Say {
  const replaces = str(frame, 'replaces');
  const parent = str(frame, 'parent');
  return {
    type,
    text: str(frame, 'text') ?? '',
    message_id: str(frame, 'message') ?? '',
    ...(replaces === undefined ? {} : { replaces }),
    ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
  };
}

function toolStart(frame: JsonObject): Say {
  const name = str(frame, 'name') ?? '';
  const kind = kindOf(name);
  return {
    type: 'tool_activity',
    phase: 'start',
    id: str(frame, 'id') ?? '',
    name,
    kind,
    input: canonicalInput(kind, frame['input']),
    parent_tool_use_id: str(frame, 'parent') ?? null,
  };
}

function toolEnd(frame: JsonObject): Say {
  const exitCode = num(frame, 'exit_code');
  return {
    type: 'tool_activity',
    phase: 'end',
    id: str(frame, 'id') ?? '',
    ok: bool(frame, 'ok') ?? false,
    output: str(frame, 'output') ?? '',
    ...(bool(frame, 'denied') ? { denied: true } : {}),
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
  };
}

/** The demo uses our own words. */
function askedQuestion(item: Json): AskedQuestion {
  const choices = (arr(item, 'choices') ?? []).map((choice) => ({ value: str(choice, 'value') ?? '' }));
  return {
    id: str(item, 'id') ?? '',
    question: str(item, 'question') ?? '',
    ...(choices.length > 0 ? { choices } : {}),
    ...(bool(item, 'multi_select') ? { multi_select: true } : {}),
    ...(bool(item, 'other') ? { other: true } : {}),
    ...(bool(item, 'secret') ? { secret: true } : {}),
    ...(bool(item, 'required') ? { required: true } : {}),
  };
}

function planEntries(frame: JsonObject): PlanEntry[] {
  return (arr(frame, 'entries') ?? []).map((entry) => {
    const status = str(entry, 'status');
    return {
      content: str(entry, 'content') ?? '',
      status: status === 'completed' || status === 'in_progress' ? status : 'pending',
    };
  });
}

function subagent(frame: JsonObject): Say {
  const phase = str(frame, 'phase');
  const status = str(frame, 'status');
  const usage = obj(frame, 'usage');
  const about = { type: 'subagent', id: str(frame, 'id') ?? '', tool_use_id: str(frame, 'tool') ?? '' } as const;
  if (phase === 'started') {
    return {
      ...about,
      phase,
      subagent_type: str(frame, 'subagent_type'),
      description: str(frame, 'description'),
      prompt: str(frame, 'prompt'),
    };
  }
  const figures: SubagentUsage = {
    total_tokens: num(usage, 'total_tokens'),
    tool_uses: num(usage, 'tool_uses'),
    duration_ms: num(usage, 'duration_ms'),
  };
  if (phase === 'progress') return { ...about, phase, last_tool: str(frame, 'last_tool'), usage: figures };
  return {
    ...about,
    phase: 'finished',
    status: status === 'failed' || status === 'stopped' ? status : 'completed',
    summary: str(frame, 'summary'),
    usage: figures,
  };
}

function outcomeOf(frame: JsonObject, request: TurnRequest): Outcome {
  // A frame that names an error has failed, whatever reason it also gives.
  const reason = obj(frame, 'error') === undefined ? str(frame, 'reason') : 'error';
  const effort = request.effort === null ? {} : { effort: request.effort };
  switch (reason) {
    case 'end_turn':
    case 'refusal':
    case 'max_tokens':
      return { ok: true, stopReason: reason, ...effort };
    case 'interrupted':
      return { ok: false, code: 'cancelled', message: 'The demo stopped as asked.' };
    default: {
      const code = CODES[str(frame, 'error', 'kind') ?? ''] ?? 'runner-error';
      const retryAfterMs = num(frame, 'error', 'retry_after_ms');
      const message = str(frame, 'error', 'message') ?? 'The demo failed without saying why.';
      return { ok: false, code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
  }
}
