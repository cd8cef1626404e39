/** Runners of the user's that were left out, a line each, for stderr. */

import type { BrokenRunner } from '../contract/scan.js';
import { oneLine } from '../text/printable.js';

export function brokenRunnerLines(broken: readonly BrokenRunner[]): string {
  return broken.map((one) => `turnout: ${oneLine(line(one))}\n`).join('');
}

function line({ runner, from, code, reason }: BrokenRunner): string {
  if (code === 'config') return `this configuration file is left out: ${reason}`;
  return `the runner ${runner} (named by ${from}) is left out: ${reason}`;
}
