/** How Droid is started: all else is said over stdin (0.225.2). */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Invocation } from '../../src/runner/runner.js';

/** Settings of this process alone: no copy of the session at the vendor, no command that is allowed by its name. */
const SETTINGS = { cloudSessionSync: false, commandAllowlist: [] };

/** @returns the invocation of the JSON-RPC mode */
export function invoke(request: TurnRequest, machine: Machine): Invocation {
  const { path, args } = machine.program;
  return {
    argv: [
      path,
      ...args,
      'exec',
      '--input-format',
      'stream-jsonrpc',
      '--output-format',
      'stream-jsonrpc',
      '--settings',
      { file: 'settings' },
      '--cwd',
      request.cwd,
    ],
    env: { FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
    stdin: 'hold',
    stdout: 'pipe',
    files: { settings: { name: 'settings.json', text: JSON.stringify(SETTINGS) } },
  };
}
