/** The Agent Client Protocol, version 1, as a client that brings a prompt and decides about tools. */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action, Conversation, Heard } from '../../../src/runner/action.js';
import type { Machine } from '../../../src/runner/machine.js';
import type { TurnRequest } from '../../../src/runner/request.js';
import { num, obj, parseObject, str } from '../../../src/text/json.js';
import { type RpcIncoming, rpcPeer } from '../../../src/text/json-rpc.js';
import { notice } from '../notice.js';
import { CANCELLED } from './answers.js';
import { elicitations } from './elicitation.js';
import { opening } from './opening.js';
import { prompting } from './prompting.js';
import type { Quirks } from './quirks.js';
import { awaited, serverStates } from './servers.js';
import { type Asked, fail, phase as phaseOf, type Talk, write } from './talk.js';

const METHOD_NOT_FOUND = -32601;
/** How long the end waits for what may follow it: an agent that sends its text by another way is late by a few milliseconds. */
const LATE_MS = 20;
const SPOKEN: ReadonlySet<string> = new Set(['agent_message_chunk', 'agent_thought_chunk', 'tool_call']);

type Finish = Extract<Action, { do: 'finish' }>;

export interface AcpOptions {
  quirks: Quirks;
  /** The system prompt went to the agent in another way. */
  systemElsewhere?: boolean;
}

/**
 * One turn of an ACP agent. Nothing is said of a replayed history; a turn ends with the answer to its prompt.
 * @param living the session that the program has open, from its last turn
 */
export function acp(request: TurnRequest, machine: Machine, options: AcpOptions, living?: JsonObject): Conversation {
  const { quirks } = options;
  const talk: Talk = {
    request,
    machine,
    quirks,
    rpc: rpcPeer<Asked>({ firstId: num(living, 'nextId') ?? 0 }),
    // A continued session has it in its history.
    system: options.systemElsewhere || request.resume !== null ? null : request.system,
    session: str(living, 'session') ?? null,
    servers: new Map(),
    updates: 0,
  };
  const log = quirks.log?.();
  const turn = prompting(talk, living);
  const asking = elicitations(talk);
  let phase: 'opening' | 'prompting' | 'over' = 'opening';
  let stopped = false;
  /** The answer to the prompt came; it is said once nothing follows it. */
  let end: Finish | null = null;
  let spokeLate = false;
  const others = new Set<string>();
  const prompt = (): Action[] => {
    phase = 'prompting';
    return turn.start();
  };
  let isOpen = false;
  let isReady = false;
  const before = opening(talk, () => {
    isOpen = true;
    return goesOn();
  });
  /** The session is open: the prompt follows once all is known of the servers that must be ready. */
  const goesOn = (): Action[] => {
    if (!isOpen || isReady || stopped) return [];
    if (quirks.serverLine && awaited(request, talk.servers)) return [phaseOf('servers')];
    isReady = true;
    const mcpServers = serverStates(request, talk.servers, quirks.logsServers === true);
    const ready: Action = { do: 'say', event: { type: 'ready', mcpServers } };
    // A server that is required and not there ends the turn before the prompt follows.
    return request.requireMcp === undefined ? [ready, ...prompt()] : [ready, { do: 'wake', afterMs: 0 }];
  };
  const aboutServer = (text: string): Action[] => {
    const told = phase === 'opening' ? quirks.serverLine?.(text) : undefined;
    if (told === undefined) return [];
    const { name, ...state } = told;
    talk.servers.set(name, state);
    return goesOn();
  };

  const update = (params: JsonObject): Action[] => {
    talk.updates++;
    const one = obj(params, 'update') ?? {};
    turn.total(params);
    const session = str(params, 'sessionId');
    if (session !== undefined && talk.session !== null && session !== talk.session) return foreign(session, params);
    if (phase === 'prompting') return turn.update(one);
    // A replayed history is dropped, but for what it says about money spent before this turn.
    turn.replayed(one);
    return [];
  };
  /** Another session of the same process, e.g. a subagent's: its text does not belong to this turn, and one notice names it. */
  const foreign = (session: string, params: JsonObject): Action[] => {
    if (str(params, 'update', 'sessionUpdate') !== 'agent_message_chunk' || others.has(session)) return unread(params);
    others.add(session);
    const about = `${quirks.title} speaks in another session (${session}); this turn leaves it out.`;
    return [...unread(params), notice('text-left-out', about)];
  };
  const unread = (message: JsonObject): Action[] => [{ do: 'unread', text: JSON.stringify(message) }];
  const incoming = (message: JsonObject, read: RpcIncoming<Asked>): Action[] => {
    switch (read.kind) {
      case 'result':
        return (phase === 'opening' ? before : turn).result(read.tag, read.result);
      case 'error':
        return (phase === 'opening' ? before : turn).error(read.tag, read.error);
      case 'request':
        if (read.method === 'session/request_permission') return turn.question(read.id, read.params);
        if (read.method === 'elicitation/create') return asking.ask(read.id, read.params);
        // Files, terminals and vendors' own methods: none was promised.
        return [write(talk.rpc.fail(read.id, METHOD_NOT_FOUND, `Method not found: ${read.method}`))];
      case 'notification':
        if (read.method === 'session/update') return update(read.params);
        return read.method === '$/cancel_request' ? cancelled(read.params) : unread(message);
      case 'stray':
        return unread(message);
      default: {
        const never: never = read;
        return never;
      }
    }
  };
  const cancelled = (params: JsonObject): Action[] => {
    const id = params['requestId'];
    return typeof id === 'number' || typeof id === 'string' ? [...turn.cancelled(id), ...asking.cancelled(id)] : [];
  };
  const line = (text: string): Action[] => {
    const message = parseObject(text);
    if (message) return incoming(message, talk.rpc.read(message));
    if (text.trim() === '') return [];
    const outcome = quirks.plainLine?.(text);
    return [{ do: 'unread', text }, ...(outcome ? [{ do: 'finish', outcome } as const] : [])];
  };
  const goOn = (state: JsonObject): Action[] => {
    phase = 'prompting';
    const session_id = str(state, 'named') ?? talk.session ?? '';
    return [{ do: 'say', event: { type: 'session', session_id } }, ...turn.start()];
  };
  /** Between two turns: requests are answered, and the agent's own work is reported. */
  const idle = (text: string): Action[] => {
    const message = parseObject(text);
    const method = str(message, 'method');
    const id = message?.['id'];
    if (method !== undefined && (typeof id === 'number' || typeof id === 'string')) {
      const asks = method === 'session/request_permission';
      const answered = asks
        ? talk.rpc.reply(id, CANCELLED)
        : talk.rpc.fail(id, METHOD_NOT_FOUND, `Method not found: ${method}`);
      return [write(answered)];
    }
    const works = SPOKEN.has(str(message, 'params', 'update', 'sessionUpdate') ?? '');
    return works
      ? [{ do: 'unread', text }, notice('other-turn', `${quirks.title} works by itself`)]
      : [{ do: 'unread', text }];
  };
  const left = (code: number | null): Action[] => {
    const known = code === null ? undefined : quirks.exits?.[code];
    return known === undefined ? [] : fail({ code: known, message: `${quirks.title} exited with code ${code}` });
  };
  const answer = (heard: Heard): Action[] => {
    switch (heard.type) {
      case 'spawned':
        return living ? goOn(living) : before.start();
      case 'line':
        return line(heard.text);
      case 'stderr':
        if (log) return turn.logged(log.read(heard.text, talk.session));
        if (phase === 'opening') return aboutServer(heard.text);
        return quirks.announcesAttempts && phase === 'prompting' ? turn.attempted(heard.text) : [];
      case 'decision':
        return turn.decided(heard);
      case 'steer':
        if (phase === 'prompting') return turn.steer(heard.id, heard.text);
        return [{ do: 'steered', id: heard.id, delivered: false }];
      case 'stop':
        stopped = true;
        return phase === 'prompting' ? [...asking.stop(), ...turn.stop()] : [{ do: 'end-stdin' }];
      case 'exit':
        return stopped ? [] : left(heard.code);
      case 'woken':
        return stopped || phase !== 'opening' || !isReady ? [] : prompt();
      case 'answers':
        return asking.answered(heard.key, heard.answers);
      case 'mcp':
      case 'answer':
        return [];
      default: {
        const never: never = heard;
        return never;
      }
    }
  };

  /** Text that follows the end of its prompt belongs to no answer: it is left out, and one notice says so. */
  const late = (text: string): Action[] | null => {
    const params = obj(parseObject(text), 'params');
    if (!SPOKEN.has(str(params, 'update', 'sessionUpdate') ?? '')) return null;
    const first = !spokeLate;
    spokeLate = true;
    const about = `${quirks.title} went on after it had ended its answer; that is left out.`;
    return [{ do: 'unread', text }, ...(first ? [notice('text-left-out', about)] : [])];
  };
  const release = (end: Finish): Action[] => {
    phase = 'over';
    const state = spokeLate || asking.open() > 0 ? null : turn.living();
    return [state ? { ...end, living: state } : end];
  };

  return {
    hear(heard) {
      // No one reads what comes after the end; it is marked where native lines are shown.
      if (phase === 'over') return heard.type === 'line' ? idle(heard.text) : [];
      if (end !== null) {
        if (heard.type === 'woken') return release(end);
        if (heard.type === 'stop' || heard.type === 'exit') {
          phase = 'over';
          return [end];
        }
        return (heard.type === 'line' ? late(heard.text) : null) ?? answer(heard);
      }
      const answered = phase === 'prompting' && heard.type === 'line';
      const actions = answer(heard);
      const finish = actions.find((action) => action.do === 'finish');
      if (!finish) return actions;
      if (!answered || stopped || !finish.outcome.ok) {
        phase = 'over';
        const state = answered && asking.open() === 0 ? turn.living() : null;
        return actions.map((action) => (action.do === 'finish' && state ? { ...action, living: state } : action));
      }
      end = finish;
      return [...actions.filter((action) => action !== finish), { do: 'wake', afterMs: LATE_MS }];
    },
  };
}
