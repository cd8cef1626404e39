/** `npm run lab -- gateway`: the original terminal client works with our gateway, over a pipe and over a socket. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, terminalClient } from './program.js';
import { playRecordings } from './recordings.js';
import { openScreen, type Screen } from './screen.js';

const TOKEN = 'lab-token-lab-token-lab-token-00';
/** What the client prints of a method that it misses, and of what we break. */
const ERROR = /error: |unknown method|handler error|Traceback|gateway exited/i;

interface Lab {
  root: string;
  folder: string;
  program: Program;
  env: NodeJS.ProcessEnv;
}

interface Way {
  name: string;
  /** What the client needs to find us. */
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** The client starts what it takes for its own gateway. */
function overPipe({ root, folder }: Lab): Way {
  const file = join(folder, 'gateway.sh');
  const turnout = `'${process.execPath}' '${join(root, 'bin', 'turnout.js')}'`;
  writeFileSync(file, `#!/bin/sh\nexec ${turnout} gateway --runtime demo --store '${join(folder, 'pipe.db')}'\n`);
  chmodSync(file, 0o700);
  return { name: 'pipe', env: { HERMES_PYTHON: file }, close: async () => {} };
}

async function overSocket({ root, folder, env }: Lab): Promise<Way> {
  const argv = [join(root, 'bin', 'turnout.js'), 'agent', 'serve', '--transport', 'http', '--port', '0'];
  const store = ['--store', join(folder, 'socket.db'), '--gateway-runtime', 'demo'];
  const child = spawn(process.execPath, [...argv, ...store], {
    cwd: folder,
    env: { ...env, TURNOUT_TOKEN: TOKEN },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const at = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      const [, found] = /listening on http:\/\/(\S+)\/v1\/agent/.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`the server ended: ${told}`)));
  });
  return {
    name: 'socket',
    env: { HERMES_TUI_GATEWAY_URL: `ws://${at}/api/ws?token=${TOKEN}` },
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function open({ folder, program, env, root }: Lab, way: Way, more: NodeJS.ProcessEnv = {}): Screen {
  const terminal = join(root, 'test', 'lab', 'gateway', 'terminal.py');
  return openScreen([program.python, terminal, process.execPath, program.client], {
    cwd: folder,
    env: { ...env, ...way.env, ...more },
  });
}

/** Nothing is typed. */
const READY = /❯\s*(?:Try [^\n]*)?$/;

/** Words are followed by Enter; single keys are not. */
type Step = [name: string, type: string, sees: RegExp];
const STEPS: readonly Step[] = [
  ['answers a prompt', 'say first words', /┊\s+first words/],
  ['asks for a permission', 'ask', /approval required[\s\S]*1\. Allow once[\s\S]*3\. Deny/],
  ['runs what was allowed', '1', /The answer was: allow_once\./],
  ['asks again', 'ask', /approval required/],
  ['does not run what was denied', '3', /The answer was: deny\./],
  ['asks a person', 'question Which colour? red | green', /1\. red[\s\S]*2\. green/],
  ['takes the answer', '2', /You answered: q0: green\./],
  ['begins a long turn', 'hang', /Waiting…/],
  ['interrupts it', '\u0003', /\[interrupted\]/],
  ['names the session', '/title Lab session', /session title set: Lab session/],
  ['goes on after all that', 'say last words', /┊\s+last words/],
];

async function check(name: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    console.log(`ok    ${name}`);
    return true;
  } catch (error) {
    console.log(`FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function through(lab: Lab, way: Way): Promise<boolean> {
  const results: boolean[] = [];
  const of = async (name: string, work: () => Promise<void>) => {
    results.push(await check(`${way.name}: ${name}`, work));
    return results.at(-1) === true;
  };
  const first = open(lab, way);
  await of('creates a session', () => first.sees(/Session: ses_/));
  for (const [name, type, sees] of STEPS) {
    const fine = await of(name, async () => {
      if (type.length > 1) await first.sees(READY);
      first.type(type);
      if (type.length > 1) {
        // Enter that comes with the words is taken for a part of what was pasted.
        const words = new RegExp(`${type.replace(/[?|/]/g, '\\$&')}\\s*$`);
        await first.sees(words);
        first.type('\r');
      }
      await first.sees(sees);
    });
    if (!fine) break;
  }
  await of('prints no error', async () => noError(first));
  await first.end();
  if (!results.every(Boolean)) return false;
  const again = open(lab, way, { HERMES_TUI_RESUME: 'Lab session' });
  await of('resumes the session', () => again.sees(/last words/));
  await of('prints no error after it', async () => noError(again));
  await again.end();
  return results.every(Boolean);
}

function noError(screen: Screen): void {
  const line = screen
    .all()
    .split('\n')
    .find((one) => ERROR.test(one));
  if (line !== undefined) throw new Error(line);
}

/** @param recordings a folder of recordings of the original, to be compared with @returns the exit code */
export async function gatewayChecks(root: string, recordings?: string): Promise<number> {
  if (recordings !== undefined) return (await playRecordings(recordings, root)) ? 0 : 1;
  const program = await terminalClient();
  if (!program) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'turnout-lab-gateway-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    HOME: home,
    HERMES_HOME: join(home, '.hermes'),
    HERMES_CWD: folder,
    TERM: 'xterm-256color',
    NODE_ENV: 'production',
    TURNOUT_CONFINE: 'none',
  };
  const lab = { root, folder, program, env };
  try {
    const results: boolean[] = [];
    for (const make of [overPipe, overSocket]) {
      const way = await make(lab);
      results.push(await through(lab, way));
      await way.close();
    }
    return results.every(Boolean) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
