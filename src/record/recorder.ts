/** Writes one turn as a recording. No credentials: secrets are masked, variables are named without their values. */

import type { Machine } from '../runner/machine.js';
import type { TurnRequest } from '../runner/request.js';
import type { TurnLimits } from '../turn/loop.js';
import type { Tap, TapEntry } from '../turn/world.js';
import type { RecordLine } from './recording.js';

export interface Recorder {
  begin(request: TurnRequest, machine: Machine, limits: TurnLimits): void;
  tap: Tap;
}

/**
 * @param write takes one line with its newline
 * @param now milliseconds, monotonic
 * @param mask takes credentials out of a text
 */
export function recorder(write: (line: string) => void, now: () => number, mask: (text: string) => string): Recorder {
  let began = now();
  let turn = '';
  // Turns that append to one file at the same time are told apart by their id.
  const put = (line: RecordLine) => write(`${mask(JSON.stringify({ turn, ...line }))}\n`);
  const early: TapEntry[] = [];
  let open = false;
  return {
    begin(request, machine, limits) {
      began = now();
      open = true;
      turn = machine.ids.turn.slice(0, 8);
      const mcpServers = request.mcpServers.map((server) =>
        server.type === 'stdio'
          ? { ...server, env: Object.fromEntries(Object.keys(server.env).map((name) => [name, ''])) }
          : { ...server, headers: Object.fromEntries(Object.keys(server.headers).map((name) => [name, ''])) },
      );
      put({ t: 0, k: 'request', request: { ...request, mcpServers }, limits });
      const bridge = machine.mcpBridge === null ? null : { ...machine.mcpBridge, env: {} };
      put({ t: 0, k: 'machine', machine: { ...machine, mcpBridge: bridge, envNames: [...machine.envNames].sort() } });
      for (const entry of early) put({ t: 0, ...entry });
    },
    tap(entry) {
      if (!open) early.push(entry);
      else put({ t: Math.round(now() - began), ...entry });
    },
  };
}
