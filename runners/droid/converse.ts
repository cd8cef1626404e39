/** One turn in Droid's JSON-RPC mode: open the session, send the prompt, close stdin once it is idle (0.225.2). */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Outcome, Phase, Say } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { addKnown, arr, bool, num, obj, parseObject, str } from '../../src/text/json.js';
import { type RpcId, rpcPeer } from '../../src/text/json-rpc.js';
import { notice } from '../dialects/notice.js';
import { askUser } from './ask-user.js';
import { failureOf, type LastError, refused, retrying } from './errors.js';
import { questions } from './questions.js';
import { opening, settingsOf } from './session.js';
import { subagents } from './subagents.js';
import { exitCode, isOurs, nativeTool, planOf, resultText } from './tools.js';

type Tag = { of: 'open' | 'settings' | 'prompt' | 'stop' } | { of: 'steer'; id: string };

/** Our own message reports a denied call to the model; more of them would be a loop. */
const MOST_REMINDERS = 8;

const say = (event: Say): Action => ({ do: 'say', event });

/**
 * Droid's messages carry their kind and the version of its interface.
 */
function dress(line: string, type: 'request' | 'response'): Action {
  const message = JSON.parse(line) as JsonObject;
  const id = typeof message['id'] === 'number' ? String(message['id']) : (message['id'] ?? null);
  return { do: 'write', line: JSON.stringify({ ...message, id, type, factoryApiVersion: '1.0.0' }) };
}

/** @returns a fresh conversation for one turn */
export function converse(request: TurnRequest, machine: Machine): Conversation {
  const rpc = rpcPeer<Tag>();
  const ask = (method: string, params: Json, tag: Tag) => dress(rpc.request(method, params, tag), 'request');
  const respond = (id: RpcId, result: JsonObject) => dress(rpc.reply(id, result), 'response');
  const person = askUser(request, respond);
  const asked = questions(request, (id, option) => respond(id, { selectedOption: option }));
  const children = subagents();
  const inputs = new Map<string, { name: string; input: JsonObject }>();
  const begun = new Set<string>();
  const spoken = new Set<string>();
  const servers = new Map<string, string>();
  let session: string | null = null;
  let broken: string | undefined;
  let lastError: LastError | null = null;
  /** The model has said nothing since that error. */
  let unanswered = false;
  let outcome: Outcome | null = null;
  let reminders = 0;
  let stopping = false;
  let over = false;
  /** The prompt was taken: what was said and ended before belongs to another one. */
  let taken = false;

  const phase = (now: Phase | null): Action => ({ do: 'phase', phase: now });
  const finish = (result: Outcome): Action[] => {
    over = true;
    return [{ do: 'end-stdin' }, { do: 'finish', outcome: result }];
  };
  const prompt = (): Action[] => {
    const images = (request.images ?? []).map(({ data, mediaType }) => ({ type: 'base64', data, mediaType }));
    const pictures: JsonObject = images.length > 0 ? { images } : {};
    return [phase('prompt'), ask('droid.add_user_message', { text: request.prompt, ...pictures }, { of: 'prompt' })];
  };
  /** Droid silently leaves out what the model does not have. */
  const effortNotice = (model: Json | undefined): Action[] => {
    const efforts = arr(model, 'supportedReasoningEfforts');
    const wanted = settingsOf(request)['reasoningEffort'];
    if (wanted === undefined || efforts === undefined || efforts.includes(wanted)) return [];
    return [notice('effort-ignored', `this model of Droid has no effort ${request.effort}`)];
  };
  const opened = (result: Json): Action[] => {
    session = str(result, 'sessionId') ?? request.resume;
    const told = session === null ? [] : [say({ type: 'session', session_id: session })];
    const models = arr(result, 'availableModels') ?? [];
    if (request.model !== null && models.length > 0 && !models.some((one) => str(one, 'id') === request.model)) {
      const names = models.map((one) => str(one, 'id') ?? '').join(', ');
      const message = `Droid does not offer the model ${request.model}; it offers ${names}`;
      return [...told, ...finish({ ok: false, code: 'model-unavailable', message })];
    }
    const used = request.model ?? str(result, 'settings', 'modelId');
    const model = models.find((one) => str(one, 'id') === used);
    if ((request.images?.length ?? 0) > 0 && bool(model, 'noImageSupport') === true) {
      const message = `Droid takes no images with the model ${used ?? ''}`;
      return [...told, ...finish({ ok: false, code: 'unsupported', message })];
    }
    told.push(...effortNotice(model));
    if (request.resume === null) return [...told, ...prompt()];
    return [...told, phase('settings'), ask('droid.update_session_settings', settingsOf(request), { of: 'settings' })];
  };
  const answered = (tag: Tag, result: Json): Action[] => {
    switch (tag.of) {
      case 'open':
        return opened(result);
      case 'settings':
        return prompt();
      case 'prompt': {
        const wanted = request.mcpServers.map(({ name }) => ({ name, status: servers.get(name) ?? 'unknown' }));
        taken = true;
        return [phase(null), say({ type: 'ready', mcpServers: wanted })];
      }
      case 'steer':
        return [{ do: 'steered', id: tag.id, delivered: true }];
      case 'stop':
        return [];
    }
  };
  const text = (type: 'assistant' | 'thinking', id: string, delta: string): Action[] => {
    asked.wentOn();
    if (delta === '' || !taken) return [];
    unanswered = false;
    const replaces = type === 'assistant' && broken !== undefined ? { replaces: broken } : {};
    if (type === 'assistant') {
      spoken.add(id);
      broken = undefined;
    }
    return [say({ type, text: delta, message_id: id, ...replaces })];
  };
  const message = (one: JsonObject): Action[] => {
    if (str(one, 'role') !== 'assistant') return [];
    const id = str(one, 'id') ?? '';
    const parts = arr(one, 'content') ?? [];
    const whole = parts.map((part) => (str(part, 'type') === 'text' ? (str(part, 'text') ?? '') : '')).join('');
    const model = str(one, 'modelId');
    return [
      ...(spoken.has(id) ? [] : text('assistant', id, whole)),
      ...(model === undefined ? [] : [{ do: 'model', id: model } as const]),
      ...(parts.some((part) => str(part, 'type') === 'tool_use') ? [{ do: 'round', id } as const] : []),
    ];
  };
  const begin = (id: string): Action[] => {
    const call = inputs.get(id);
    if (!call || begun.has(id) || isOurs(call.name)) return [];
    begun.add(id);
    const started = say({ type: 'tool_activity', phase: 'start', id, ...nativeTool(call.name, call.input) });
    return call.name === 'TodoWrite' ? [started, say({ type: 'plan', entries: planOf(call.input) })] : [started];
  };
  const toolResult = (note: JsonObject): Action[] => {
    const id = str(note, 'toolUseId') ?? '';
    const before = begin(id);
    if (!begun.delete(id)) return [];
    const output = resultText(note['content']);
    const code = exitCode(output);
    const failed = note['isError'] === true || (code ?? 0) !== 0;
    const denied = asked.denied(id) ? { denied: true } : stopping && failed ? { cancelled: true } : {};
    const exit = code === undefined ? {} : { exit_code: code };
    const end = say({ type: 'tool_activity', phase: 'end', id, ok: !failed, output, ...denied, ...exit });
    return [...before, ...children.ended(id, failed), end];
  };
  const completed = (note: JsonObject): Action[] => {
    if (!taken) {
      const awaited = 'the answer to the prompt is still awaited.';
      return [notice('other-turn', `Droid ended a turn of its own; ${awaited}`)];
    }
    // An error that nothing followed has failed the turn, whatever its end says.
    outcome = failureOf(str(note, 'reason') ?? '', lastError, unanswered) ?? {
      ok: true,
      stopReason: 'end_turn',
    };
    const both = (key: string) =>
      addKnown(num(note, 'tokenUsage', key) ?? null, num(note, 'childTokenUsage', key) ?? null);
    const [plain, read, written] = [both('inputTokens'), both('cacheReadTokens'), both('cacheCreationTokens')];
    const input = addKnown(addKnown(plain, read), written);
    const spent = { input, output: both('outputTokens'), cached: read, costUsd: null };
    // A failed call is reported as nothing spent.
    return (input ?? 0) === 0 ? [] : [{ do: 'spend', scope: 'delta', spent }];
  };
  /** Guidance may come after the end of a turn: only an idle Droid is done. */
  const idle = (): Action[] => {
    if (outcome === null) return [];
    const reminder = outcome.ok && !stopping && reminders < MOST_REMINDERS ? asked.untold() : null;
    if (reminder === null) return finish(outcome);
    outcome = null;
    reminders++;
    return [ask('droid.add_user_message', { text: reminder }, { of: 'stop' })];
  };
  const notified = (note: JsonObject, line: string): Action[] => {
    const id = str(note, 'messageId') ?? '';
    switch (str(note, 'type')) {
      case 'assistant_text_delta':
        return text('assistant', id, str(note, 'textDelta') ?? '');
      case 'thinking_text_delta':
        return text('thinking', `${id}/${num(note, 'blockIndex') ?? 0}`, str(note, 'textDelta') ?? '');
      case 'assistant_message_retracted':
        if (spoken.has(id)) broken = id;
        return [];
      case 'create_message':
        return message(obj(note, 'message') ?? {});
      case 'tool_call':
        inputs.set(str(note, 'toolUse', 'id') ?? '', {
          name: str(note, 'toolUse', 'name') ?? '',
          input: obj(note, 'toolUse', 'input') ?? {},
        });
        return [];
      case 'tool_execution_phase_changed':
        return begin(str(note, 'toolUseId') ?? '');
      case 'tool_result':
        return toolResult(note);
      case 'child_session_available':
        return children.started(note);
      case 'permission_resolved':
        return [...asked.resolved(str(note, 'requestId') ?? ''), ...person.resolved(str(note, 'requestId') ?? '')];
      case 'mcp_status_changed':
        for (const one of arr(note, 'servers') ?? []) servers.set(str(one, 'name') ?? '', str(one, 'status') ?? '');
        return [];
      case 'llm_retry':
        return [retrying(note)];
      case 'error':
        lastError = { message: str(note, 'message') ?? lastError?.message ?? null, name: str(note, 'error', 'name') };
        unanswered = true;
        return [];
      case 'agent_turn_completed':
        return completed(note);
      case 'droid_working_state_changed':
        if (str(note, 'newState') === 'idle') return idle();
        outcome = null;
        return [];
      case undefined:
        return [{ do: 'unread', text: line }];
      default:
        return [];
    }
  };
  const wanted = (id: RpcId, method: string, params: JsonObject): Action[] => {
    if (method === 'droid.request_permission') return asked.asked(id, params);
    if (method === 'droid.ask_user') return person.asked(id, params);
    return [dress(rpc.fail(id, -32601, `turnout has no ${method}`), 'response')];
  };
  const line = (raw: string): Action[] => {
    const record = parseObject(raw);
    if (!record) return [{ do: 'unread', text: raw }];
    const id = record['id'];
    // Its answers carry our ids as strings.
    const numbered =
      str(record, 'type') === 'response' && typeof id === 'string' ? { ...record, id: Number(id) } : record;
    const heard = rpc.read(numbered);
    switch (heard.kind) {
      case 'result':
        return answered(heard.tag, heard.result);
      case 'error':
        if (heard.tag.of === 'steer') return [{ do: 'steered', id: heard.tag.id, delivered: false }];
        return heard.tag.of === 'stop' ? [] : finish(refused(heard.error));
      case 'request':
        return wanted(heard.id, heard.method, heard.params);
      case 'notification': {
        // A subagent's session is reported on the same pipe.
        const of = str(heard.params, 'sessionId');
        const note = obj(heard.params, 'notification') ?? {};
        if (of !== undefined && session !== null && of !== session) return [];
        return notified(note, raw);
      }
      case 'stray':
        return [{ do: 'unread', text: raw }];
    }
  };

  return {
    hear(heard) {
      switch (heard.type) {
        case 'spawned': {
          const { method, params } = opening(request, machine);
          return [phase('session'), ask(method, params, { of: 'open' })];
        }
        case 'line':
          return over ? [] : line(heard.text);
        case 'decision':
          return asked.decided(heard.key, heard.choice.startsWith('allow'), heard.message);
        case 'answers':
          return person.answered(heard.key, heard.answers);
        case 'steer':
          if (session === null || over || outcome !== null) return [{ do: 'steered', id: heard.id, delivered: false }];
          return [
            ask(
              'droid.add_user_message',
              { text: heard.text, queuePlacement: 'end_of_turn' },
              { of: 'steer', id: heard.id },
            ),
          ];
        case 'stop':
          stopping = true;
          if (session === null) {
            return finish({ ok: false, code: 'cancelled', message: 'The turn was cancelled.' });
          }
          return [ask('droid.interrupt_session', {}, { of: 'stop' })];
        case 'exit':
        case 'stderr':
        case 'answer':
        case 'woken':
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
