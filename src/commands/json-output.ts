/** A turn as one JSON object on this process's stdout, for scripts. */

import { jsonResult } from '../output/json-result.js';
import { textWriter } from '../output/text-writer.js';
import type { RunOptions } from './run-plan.js';

const NOTHING = { line: () => {}, echo: () => {}, live: () => {}, clear: () => {}, close: () => {} };

export function jsonOutput(): Required<Pick<RunOptions, 'writer'>> {
  return { writer: (sink, hooks) => textWriter(sink, hooks, jsonResult(), () => NOTHING, false) };
}
