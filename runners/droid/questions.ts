/** Droid's questions about its tools: one request may be about several calls, and has one answer (0.225.2). */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { arr, obj, str } from '../../src/text/json.js';
import type { RpcId } from '../../src/text/json-rpc.js';
import { isOurs, nativeTool, serverOf } from './tools.js';

interface Open {
  id: RpcId;
  waiting: Set<string>;
  tools: string[];
}

export interface Questions {
  asked(id: RpcId, params: JsonObject): Action[];
  decided(key: string, allow: boolean, message: string): Action[];
  /** The host no longer answers. */
  resolved(id: string): Action[];
  denied(toolUseId: string): boolean;
  /** What the model must still learn: Droid ends its turn at a refusal. */
  untold(): string | null;
  /** It went on by itself. */
  wentOn(): void;
}

/** @param answer makes the line that answers a request */
export function questions(request: TurnRequest, answer: (id: RpcId, option: string) => Action): Questions {
  const open = new Map<RpcId, Open>();
  const denied = new Set<string>();
  let reasons: string[] = [];
  const free = (name: string) => {
    if (request.access === 'full' && request.sandbox === null) return true;
    const server = serverOf(name);
    return isOurs(name) || request.mcpServers.some((one) => one.name === server);
  };
  return {
    asked(id, params) {
      const calls = (arr(params, 'toolUses') ?? []).map((one) => obj(one, 'toolUse') ?? {});
      const asks = calls.filter((call) => !free(str(call, 'name') ?? ''));
      if (asks.length === 0) return [answer(id, calls.length === 0 ? 'cancel' : 'proceed_once')];
      const keys = asks.map((_, index) => `${id}:${index}`);
      open.set(id, { id, waiting: new Set(keys), tools: calls.map((call) => str(call, 'id') ?? '') });
      return asks.map((call, index): Action => {
        const tool = nativeTool(str(call, 'name') ?? '', obj(call, 'input') ?? {});
        return { do: 'ask', key: keys[index] ?? '', question: { toolUseId: str(call, 'id') ?? '', ...tool } };
      });
    },
    decided(key, allow, message) {
      const one = [...open.values()].find((asked) => asked.waiting.has(key));
      if (!one) return [];
      one.waiting.delete(key);
      if (allow && one.waiting.size > 0) return [];
      open.delete(one.id);
      if (allow) return [answer(one.id, 'proceed_once')];
      for (const tool of one.tools) denied.add(tool);
      reasons.push(message);
      return [...[...one.waiting].map((rest): Action => ({ do: 'withdraw', key: rest })), answer(one.id, 'cancel')];
    },
    resolved(id) {
      const one = open.get(id);
      if (!one) return [];
      open.delete(id);
      return [...one.waiting].map((key): Action => ({ do: 'withdraw', key }));
    },
    denied: (toolUseId) => denied.has(toolUseId),
    untold() {
      const [first] = reasons;
      if (first === undefined) return null;
      const all = [...new Set(reasons)].join(' ');
      reasons = [];
      return `Your tool call was not allowed: ${all} Do not try it again; go on without it.`;
    },
    wentOn() {
      reasons = [];
    },
  };
}
