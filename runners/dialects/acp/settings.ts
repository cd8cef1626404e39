/** Chooses mode, model and effort of an open session, through whatever way the agent advertises. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { arr, at, isObject, obj, str } from '../../../src/text/json.js';
import type { RpcError } from '../../../src/text/json-rpc.js';
import { notice } from '../notice.js';
import { outcomeOf } from './errors.js';
import { type Asked, fail, type Talk, write } from './talk.js';

type What = Extract<Asked, { ask: 'set' }>['what'];
/** Vibe 3.0 has its own category for effort. */
const CATEGORIES: Record<What, readonly string[]> = {
  mode: ['mode'],
  model: ['model'],
  effort: ['thought_level', 'thinking'],
};

export interface Settings {
  /** @param opened the answer that opened the session */
  start(opened: Json): Action[];
  result(what: What, wanted: string, result: Json): Action[];
  error(what: What, wanted: string, error: RpcError): Action[];
}

function option(options: Json[], what: What): JsonObject | undefined {
  const all = options.filter(isObject);
  // By id first: nanocoder 1.30 has its provider in the category "model" too.
  return (
    all.find((one) => str(one, 'id') === what) ??
    all.find((one) => CATEGORIES[what].includes(str(one, 'category') ?? ''))
  );
}

/** Values of a select, which may be grouped. */
function values(one: JsonObject): string[] {
  return (arr(one, 'options') ?? []).flatMap((choice) => {
    const value = str(choice, 'value');
    return value !== undefined ? [value] : values(obj(choice) ?? {});
  });
}

/** @param done called when all is set; its actions follow */
export function settings(talk: Talk, done: () => Action[]): Settings {
  const { quirks, request, rpc } = talk;
  const steps: What[] = ['mode', 'model', 'effort'];
  let options: Json[] = [];
  let opened: Json = null;

  const wantedMode = (): string | null => {
    const ids = quirks.mode?.ids[request.access];
    if (ids === undefined || typeof ids === 'string') return ids ?? null;
    const one = option(options, 'mode');
    const there = one ? values(one) : (arr(opened, 'modes', 'availableModes') ?? []).map((mode) => str(mode, 'id'));
    return ids.find((id) => there.includes(id)) ?? ids[0] ?? null;
  };
  const wantedFor = (what: What): string | null => {
    switch (what) {
      case 'mode':
        return wantedMode();
      case 'model':
        return quirks.model === 'session' ? request.model : null;
      case 'effort':
        return request.effort === null || !quirks.efforts ? null : (quirks.efforts[request.effort] ?? request.effort);
      default: {
        const never: never = what;
        return never;
      }
    }
  };
  const send = (what: What, wanted: string, method: string, params: JsonObject): Action[] => [
    write(rpc.request(method, { sessionId: talk.session, ...params }, { ask: 'set', what, wanted })),
  ];
  const missing = (what: What, wanted: string): Action[] | null => {
    switch (what) {
      case 'mode':
        if (!quirks.mode?.required) return null;
        return fail({ code: 'runner-error', message: `${quirks.title} does not offer the mode "${wanted}"` });
      case 'model':
        return fail({ code: 'model-unavailable', message: `${quirks.title} does not offer the model ${wanted}` });
      case 'effort':
        return [notice('effort-ignored', `${quirks.title} has no effort level "${wanted}" for this model`)];
      default: {
        const never: never = what;
        return never;
      }
    }
  };
  /** @returns null when there is nothing to do */
  const choose = (what: What, wanted: string): Action[] | null => {
    const one = option(options, what);
    if (one) {
      if (str(one, 'currentValue') === wanted) return null;
      // A list of models is not always complete; the agent refuses what it does not know.
      if (what !== 'model' && !values(one).includes(wanted)) return missing(what, wanted);
      return send(what, wanted, 'session/set_config_option', { configId: str(one, 'id') ?? what, value: wanted });
    }
    if (what === 'mode') {
      if (str(opened, 'modes', 'currentModeId') === wanted) return null;
      const ids = (arr(opened, 'modes', 'availableModes') ?? []).map((mode) => str(mode, 'id'));
      return ids.includes(wanted) ? send(what, wanted, 'session/set_mode', { modeId: wanted }) : missing(what, wanted);
    }
    if (what === 'model') {
      if (str(opened, 'models', 'currentModelId') === wanted) return null;
      return send(what, wanted, 'session/set_model', { modelId: wanted });
    }
    return missing(what, wanted);
  };
  const ends = (actions: readonly Action[]) =>
    actions.some((action) => action.do === 'finish' || action.do === 'write');
  const next = (before: Action[]): Action[] => {
    const out = [...before];
    for (let what = steps.shift(); what !== undefined; what = steps.shift()) {
      const wanted = wantedFor(what);
      const actions = (wanted === null ? null : choose(what, wanted)) ?? [];
      out.push(...actions);
      if (ends(actions)) return out;
    }
    return [...out, ...done()];
  };
  const without = (what: What, wanted: string): Action[] => {
    const actions = missing(what, wanted) ?? [];
    return ends(actions) ? actions : next(actions);
  };

  return {
    start(answer) {
      opened = answer;
      options = arr(opened, 'configOptions') ?? [];
      return next([]);
    },
    result(what, wanted, result) {
      const now = arr(result, 'configOptions');
      if (now === undefined) return next([]);
      options = now;
      const one = option(options, what);
      // Some agents answer an unknown value with success and keep the old one (claude-agent-acp 0.101).
      return one === undefined || at(one, 'currentValue') === wanted ? next([]) : without(what, wanted);
    },
    error(what, wanted, error) {
      return what === 'model' ? fail(outcomeOf(error, 'model', quirks)) : without(what, wanted);
    },
  };
}
