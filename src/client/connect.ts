/** For hosts that run turns in a process of its own: finds an installed turnout, checks it, and talks to it. */

import { TurnoutError, UsageError } from '../contract/error.js';
import type { Handshake } from '../contract/handshake.js';
import type { Scan } from '../contract/scan.js';
import type { TurnOptions } from '../host/options.js';
import { toolDefinitions } from '../host/tools.js';
import { hostTurn, type Turn } from '../host/turn.js';
import { readOptions } from '../request/from-options.js';
import type { Given } from '../request/table.js';
import { isObject, parseObject, str } from '../text/json.js';
import { runCommand } from './command.js';
import { execProcess } from './exec-process.js';
import { findTurnout } from './find.js';
import { shakeHands } from './handshake.js';

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
  scan(options?: { probe?: boolean; all?: boolean; installed?: boolean }): Promise<Scan>;
}

const SCAN_LIMIT = 60_000;

function isScan(value: unknown): value is Scan {
  return isObject(value) && value['v'] === 1 && Array.isArray(value['agents']);
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
    async scan(wanted = {}) {
      const flags = (['probe', 'all', 'installed'] as const).filter((name) => wanted[name]).map((name) => `--${name}`);
      const { code, stdout, stderr } = await runCommand(program, ['agent', 'scan', '--json', ...flags], SCAN_LIMIT);
      const value = parseObject(stdout);
      if (code === 0 && isScan(value)) return value;
      const told = parseObject(stderr);
      if (str(told, 'code') === 'usage') throw new UsageError(str(told, 'message') ?? 'wrong usage');
      throw new TurnoutError(
        'runner-error',
        `turnout agent scan failed (exit code ${code}): ${stderr.trim().slice(-500)}`,
      );
    },
  };
}
