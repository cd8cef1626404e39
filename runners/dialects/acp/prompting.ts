/** From the prompt to its answer: updates, questions, steering, the end. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action, Heard, Outcome, Spent } from '../../../src/runner/action.js';
import { arr, num, obj, str } from '../../../src/text/json.js';
import type { RpcError, RpcId } from '../../../src/text/json-rpc.js';
import { announcedAttempt } from '../attempts.js';
import { allowOnce, CANCELLED, keepAllowing, reject } from './answers.js';
import { calls } from './calls.js';
import { outcomeOf } from './errors.js';
import type { LogFact } from './log.js';
import { serverNames } from './servers.js';
import { spending } from './spending.js';
import { type Answers, type Asked, fail, phase, type Talk, write } from './talk.js';
import { texts } from './texts.js';

type Decision = Extract<Heard, { type: 'decision' }>;

export interface Prompting extends Answers {
  start(): Action[];
  /** The parameters of any `session/update`: what the session has cost so far. */
  total(params: JsonObject): void;
  /** One `session/update` of a history that is being replayed. */
  replayed(update: JsonObject): void;
  /** One `session/update`. */
  update(update: JsonObject): Action[];
  /** `session/request_permission`. */
  question(id: RpcId, params: JsonObject): Action[];
  decided(decision: Decision): Action[];
  /** The agent no longer waits for the answer to a request. */
  cancelled(id: RpcId): Action[];
  steer(id: string, text: string): Action[];
  stop(): Action[];
  logged(facts: readonly LogFact[]): Action[];
  /** What the next turn on the same program must know; null when something is owed. */
  living(): JsonObject | null;
  /** A line of stderr that may announce a retry. */
  attempted(line: string): Action[];
}

const METHOD_NOT_FOUND = -32601;
/** The running total of the session that the turn before ended with. */
function spentOf(living: JsonObject | undefined): Spent | null {
  const told = obj(living, 'total');
  if (told === undefined) return null;
  const figure = (name: string) => num(told, name) ?? null;
  const spent = { input: figure('input'), output: figure('output'), costUsd: figure('costUsd') };
  return 'cached' in told ? { ...spent, cached: figure('cached') } : spent;
}

/** Invisible, and kept by the `trim` that comes before a command is looked for. */
const GUARD = '\u200b';

/** @param living what the turn before said of the program, when it was kept */
export function prompting(talk: Talk, living?: JsonObject): Prompting {
  const { request, quirks, rpc } = talk;
  const said = texts(quirks);
  const native = calls(quirks, serverNames(request, talk.machine));
  const spent = spending(quirks, request.resume === null ? 0 : (num(living, 'cost') ?? null));
  const questions = new Map<string, { id: RpcId; params: JsonObject; callId: string }>();
  const steering = new Set<string>();
  let nextQuestion = 1;
  let modelCalls: number | null = quirks.log ? 0 : null;
  let before: Spent | null = null;
  let total: Spent | null = spentOf(living);
  let refused = false;
  let stopped = false;

  const guarded = (text: string): string => {
    const first = text.trimStart().charAt(0);
    if (request.commands) return text;
    return first !== '' && quirks.commandMarks?.includes(first) ? GUARD + text.trimStart() : text;
  };
  const prompt = (text: string, steer: string | null): Action => {
    const pictures = steer === null ? (request.images ?? []) : [];
    const blocks = pictures.map(({ mediaType, data }) => ({ type: 'image', mimeType: mediaType, data }));
    const params = { sessionId: talk.session, prompt: [{ type: 'text', text: guarded(text) }, ...blocks] };
    return write(rpc.request('session/prompt', params, { ask: 'prompt', steer }));
  };
  const say = (all: ReturnType<typeof native.update>): Action[] => all.map((event) => ({ do: 'say', event }));
  const reply = (id: RpcId, result: JsonObject): Action => write(rpc.reply(id, result));
  const delivered = (): Action[] => {
    const all = [...steering];
    steering.clear();
    return all.map((id) => ({ do: 'steered', id, delivered: true }));
  };
  const chunk = (kind: 'assistant' | 'thinking', update: JsonObject): Action[] => {
    const events = said.chunk(kind, update);
    return events === null ? [{ do: 'unread', text: JSON.stringify(update) }] : say(events);
  };
  /** Text stops here for a tool. */
  const broken = (): Action[] => {
    const rest = say(said.rest());
    said.interrupted();
    return rest;
  };
  const plan = (update: JsonObject): Action[] => {
    const entries = (arr(update, 'entries') ?? []).flatMap((entry) => {
      const content = str(entry, 'content');
      const status = str(entry, 'status');
      if (content === undefined) return [];
      const known = status === 'completed' || status === 'in_progress' ? status : 'pending';
      return [{ content, status: known } as const];
    });
    return [{ do: 'say', event: { type: 'plan', entries } }];
  };
  /** @param aside what the program said for itself in a turn for which it counts no tokens: a failure (codex-acp 2.6) */
  const outcome = (stopReason: string | undefined, aside: string | null): Outcome => {
    switch (stopReason) {
      case 'max_tokens':
      case 'refusal':
        return { ok: true, stopReason };
      case 'max_turn_requests':
        return { ok: true, stopReason: 'max_turns' };
      case 'cancelled':
        // Some agents end the turn so after a refused question (codex-acp 2.6).
        if (refused && !stopped) return { ok: true, stopReason: 'end_turn' };
        return {
          ok: false,
          code: stopped ? 'cancelled' : 'runner-error',
          message: `${quirks.title} cancelled the turn`,
        };
      default:
        if (aside !== null)
          return { ok: false, ...outcomeOf({ code: 0, message: aside, data: undefined }, 'prompt', quirks) };
        return { ok: true, stopReason: 'end_turn' };
    }
  };
  const totals = (): Action[] => {
    if (total === null) return [];
    if (request.resume === null) return [{ do: 'spend', scope: 'turn', spent: total }];
    // Unless its history is replayed, what a resumed session has already cost is unknown.
    if (before === null) return [];
    return [
      { do: 'baseline', scope: 'session', spent: before },
      { do: 'spend', scope: 'session', spent: total },
    ];
  };
  const first = (): Action =>
    prompt(talk.system === null ? request.prompt : `${talk.system}\n\n${request.prompt}`, null);
  const unfinished = () => rpc.waiting().some(({ ask }) => ask === 'prompt');

  return {
    start() {
      before = total;
      // The protocol acknowledges no prompt: its answer is the end of the turn.
      return [phase(null), first()];
    },
    total(params) {
      total = quirks.totals?.(params) ?? total;
    },
    replayed(update) {
      if (str(update, 'sessionUpdate') === 'usage_update') spent.before(update);
    },
    update(update) {
      switch (str(update, 'sessionUpdate')) {
        case 'agent_message_chunk':
          return chunk('assistant', update);
        case 'agent_thought_chunk':
          return chunk('thinking', update);
        case 'tool_call':
        case 'tool_call_update':
          return [...broken(), ...say(native.update(update))];
        case 'plan':
          return plan(update);
        case 'usage_update':
          return spent.update(update);
        case 'user_message_chunk':
        case 'available_commands_update':
        case 'current_mode_update':
        case 'config_option_update':
        case 'session_info_update':
          return [];
        default:
          return [{ do: 'unread', text: JSON.stringify(update) }];
      }
    },
    question(id, params) {
      if (stopped) return [reply(id, CANCELLED)];
      const toolCall = obj(params, 'toolCall') ?? {};
      const callId = str(toolCall, 'toolCallId') ?? '';
      if (quirks.sideQuestions?.test(callId)) return [reply(id, reject(params))];
      const rest = broken();
      if (quirks.looseQuestions?.test(callId)) {
        const key = `q${nextQuestion++}`;
        questions.set(key, { id, params, callId });
        return [
          ...rest,
          { do: 'ask', key, question: { name: str(toolCall, 'title') ?? 'tool', kind: 'other', input: null } },
        ];
      }
      const asked = native.asked(toolCall);
      if (asked.server !== undefined) return [...rest, ...say(asked.said), reply(id, keepAllowing(params, quirks))];
      const key = `q${nextQuestion++}`;
      questions.set(key, { id, params, callId });
      return [...rest, ...say(asked.said), { do: 'ask', key, question: asked.question }];
    },
    decided({ key, choice, message }) {
      const open = questions.get(key);
      if (!open) return [];
      questions.delete(key);
      if (choice !== 'deny') return [reply(open.id, allowOnce(open.params))];
      refused = true;
      return [reply(open.id, reject(open.params)), ...say(native.denied(open.callId, message))];
    },
    cancelled(id) {
      const open = [...questions].find(([, one]) => one.id === id);
      if (!open) return [];
      questions.delete(open[0]);
      return [{ do: 'withdraw', key: open[0] }];
    },
    steer(id, text) {
      if (!quirks.steersByPrompt || stopped || !unfinished()) return [{ do: 'steered', id, delivered: false }];
      steering.add(id);
      return [prompt(text, id)];
    },
    stop() {
      stopped = true;
      native.stopped();
      const open = [...questions.values()].map(({ id }) => reply(id, CANCELLED));
      questions.clear();
      return [...open, write(rpc.notify('session/cancel', { sessionId: talk.session }))];
    },
    living() {
      if (talk.session === null || questions.size > 0 || rpc.waiting().length > 0) return null;
      const cost = spent.total();
      return {
        session: talk.session,
        named: request.resume ?? talk.session,
        nextId: rpc.nextId(),
        ...(cost === null ? {} : { cost }),
        ...(total === null ? {} : { total: { ...total } }),
      };
    },
    attempted(line) {
      const retry = announcedAttempt(quirks.title, line);
      if (retry === null) return [];
      said.retried();
      return [retry];
    },
    logged(facts) {
      return facts.flatMap((one): Action[] => {
        switch (one.fact) {
          case 'call':
            modelCalls = (modelCalls ?? 0) + 1;
            said.newCall();
            return delivered();
          case 'model':
            return [{ do: 'model', id: one.id }];
          case 'retry': {
            said.retried();
            const { attempt, delayMs, code, message } = one;
            return [{ do: 'retrying', attempt, max: null, delayMs, code, message }];
          }
          case 'server':
            talk.servers.set(one.name, { status: one.status });
            return [];
          case 'hopeless':
            return fail({ code: one.code, message: `${quirks.title}: ${one.message}` });
          default: {
            const never: never = one;
            return never;
          }
        }
      });
    },
    result(asked: Asked, result: Json) {
      if (asked.ask !== 'prompt') return [];
      const steered: Action[] =
        asked.steer !== null && steering.delete(asked.steer)
          ? [{ do: 'steered', id: asked.steer, delivered: true }]
          : [];
      if (unfinished()) return steered;
      const tokens = quirks.tokens?.(result, modelCalls) ?? null;
      const models = (tokens?.models ?? []).map((id): Action => ({ do: 'model', id }));
      return [
        ...steered,
        ...say(said.rest()),
        ...models,
        ...spent.end(tokens),
        ...totals(),
        { do: 'finish', outcome: outcome(str(result, 'stopReason'), tokens === null ? said.aside() : null) },
      ];
    },
    error(asked: Asked, error: RpcError) {
      if (asked.ask !== 'prompt') return [];
      if (asked.steer !== null && error.code === METHOD_NOT_FOUND) {
        steering.delete(asked.steer);
        return [{ do: 'steered', id: asked.steer, delivered: false }];
      }
      return [...say(said.rest()), ...spent.end(null), ...totals(), ...fail(outcomeOf(error, 'prompt', quirks))];
    },
  };
}
