/** How Droid is started: all else is said over stdin (0.225.2). */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Invocation } from '../../src/runner/runner.js';

/** Commands that Droid runs without asking, by its default; the user's own list is added to it and stays. */
const UNASKED = [
  'ls',
  'pwd',
  'dir',
  ...['status', 'diff', 'log', 'show', 'blame', 'ls-files'].map((one) => `git ${one}`),
];

/** Settings of this process alone: no copy of the session at the vendor; what is on both lists is asked. */
const SETTINGS = { cloudSessionSync: false, commandDenylist: UNASKED };

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
