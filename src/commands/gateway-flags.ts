/** What sessions of gateway clients begin with, on `turnout gateway` and on the server. */

import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import { ACCESS_MODES, type AccessMode } from '../contract/vocabulary.js';
import { byId, nearest } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';

export const GATEWAY_FLAGS = {
  'gateway-runtime': Flags.string({
    summary: 'the runtime of sessions of gateway clients (/api/ws) that name none',
    helpValue: 'ID',
    default: 'auto',
  }),
  'gateway-access': Flags.string({
    summary: 'the mode that sessions of gateway clients work in',
    options: [...ACCESS_MODES],
    default: 'scoped',
  }),
};

export interface GatewayDefaults {
  runtime: string;
  access: AccessMode;
}

/** @throws UsageError for a name that nothing has */
export function sessionRuntime(flag: string, runtime: string, runners: readonly Runner[]): string {
  if (runtime === 'auto' || byId(runtime, runners)) return runtime;
  const [near] = nearest(runtime, runners);
  const guess = near === undefined ? '' : `. Did you mean ${near}?`;
  throw new UsageError(`${flag}: there is no runtime called ${runtime}${guess}`, { hint: 'turnout agent scan --all' });
}

/** @throws UsageError */
export function gatewayDefaults(
  flags: { 'gateway-runtime': string; 'gateway-access': string },
  runners: readonly Runner[],
): GatewayDefaults {
  return {
    runtime: sessionRuntime('--gateway-runtime', flags['gateway-runtime'], runners),
    // Other words were refused when the flags were read.
    access: ACCESS_MODES.find((mode) => mode === flags['gateway-access']) ?? 'scoped',
  };
}
