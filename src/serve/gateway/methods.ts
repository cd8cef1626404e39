/** All methods by name, and the names that Pi's RPC has for them. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { ABSENT } from './absent.js';
import type { Method, Methods } from './method.js';
import { ABOUT } from './methods/about.js';
import { ANSWERS } from './methods/answers.js';
import { COMMANDS } from './methods/commands.js';
import { HARMLESS } from './methods/harmless.js';
import { PICTURES } from './methods/pictures.js';
import { SESSIONS } from './methods/sessions.js';
import { SETTINGS } from './methods/settings.js';
import { TURNS } from './methods/turns.js';
import { CODE, RpcError } from './rpc.js';

export const METHODS: Methods = {
  ...SESSIONS,
  ...TURNS,
  ...ABOUT,
  ...ANSWERS,
  ...SETTINGS,
  ...PICTURES,
  ...COMMANDS,
  ...HARMLESS,
};

export interface Alias {
  method: string;
  /** Pi's parameters → ours. */
  rename(params: JsonObject): JsonObject;
}

const message = ({ message: said, ...rest }: JsonObject): JsonObject =>
  said === undefined ? rest : { text: said, ...rest };
const same = (params: JsonObject): JsonObject => params;

/** The names of Pi's RPC mode. They mean the session that the client opened last, unless one is named. */
export const PI: Readonly<Record<string, Alias>> = {
  prompt: { method: 'prompt.submit', rename: message },
  steer: { method: 'session.steer', rename: message },
  follow_up: { method: 'prompt.submit', rename: (params) => ({ ...message(params), queued: true }) },
  abort: { method: 'session.interrupt', rename: same },
  set_model: {
    method: 'config.set',
    rename: ({ provider, modelId, model, ...rest }) => {
      const name = modelId ?? model ?? '';
      return { ...rest, key: 'model', value: provider === undefined ? name : `${String(provider)}:${String(name)}` };
    },
  },
  compact: {
    method: 'session.compress',
    rename: ({ customInstructions, ...rest }) => ({ ...rest, focus_topic: customInstructions ?? null }),
  },
  get_state: { method: 'session.status', rename: same },
  get_messages: { method: 'session.history', rename: same },
  switch_session: {
    method: 'session.resume',
    rename: ({ sessionPath, sessionId, ...rest }) => ({ session_id: sessionId ?? sessionPath ?? null, ...rest }),
  },
  fork: { method: 'session.branch', rename: same },
  new_session: { method: 'session.create', rename: same },
};

export interface Named {
  method: Method;
  /** @param current the session that the client opened last */
  rename(params: JsonObject, current: string | null): JsonObject;
}

/** With the reason, where the original has it and we do not. */
export function unknownMethod(name: string): RpcError {
  const reason = Object.hasOwn(ABSENT, name) ? ABSENT[name] : undefined;
  const data = reason === undefined ? [] : [{ reason }];
  return new RpcError(CODE.unknownMethod, `unknown method: ${name}`, ...data);
}

/** Null when there is no such method. */
export function methodNamed(name: string): Named | null {
  const alias = Object.hasOwn(PI, name) ? PI[name] : undefined;
  const wanted = alias?.method ?? name;
  const method = Object.hasOwn(METHODS, wanted) ? METHODS[wanted] : undefined;
  if (!method) return null;
  if (!alias) return { method, rename: same };
  return {
    method,
    rename(params, current) {
      const given = alias.rename(params);
      const named = given['session_id'] !== undefined && given['session_id'] !== null;
      return named || current === null || name === 'switch_session' ? given : { ...given, session_id: current };
    },
  };
}
