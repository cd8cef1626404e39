/** From the first byte to an open session with everything set: initialize, new or load, settings, the end of a replay. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import type { TurnRequest } from '../../../src/runner/request.js';
import { arr, at, bool, num, obj, str } from '../../../src/text/json.js';
import type { RpcError } from '../../../src/text/json-rpc.js';
import { notice } from '../notice.js';
import { outcomeOf } from './errors.js';
import { mcpServers } from './servers.js';
import { settings } from './settings.js';
import { type Answers, type Asked, fail, phase, type Talk, write } from './talk.js';

/** Nothing is read, written or run for the agent: its own tools are the ones whose access is known. */
const CAPABILITIES: JsonObject = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
/** Lets an agent ask the person questions. */
const ASKABLE: JsonObject = { ...CAPABILITIES, elicitation: { form: {}, url: {} } };
const client = (request: TurnRequest): JsonObject => ({
  protocolVersion: 1,
  clientCapabilities: request.questions === 'stdio' ? ASKABLE : CAPABILITIES,
  clientInfo: { name: 'turnout', title: 'Turnout', version: '1' },
});
const AUTH_REQUIRED = -32000;
/** Looks in a row that must find nothing new before a replay counts as over. */
const QUIET_LOOKS = 2;

export interface Opening extends Answers {
  start(): Action[];
}

/** @param ready called once; its actions follow */
export function opening(talk: Talk, ready: () => Action[]): Opening {
  const { request, machine, quirks, rpc } = talk;
  let capabilities: Json | undefined;
  let openedWith: Json = null;
  let logins = (quirks.logins ?? []).filter(({ variable }) => machine.envNames.has(variable));
  let quiet = 0;
  let seen = 0;

  const open = (): Action[] => {
    const { servers, refused } = mcpServers(request, machine, capabilities);
    const base = { cwd: request.cwd, mcpServers: servers };
    const notices = refused.map((name) =>
      notice('mcp-server-ignored', `${quirks.title} does not take the MCP server "${name}"`),
    );
    for (const name of refused) talk.servers.set(name, { status: 'unsupported' });
    notices.push(phase('session'));
    if (request.resume === null) return [...notices, write(rpc.request('session/new', base, { ask: 'open' }))];
    const sessionId = quirks.continueId?.(request.resume) ?? request.resume;
    talk.session = sessionId;
    const method = quirks.continueBy === 'resume' ? 'session/resume' : 'session/load';
    return [...notices, write(rpc.request(method, { sessionId, ...base }, { ask: 'open' }))];
  };
  const settle = (): Action[] => {
    const modeId = str(openedWith, 'modes', 'currentModeId');
    if (request.resume === null || !quirks.replayLags || modeId === undefined || quiet >= QUIET_LOOKS) return ready();
    seen = talk.updates;
    // Asked for the sake of its answer: what was on its way before it has arrived then.
    return [write(rpc.request('session/set_mode', { sessionId: talk.session, modeId }, { ask: 'settle' }))];
  };
  const choosing = settings(talk, settle);
  const opened = (result: Json): Action[] => {
    const session = str(result, 'sessionId');
    const gone =
      (quirks.blankIsGone && Object.keys(obj(result) ?? {}).length === 0) || (quirks.emptyIsGone && talk.updates === 0);
    if (request.resume !== null && gone) {
      return fail({ code: 'session-not-found', message: `${quirks.title} knows no session ${request.resume}` });
    }
    if (request.resume === null) {
      if (session === undefined) return fail({ code: 'runner-error', message: `${quirks.title} gave no session id` });
      talk.session = session;
    }
    openedWith = result;
    return [
      { do: 'say', event: { type: 'session', session_id: request.resume ?? session ?? '' } },
      phase('settings'),
      ...choosing.start(result),
    ];
  };
  const listed = (result: Json): Action[] => {
    const entry = arr(result, 'sessions')?.find((one) => str(one, 'sessionId') === request.resume);
    const home = str(entry, 'cwd');
    if (home === undefined || home === request.cwd) return open();
    const message = `session ${request.resume} belongs to ${home}; continue it with --cwd ${home}`;
    return fail({ code: 'session-not-found', message });
  };
  const initialized = (result: Json): Action[] => {
    const version = num(result, 'protocolVersion');
    if (version !== undefined && version !== 1) {
      return fail({ code: 'runner-error', message: `${quirks.title} speaks ACP version ${version} only, not 1` });
    }
    capabilities = at(result, 'agentCapabilities');
    if ((request.images?.length ?? 0) > 0 && bool(capabilities, 'promptCapabilities', 'image') !== true) {
      return fail({ code: 'unsupported', message: `this version of ${quirks.title} takes no images` });
    }
    const lists = at(capabilities, 'sessionCapabilities', 'list') !== undefined;
    if (request.resume === null || !quirks.checksDirectory || !lists) return open();
    return [phase('session'), write(rpc.request('session/list', {}, { ask: 'list' }))];
  };
  const login = (): Action[] | null => {
    const [method, ...rest] = logins;
    if (method === undefined) return null;
    logins = rest;
    return [phase('login'), write(rpc.request('authenticate', { methodId: method.method }, { ask: 'login' }))];
  };

  return {
    start: () => [phase('hello'), write(rpc.request('initialize', client(request), { ask: 'initialize' }))],
    result(asked: Asked, result: Json): Action[] {
      switch (asked.ask) {
        case 'initialize':
          return initialized(result);
        case 'list':
          return listed(result);
        case 'login':
          return open();
        case 'open':
          return opened(result);
        case 'set':
          return choosing.result(asked.what, asked.wanted, result);
        case 'settle':
          quiet = talk.updates === seen ? quiet + 1 : 0;
          return settle();
        case 'prompt':
          return [];
        default: {
          const never: never = asked;
          return never;
        }
      }
    },
    error(asked: Asked, error: RpcError): Action[] {
      switch (asked.ask) {
        case 'initialize':
          return fail(outcomeOf(error, 'initialize', quirks));
        case 'list':
          return open();
        case 'login':
          return login() ?? fail({ code: 'auth', message: `${quirks.title}: ${error.message}` });
        case 'open': {
          const again = error.code === AUTH_REQUIRED ? login() : null;
          return again ?? fail(outcomeOf(error, request.resume === null ? 'open' : 'load', quirks));
        }
        case 'set':
          return choosing.error(asked.what, asked.wanted, error);
        case 'settle':
          quiet = QUIET_LOOKS;
          return settle();
        case 'prompt':
          return [];
        default: {
          const never: never = asked;
          return never;
        }
      }
    },
  };
}
