/** Model names: `claude`, `claude/opus`, `opencode/anthropic/claude-x`, each with `:chat` or `:task` behind it. */

import { byId, nearest } from '../../registry/registry.js';
import type { Runner } from '../../runner/runner.js';
import { ApiError } from './failure.js';

/** The first runtime that is installed. */
export const AUTO = 'turnout';

/**
 * - `agent`: works with its own tools
 * - `chat`: no tools of its own, in an empty folder: for clients that are agents themselves
 * - `task`: the same, without the caller's tools and with little thinking: titles and tags that user interfaces ask for
 */
export type Manner = 'agent' | 'chat' | 'task';

export interface ModelName {
  /** As it was asked for; every answer repeats it. */
  asked: string;
  runtime: string;
  /** null for `auto`. */
  runner: Runner | null;
  model: string | null;
  manner: Manner;
}

const MANNERS: readonly Manner[] = ['agent', 'chat', 'task'];

function split(name: string, usual: Manner): { name: string; manner: Manner } {
  const manner = MANNERS.find((one) => name.endsWith(`:${one}`));
  return manner === undefined ? { name, manner: usual } : { name: name.slice(0, -manner.length - 1), manner };
}

export interface ModelRules {
  runners: readonly Runner[];
  /** The runtime that answers for names of others (`gpt-4o`), or `auto`; they are unknown when absent. */
  fallback?: string | undefined;
  /** Another name for whichever runtime answers. */
  virtual?: string;
  /** How a model works whose name does not say; `agent` when absent. */
  usual?: Manner;
}

/** The model of a request that names none. */
export const unnamed = ({ virtual = AUTO }: ModelRules): string => virtual;

/** @throws ApiError 404 model_not_found */
export function readModel(asked: string, { runners, fallback, virtual, usual = 'agent' }: ModelRules): ModelName {
  const { name, manner } = split(asked, usual);
  const slash = name.indexOf('/');
  const id = slash < 0 ? name : name.slice(0, slash);
  const model = slash < 0 ? null : name.slice(slash + 1);
  const auto: ModelName = { asked, runtime: 'auto', runner: null, model: null, manner };
  if (id === AUTO && model === null) return auto;
  const runner = byId(id, runners);
  if (runner && model !== '') return { asked, runtime: runner.id, runner, model, manner };
  if (fallback === 'auto' || (fallback === undefined && id === virtual)) return auto;
  const instead = fallback === undefined ? null : byId(fallback, runners);
  if (instead) return { asked, runtime: instead.id, runner: instead, model: null, manner };
  const near = nearest(id, runners);
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  throw new ApiError(404, 'model_not_found', `There is no model ${asked}.${hint} GET /v1/models lists them.`, {
    param: 'model',
  });
}
