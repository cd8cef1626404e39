/** Turns whose host, runtime or grandchildren are killed at a random moment: nothing may be left, no end may be missing. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ended, isType, leftovers, marked, type Place, type Running, run } from '../contract/cli.js';
import { orderFault } from '../contract/order.js';
import type { Dice } from './random.js';
import { placeOf } from './turn.js';

const QUIET = '</dev/null >/dev/null 2>&1';
const SERVERS = JSON.stringify({ mcpServers: { files: { command: 'true', args: [] } } });
const FREE = ['--access', 'full', '--allow-root'];
/** Prompts of the demo, which has grandchildren in some. */
const PROMPTS: readonly (readonly [string, readonly string[]])[] = [
  ['Good morning', []],
  ['slow 5', []],
  ['long', []],
  ['hang hard', ['--timeout', '1500ms']],
  [`shell sleep 600 ${QUIET} & setsid sleep 600 ${QUIET} & nohup sleep 600 ${QUIET} & echo left then slow 4`, FREE],
  [
    `shell setsid sh -c 'trap "" TERM; sleep 600' ${QUIET} & sleep 0.3 then hang hard`,
    [...FREE, '--timeout', '1500ms'],
  ],
];

const VICTIMS = [
  'nobody',
  'us',
  'our group',
  'us by TERM',
  'us by INT twice',
  'runtime',
  'grandchild',
  'anybody',
] as const;
type Victim = (typeof VICTIMS)[number];

export interface SoakTurn {
  victim: Victim;
  prompt: string;
  /** What is wrong; null when nothing is. */
  wrong: string | null;
}

/** The processes of a turn by what they are to us. */
function family(place: Place, host: number): { runtime: number[]; others: number[] } {
  const runtime: number[] = [];
  const others: number[] = [];
  for (const pid of marked(place.mark)) {
    if (pid === host) continue;
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]);
      (parent === host ? runtime : others).push(pid);
    } catch {
      // Gone meanwhile.
    }
  }
  return { runtime, others };
}

function send(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // Gone meanwhile.
  }
}

function strike(running: Running, victim: Victim, dice: Dice): void {
  const host = running.child.pid ?? -1;
  const { runtime, others } = family(running.place, host);
  const all = [host, ...runtime, ...others];
  switch (victim) {
    case 'nobody':
      return;
    case 'us':
      return send(host, 'SIGKILL');
    case 'our group':
      return send(-host, 'SIGKILL');
    case 'us by TERM':
      return send(host, dice.pick(['SIGTERM', 'SIGHUP'] as const));
    case 'us by INT twice':
      send(host, 'SIGINT');
      return send(host, 'SIGINT');
    case 'runtime':
      return send(runtime[0], 'SIGKILL');
    case 'grandchild':
      return send(others[0], 'SIGKILL');
    case 'anybody':
      return send(dice.pick(all), dice.pick(['SIGKILL', 'SIGTERM', 'SIGSEGV'] as const));
    default: {
      const never: never = victim;
      throw new Error(String(never));
    }
  }
}

async function emptied(folder: string): Promise<boolean> {
  for (let turns = 0; turns < 150; turns++) {
    if (!existsSync(folder) || readdirSync(folder).length === 0) return true;
    await sleep(20);
  }
  return false;
}

/** A host that was ended by a signal can't have told its end; the others must have, in order. */
function complaint(ended: Ended): string | null {
  if (ended.late) return 'had to be ended by the watchdog';
  if (ended.signal !== null) return null;
  const order = orderFault(ended.events);
  if (order !== null) return `${order} (exit ${ended.code})`;
  const done = ended.events.at(-1)?.['exit_code'];
  return done === ended.code ? null : `done says ${String(done)}, the exit code is ${ended.code}`;
}

export async function soakTurn(dice: Dice): Promise<SoakTurn> {
  const [prompt, flags] = dice.pick(PROMPTS);
  const victim = dice.pick(VICTIMS);
  // The demo needs no temporary file; a turn of the fake agent with a server does.
  const withFiles = dice.next() < 0.25;
  const where = placeOf(['answers-and-stays.js']);
  const servers = ['--mcp-config', join(where.cwd, 'servers.json')];
  const args = withFiles
    ? ['agent', 'exec', '--runtime', 'claude', '--prompt', 'hi', ...servers]
    : ['agent', 'exec', '--runtime', 'demo', '--prompt', prompt, ...flags];
  try {
    if (withFiles) writeFileSync(join(where.cwd, 'servers.json'), SERVERS);
    const running = run(args, { place: where });
    // Some strikes hit our own start, some the turn, some its end.
    if (dice.next() < 0.5) await Promise.race([running.event(isType('start')).catch(() => null), running.ended]);
    await Promise.race([sleep(dice.below(900)), running.ended]);
    strike(running, victim, dice);
    running.watch();
    const ended = await running.ended;
    const left = await leftovers(where.mark);
    const told = withFiles ? 'a turn with files' : prompt;
    let wrong = complaint(ended);
    if (left.length > 0) wrong = `${left.length} processes are left`;
    else if (!(await emptied(where.env['TMPDIR'] ?? ''))) wrong = 'a temporary file is left';
    return { victim, prompt: told, wrong };
  } finally {
    rmSync(dirname(where.cwd), { recursive: true, force: true });
  }
}
