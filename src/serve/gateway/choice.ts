/** The runtime and model that a client asks for, checked without asking anything of the machine but what is installed. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { byId, nearest } from '../../registry/registry.js';
import type { Runner } from '../../runner/runner.js';
import type { Gateway } from './gateway.js';
import { CODE, RpcError } from './rpc.js';

/** Families of models whose names tell the vendor, and the keys of programs that can ask that vendor. */
const FAMILIES: readonly { model: RegExp; key: RegExp }[] = [
  { model: /^(?:claude-|opus|sonnet|haiku)/i, key: /^ANTHROPIC_/ },
  { model: /^(?:gpt-|o[134](?:-|$)|codex-)/i, key: /^(?:OPENAI|CODEX)_/ },
  { model: /^gemini-/i, key: /^(?:GEMINI|GOOGLE)_/ },
  { model: /^qwen/i, key: /^(?:QWEN|DASHSCOPE|OPENAI)_/ },
];
const MOST_SUGGESTED = 5;

/** Whether a name is known to belong to a vendor that the program can't ask. Unknown names pass. */
function belongsElsewhere({ keys }: Runner, model: string): boolean {
  if (keys === 'all' || keys.length === 0) return false;
  const family = FAMILIES.find((one) => one.model.test(model));
  return family !== undefined && !keys.some((key) => family.key.test(key));
}

/** Programs that can ask for it. */
const served = (model: string, runners: readonly Runner[]): string[] =>
  runners
    .filter((runner) => runner.unsupported === undefined && !runner.builtin && !belongsElsewhere(runner, model))
    .map(({ id }) => id)
    .slice(0, MOST_SUGGESTED);

export interface Wanted {
  provider: string | undefined;
  model: string | undefined;
}

/**
 * @returns the value of `--runtime`
 * @throws {RpcError} -32602 with suggestions: of runtimes, or of those that serve the model
 */
export async function runtimeFor(gateway: Gateway, { provider, model }: Wanted): Promise<string> {
  const { runners } = gateway.core;
  const runner = provider === undefined || provider === 'auto' ? await gateway.usual() : byId(provider, runners);
  const refuse = (message: string, suggestions: string[]): RpcError => {
    const hint = suggestions.length === 0 ? '' : ` Suggestions: ${suggestions.join(', ')}.`;
    const data: JsonObject = { model: model ?? null, provider: provider ?? runner?.id ?? null, suggestions };
    return new RpcError(CODE.invalidParams, `${message}${hint}`, data);
  };
  if (runner === null && provider !== undefined && provider !== 'auto')
    throw refuse(`There is no runtime called ${provider}.`, nearest(provider, runners).slice(0, MOST_SUGGESTED));
  if (runner && model !== undefined && belongsElsewhere(runner, model))
    throw refuse(`${runner.title} can't be asked for the model ${model}.`, served(model, runners));
  return runner?.id ?? gateway.options.runtime;
}
