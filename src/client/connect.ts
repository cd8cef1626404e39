/** For hosts that run turns in a process of its own: finds an installed turnout, checks it, and talks to it. */

import { resolve } from 'node:path';
import type { Handshake } from '../contract/handshake.js';
import type { ModelList, SessionList } from '../contract/listing.js';
import type { Scan } from '../contract/scan.js';
import type { TurnOptions } from '../host/options.js';
import { toolDefinitions } from '../host/tools.js';
import { hostTurn, type Turn } from '../host/turn.js';
import { readOptions } from '../request/from-options.js';
import type { Given } from '../request/table.js';
import { execProcess } from './exec-process.js';
import { findTurnout } from './find.js';
import { shakeHands } from './handshake.js';
import { isModels, isScan, isSessions, list } from './list.js';

/** Where `connect` looks for turnout, and with which environment. */
export interface ConnectOptions {
  /** Capabilities this host can't do without besides `agent-exec`, e.g. `['exec-steer', 'exec-approvals']`. */
  requires?: readonly string[];
  /** A path or name of turnout; wins over `TURNOUT_BIN` and everything else. */
  bin?: string;
  /** Where the search for `node_modules/.bin` begins: the folder of the program that was started when absent. */
  from?: string;
  /** Environment of turnout and of all it starts; ours when absent. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** An installed turnout, found and known to be new enough. */
export interface Client {
  /** Where it was found. */
  readonly path: string;
  readonly handshake: Handshake;
  /**
   * Begins a turn in a process of its own. @throws {UsageError} an option that can't be meant; what only the other
   * side can see (a folder that is not there) is thrown where the events are read, before the first
   */
  exec<Schemas = Record<string, never>>(options: TurnOptions<Schemas>): Turn;
  /** Which runtimes there are and what they can do. Starts nothing without `probe`. */
  scan(options?: { probe?: boolean; all?: boolean; installed?: boolean }): Promise<Scan>;
  /** The models that a runtime offers. Starts it. @throws {TurnoutError} it is not installed, or can't be asked */
  models(options: { runtime: string }): Promise<ModelList>;
  /** The sessions that a runtime keeps for a folder, newest first; ids are for `resume`. @throws {TurnoutError} as models */
  sessions(options: { runtime: string; cwd?: string }): Promise<SessionList>;
}

/**
 * @throws {TurnoutError} missing-binary: there is none, `hint` installs it; unsupported: it is too old or not turnout,
 * `hint` updates it
 */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const { requires = [], bin, from, env = process.env } = options;
  const program = await findTurnout({
    env: { ...env },
    ...(bin === undefined ? {} : { bin }),
    ...(from === undefined ? {} : { from }),
  });
  const handshake = await shakeHands(program, ['agent-exec', ...requires]);
  return {
    path: program.path,
    handshake,
    exec(given) {
      const asked = given as TurnOptions;
      const read = readOptions(asked);
      const tools = toolDefinitions(asked.tools ?? {});
      const wanted: Given = {
        ...read,
        ...(tools.length > 0 ? { callerTools: 'stdio', tools } : {}),
        ...(asked.onPermission ? { approvals: 'stdio' } : {}),
        ...(asked.onQuestion ? { questions: 'stdio' } : {}),
      };
      return hostTurn(asked, (listener) => execProcess(program, wanted, listener));
    },
    scan(wanted = {}) {
      const flags = (['probe', 'all', 'installed'] as const).filter((name) => wanted[name]).map((name) => `--${name}`);
      return list(program, ['agent', 'scan', '--json', ...flags], isScan);
    },
    models: ({ runtime }) => list(program, ['agent', 'models', `--runtime=${runtime}`, '--json'], isModels),
    sessions({ runtime, cwd = '.' }) {
      const args = ['agent', 'sessions', `--runtime=${runtime}`, `--cwd=${resolve(cwd)}`, '--json'];
      return list(program, args, isSessions);
    },
  };
}
