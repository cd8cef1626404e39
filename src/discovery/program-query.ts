import type { Runner } from '../runner/runner.js';

/** What a search needs to know of a program: any runner has it, and so has our own. */
export type Sought = Pick<Runner, 'id' | 'builtin' | 'bins' | 'binVariables' | 'packages' | 'places'>;
