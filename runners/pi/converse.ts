/**
 * One turn in RPC mode: look at the session, prompt, and end stdin once the agent has settled. `agent_end` is not the end: a
 * retry or queued guidance may follow (pi 1.6.0).
 */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Outcome, Phase } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { bool, num, obj, parseObject, str } from '../../src/text/json.js';
import { notice } from '../dialects/notice.js';
import { codeOfMessage, withoutKey } from '../dialects/openai-error.js';
import { dialogs } from './dialogs.js';
import { outcomeOf, refusedOutcome, startFailure } from './errors.js';
import { needsExtension } from './extension.js';
import { messages } from './messages.js';
import { exitCode, nativeTool, resultText } from './tools.js';

const STATE = 'turnout-state';
const PROMPT = 'turnout-prompt';
const ABORT = 'turnout-abort';
const STEER = 'turnout-steer-';

/** @returns a fresh conversation for one turn */
export function converse(request: TurnRequest, machine: Machine): Conversation {
  const dialog = dialogs(request, machine);
  const words = messages();
  const callerTools = new Set(request.tools.map((tool) => tool.name));
  let prompted = false;
  let running = false;
  /** The agent began to work since it took the prompt. */
  let ours = false;
  let over = false;
  let startError: Outcome | null = null;
  let stopping = false;
  let toldOfCost = false;

  const phase = (now: Phase | null): Action => ({ do: 'phase', phase: now });
  const send = (command: JsonObject): Action => ({ do: 'write', line: JSON.stringify(command) });
  const finish = (outcome: Outcome): Action[] => {
    over = true;
    return [...dialog.dismissAll(), { do: 'end-stdin' }, { do: 'finish', outcome }];
  };

  const stateTold = (data: JsonObject): Action[] => {
    if (needsExtension(request) && !dialog.greeted()) {
      const message = 'pi did not load the extension that decides about its tools; update pi';
      return finish({ ok: false, code: 'unsupported', message });
    }
    const session = str(data, 'sessionId');
    const said: Action[] =
      session === undefined ? [] : [{ do: 'say', event: { type: 'session', session_id: session } }];
    prompted = true;
    const images = (request.images ?? []).map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }));
    const pictures: JsonObject = images.length > 0 ? { images } : {};
    return [...said, phase('prompt'), send({ id: PROMPT, type: 'prompt', message: request.prompt, ...pictures })];
  };
  const promptTaken = (record: JsonObject): Action[] => {
    if (bool(record, 'success') !== true) return finish(refusedOutcome(str(record, 'error') ?? 'no reason was given'));
    if (str(record, 'data', 'disposition') === 'handled') {
      return finish({ ok: false, code: 'runner-error', message: 'an extension of pi took the prompt for itself' });
    }
    running = true;
    const failed = dialog.failedServers();
    const mcpServers = request.mcpServers.map(({ name }) => ({ name, status: failed.has(name) ? 'failed' : 'ready' }));
    return [phase(null), { do: 'say', event: { type: 'ready', mcpServers } }];
  };
  const response = (record: JsonObject): Action[] => {
    const id = str(record, 'id') ?? '';
    if (id === STATE) {
      if (bool(record, 'success') === true) return stateTold(obj(record, 'data') ?? {});
      return finish(refusedOutcome(str(record, 'error') ?? 'its state is not known'));
    }
    if (id === PROMPT) return promptTaken(record);
    if (id.startsWith(STEER)) {
      return [{ do: 'steered', id: id.slice(STEER.length), delivered: bool(record, 'success') === true }];
    }
    return id === ABORT ? [] : [{ do: 'unread', text: JSON.stringify(record) }];
  };
  const toolStart = (record: JsonObject): Action[] => {
    const name = str(record, 'toolName') ?? '';
    if (callerTools.has(name)) return [];
    const tool = nativeTool(name, obj(record, 'args') ?? {}, request);
    const id = str(record, 'toolCallId') ?? '';
    const parent = str(record, 'parentToolCallId');
    const under = parent === undefined ? {} : { parent_tool_use_id: parent };
    return [{ do: 'say', event: { type: 'tool_activity', phase: 'start', id, ...tool, ...under } }];
  };
  const toolEnd = (record: JsonObject): Action[] => {
    if (callerTools.has(str(record, 'toolName') ?? '')) return [];
    const id = str(record, 'toolCallId') ?? '';
    const code = exitCode(record['result']);
    const event = {
      type: 'tool_activity',
      phase: 'end',
      id,
      ok: bool(record, 'isError') !== true,
      output: resultText(record['result']),
      ...(dialog.denied(id) ? { denied: true } : {}),
      ...(stopping && bool(record, 'isError') === true ? { cancelled: true } : {}),
      ...(code === undefined ? {} : { exit_code: code }),
    } as const;
    return [{ do: 'say', event }];
  };
  const messageEnd = (message: JsonObject): Action[] => {
    const actions = words.end(message);
    const priceless = actions.some((action) => action.do === 'spend' && action.spent.costUsd === null);
    if (request.budgetUsd === null || toldOfCost || !priceless) return actions;
    toldOfCost = true;
    const unpriced = "pi has no price for this model; --budget-usd can't be checked";
    return [...actions, notice('budget-unchecked', unpriced)];
  };
  const retry = (record: JsonObject): Action[] => {
    words.retrying();
    const told = str(record, 'errorMessage');
    const message = withoutKey(told ?? 'pi tries again');
    return [
      {
        do: 'retrying',
        attempt: num(record, 'attempt') ?? 1,
        max: num(record, 'maxAttempts') ?? null,
        delayMs: num(record, 'delayMs') ?? null,
        code: codeOfMessage(message),
        message,
        ...(told === undefined ? { why: 'The call of the model failed.' } : {}),
      },
    ];
  };
  /** What an agent does before it has taken our prompt does not answer it. */
  const mine = (actions: Action[]): Action[] => (ours ? actions : actions.filter(({ do: what }) => what !== 'say'));
  const foreign = (): Action[] => {
    const message = 'pi ended a turn of its own; the answer to the prompt is still awaited.';
    return [notice('other-turn', message)];
  };
  const settled = (): Action[] => {
    const outcome = outcomeOf(words.last());
    return finish(outcome.ok && words.peak() > 0 ? { ...outcome, peakContextTokens: words.peak() } : outcome);
  };

  const record = (one: JsonObject, text: string): Action[] => {
    switch (str(one, 'type')) {
      case 'response':
        return response(one);
      case 'extension_ui_request':
        return dialog.request(one);
      case 'agent_start':
        ours ||= running;
        return [];
      case 'message_start':
        if (str(one, 'message', 'role') === 'assistant') words.start();
        return [];
      case 'message_update':
        return mine(words.update(obj(one, 'assistantMessageEvent') ?? {}));
      case 'message_end':
        return str(one, 'message', 'role') === 'assistant' ? mine(messageEnd(obj(one, 'message') ?? {})) : [];
      case 'tool_execution_start':
        return toolStart(one);
      case 'tool_execution_end':
        return toolEnd(one);
      case 'auto_retry_start':
        return retry(one);
      case 'agent_settled':
        return ours ? settled() : foreign();
      case 'extension_error': {
        const message = `an extension of pi failed: ${str(one, 'error') ?? ''}`;
        return [notice('runtime-message', message)];
      }
      case undefined:
        return [{ do: 'unread', text }];
      default:
        return [];
    }
  };

  return {
    hear(heard) {
      switch (heard.type) {
        case 'spawned':
          return [phase('hello'), send({ id: STATE, type: 'get_state' })];
        case 'line': {
          const one = parseObject(heard.text);
          if (!one) return [{ do: 'unread', text: heard.text }];
          return over ? [] : record(one, heard.text);
        }
        case 'stderr':
          startError = startFailure(heard.text.trim()) ?? startError;
          return [];
        case 'answer':
          return dialog.answer(heard.key, heard.ok, heard.text);
        case 'decision':
          return dialog.decide(heard.key, heard.choice !== 'deny', heard.message);
        case 'steer':
          if (over || !running) return [{ do: 'steered', id: heard.id, delivered: false }];
          return [send({ id: STEER + heard.id, type: 'steer', message: heard.text })];
        case 'stop':
          stopping = true;
          if (!prompted) return [{ do: 'end-stdin' }];
          return [...dialog.dismissAll(), send({ id: ABORT, type: 'abort' })];
        case 'exit':
          return startError !== null && !over ? finish(startError) : [];
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
