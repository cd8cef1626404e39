/**
 * One turn with the app server: initialize, look at login and configuration, open the thread, start the turn (codex-cli
 * 0.171.0; messages are JSON-RPC without the version field). A further turn of a program that was kept starts at once.
 */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Outcome, Phase } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { num, obj, parseObject, str } from '../../src/text/json.js';
import { rpcPeer } from '../../src/text/json-rpc.js';
import { notice } from '../dialects/notice.js';
import { sandboxMismatch } from './access.js';
import { refusedOutcome } from './errors.js';
import { questions } from './questions.js';
import { servers } from './servers.js';
import {
  configuredServers,
  type Facts,
  lacksLogin,
  lateInstructions,
  openThread,
  startTurn,
  textInput,
} from './thread.js';
import { turnView } from './turn-view.js';

type Tag =
  | { to: 'initialize' | 'account' | 'config' | 'stored' | 'open' | 'inject' | 'turn' | 'interrupt' }
  | { to: 'steer'; id: string };

const CLIENT = {
  clientInfo: { name: 'turnout', title: 'Turnout', version: '1' },
  capabilities: { experimentalApi: true, requestAttestation: false },
};

/** @param living the thread that the program has open, from its last turn */
export function converse(request: TurnRequest, machine: Machine, living?: JsonObject): Conversation {
  const peer = rpcPeer<Tag>({ version: false, firstId: num(living, 'nextId') ?? 1 });
  const view = turnView();
  const asked = questions(request, peer, view);
  const mcp = servers();
  const facts: Facts = { codexHome: '', account: null, config: null, stored: null };
  let looking = 0;
  let threadId = '';
  let model: string | undefined;
  let provider: string | undefined;
  let effort: string | undefined;
  let opened = false;
  let turnAsked = false;
  let interrupted = false;
  let stopping = false;
  let over = false;
  const waitingSteers: { id: string; text: string }[] = [];

  const phase = (now: Phase | null): Action => ({ do: 'phase', phase: now });
  const write = (line: string): Action => ({ do: 'write', line });
  const send = (method: string, params: Json, tag: Tag): Action => write(peer.request(method, params, tag));
  const finish = (outcome: Outcome): Action[] => {
    over = true;
    return [{ do: 'finish', outcome }];
  };

  const look = (): Action[] => {
    looking = request.resume === null ? 2 : 3;
    const actions = [
      phase('settings'),
      write(peer.notify('initialized')),
      send('account/read', {}, { to: 'account' }),
      send('config/read', { cwd: request.cwd, includeLayers: false }, { to: 'config' }),
    ];
    if (request.resume !== null) {
      actions.push(send('thread/read', { threadId: request.resume, includeTurns: false }, { to: 'stored' }));
    }
    return actions;
  };
  const looked = (): Action[] => (--looking === 0 ? open() : []);
  const open = (): Action[] => {
    if (stopping) return [{ do: 'end-stdin' }];
    if (lacksLogin(facts, machine)) {
      return finish({ ok: false, code: 'auth', message: 'codex is not logged in, and CODEX_API_KEY is not set.' });
    }
    const home = str(facts.stored, 'cwd');
    if (home !== undefined && home !== request.cwd) {
      const message = `the session ${request.resume ?? ''} belongs to ${home}; continue it there`;
      return finish({ ok: false, code: 'session-not-found', message });
    }
    mcp.expect(configuredServers(request, facts).wanted);
    mcp.expect(request.mcpServers.map((server) => server.name));
    const { method, params } = openThread(request, machine, facts);
    return [phase('session'), send(method, params, { to: 'open' })];
  };
  const threadOpened = (result: Json): Action[] => {
    const mismatch = sandboxMismatch(request, machine, result);
    if (mismatch !== null) return finish({ ok: false, code: 'unsupported', message: mismatch });
    threadId = str(result, 'thread', 'id') ?? '';
    model = str(result, 'model') ?? str(result, 'thread', 'model');
    provider = str(result, 'modelProvider');
    const actions = toldOpen(request.effort ?? str(result, 'reasoningEffort'));
    const late = lateInstructions(request, facts);
    if (late) return [...actions, send('thread/inject_items', { threadId, items: late }, { to: 'inject' })];
    return [...actions, ...begin()];
  };
  const toldOpen = (level: string | undefined): Action[] => {
    opened = true;
    effort = level;
    view.opened({ threadId, model, provider, effort });
    const session: Action = { do: 'say', event: { type: 'session', session_id: threadId } };
    return model === undefined ? [session] : [session, { do: 'model', id: model }];
  };
  const goOn = (state: JsonObject): Action[] => {
    threadId = str(state, 'threadId') ?? '';
    model = str(state, 'model');
    provider = str(state, 'provider');
    const told = toldOpen(str(state, 'effort'));
    return [...told, ...begin()];
  };
  /** What the next turn must know; null when something is still owed. */
  const kept = (): JsonObject | null => {
    if (asked.open() > 0 || threadId === '') return null;
    const known = { model, provider, effort };
    const named = Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    return { threadId, nextId: peer.nextId(), ...Object.fromEntries(named) };
  };
  /** The turn starts once the servers that were asked for are up, or have failed. */
  const begin = (): Action[] => {
    if (!opened || turnAsked || over) return [];
    if (!mcp.settled()) return [phase('servers')];
    if (stopping) return [{ do: 'end-stdin' }];
    turnAsked = true;
    const ready: Action = { do: 'say', event: { type: 'ready', mcpServers: mcp.all() } };
    // A server that is required and not there ends the turn first.
    if (request.requireMcp !== undefined) return [ready, { do: 'wake', afterMs: 0 }];
    return [ready, ...startTurnNow()];
  };
  const startTurnNow = (): Action[] =>
    stopping || over
      ? [{ do: 'end-stdin' }]
      : [phase('prompt'), send('turn/start', startTurn(request, threadId), { to: 'turn' })];
  const began = (): Action[] => {
    const turnId = view.turnId();
    if (turnId === null || over) return [];
    if (stopping && !interrupted) {
      interrupted = true;
      return [send('turn/interrupt', { threadId, turnId }, { to: 'interrupt' })];
    }
    return waitingSteers
      .splice(0)
      .map(({ id, text }) =>
        send('turn/steer', { threadId, input: textInput(text), expectedTurnId: turnId }, { to: 'steer', id }),
      );
  };

  const answered = (tag: Tag, result: Json): Action[] => {
    switch (tag.to) {
      case 'initialize':
        facts.codexHome = str(result, 'codexHome') ?? `${machine.home}/.codex`;
        return look();
      case 'account':
        facts.account = result;
        return looked();
      case 'config':
        facts.config = result;
        return looked();
      case 'stored':
        facts.stored = obj(result, 'thread') ?? null;
        return looked();
      case 'open':
        return threadOpened(result);
      case 'inject':
        return begin();
      case 'turn': {
        const turnId = str(result, 'turn', 'id');
        if (turnId !== undefined) view.began(turnId);
        return [phase(null), ...began()];
      }
      case 'interrupt':
        return [];
      case 'steer':
        view.steered();
        return [{ do: 'steered', id: tag.id, delivered: true }];
      default: {
        const never: never = tag;
        return [{ do: 'unread', text: JSON.stringify(never) }];
      }
    }
  };
  const refused = (tag: Tag, message: string): Action[] => {
    switch (tag.to) {
      case 'initialize':
        return finish(refusedOutcome('refused the connection', message));
      // Without these facts codex itself says what is wrong.
      case 'account':
      case 'config':
      case 'stored':
        return looked();
      case 'open':
        return finish(refusedOutcome('could not open the session', message));
      case 'inject':
        return [notice('system-ignored', `the system prompt was not taken: ${message}`), ...begin()];
      case 'turn':
        return finish(refusedOutcome('refused the turn', message));
      case 'interrupt':
        return [{ do: 'end-stdin' }];
      case 'steer':
        return [{ do: 'steered', id: tag.id, delivered: false }];
      default: {
        const never: never = tag;
        return [{ do: 'unread', text: JSON.stringify(never) }];
      }
    }
  };
  const notified = (method: string, params: JsonObject): Action[] => {
    if (method === 'serverRequest/resolved') return asked.resolved(params);
    if (method === 'mcpServer/startupStatus/updated') {
      mcp.hear(params);
      return begin();
    }
    const actions = view.hear(method, params).map((action) => {
      if (action.do !== 'finish') return action;
      over = true;
      const state = kept();
      return state === null ? action : { ...action, living: state };
    });
    return method === 'turn/started' ? [...actions, ...began()] : actions;
  };
  /** Between two turns the program has nothing to do. */
  const unasked = (method: string): Action[] =>
    method === 'turn/started' ? [notice('other-turn', 'codex began a turn of its own')] : [];
  const line = (text: string): Action[] => {
    const message = parseObject(text);
    if (!message) return [{ do: 'unread', text }];
    const incoming = peer.read(message);
    switch (incoming.kind) {
      case 'result':
        return answered(incoming.tag, incoming.result);
      case 'error':
        return refused(incoming.tag, incoming.error.message);
      case 'request':
        return asked.ask(incoming.id, incoming.method, incoming.params);
      case 'notification':
        return over ? unasked(incoming.method) : notified(incoming.method, incoming.params);
      case 'stray':
        return [{ do: 'unread', text }];
      default: {
        const never: never = incoming;
        return [{ do: 'unread', text: JSON.stringify(never) }];
      }
    }
  };

  return {
    hear(heard) {
      switch (heard.type) {
        case 'spawned':
          if (living) return goOn(living);
          return [phase('hello'), send('initialize', CLIENT, { to: 'initialize' })];
        case 'line':
          return line(heard.text);
        case 'answer':
          return asked.answer(heard.key, heard.ok, heard.text);
        case 'decision':
          return asked.decide(heard.key, heard.choice !== 'deny');
        case 'steer':
          if (over) return [{ do: 'steered', id: heard.id, delivered: false }];
          waitingSteers.push({ id: heard.id, text: heard.text });
          return began();
        case 'stop':
          stopping = true;
          if (!turnAsked) return [{ do: 'end-stdin' }];
          return began();
        case 'answers':
          return asked.told(heard.key, heard.answers);
        case 'woken':
          return startTurnNow();
        case 'stderr':
        case 'mcp':
        case 'exit':
          return [];
        default: {
          const never: never = heard;
          return [{ do: 'unread', text: JSON.stringify(never) }];
        }
      }
    },
  };
}
