/** How deep agents that call agents may go. */

import { ancestorValues } from '../../process/ancestors.js';
import { RequestError } from '../../runs/request-error.js';

const DEPTH = 'TURNOUT_DEPTH';
export const MAX_DEPTH = 'TURNOUT_MAX_DEPTH';
/** An agent that we start may start one more. */
export const DEFAULT_MAX_DEPTH = 2;

/** @returns null when the text is no whole number */
export function readDepth(text: string | null | undefined): number | null {
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** All that is told of a variable: by our environment, and by those of our ancestors, which a caller can't scrub. */
function told(name: string, env: NodeJS.ProcessEnv): number[] {
  return [env[name], ...ancestorValues(name)].map(readDepth).filter((one) => one !== null);
}

/** How many turns of ours we are inside of; 0 outside. */
export const ownDepth = (env: NodeJS.ProcessEnv): number => Math.max(0, ...told(DEPTH, env));

/** The limit that was asked for, or a smaller one that somebody further out has set. */
export const maxDepth = (asked: number, env: NodeJS.ProcessEnv): number => Math.min(asked, ...told(MAX_DEPTH, env));

/** @throws RequestError when an agent at this depth may start no other */
export function checkDepth(depth: number, most: number): void {
  if (depth < most) return;
  throw new RequestError(
    `depth limit: this agent runs ${depth} level${depth === 1 ? '' : 's'} deep inside of turnout, and no more than ${most} ` +
      'are allowed, so it may not start another one. Do the work yourself, or have the person raise --max-depth.',
    1,
    'depth-limit',
  );
}
