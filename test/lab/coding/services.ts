/** The coding service of flyto-ai and ours, each with a workspace of its own and an implementer that writes one file. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../../run-program.js';
import { labFolder } from '../paths.js';
import { pipInstall } from '../pip-install.js';
import type { StdioService } from './mcp-steps.js';

/** The one version that our names and codes are those of. */
const PACKAGE = 'flyto-ai==0.20.0';
const TOKEN = 'lab-token-lab-token-lab-token-00';
const CONTRACT = 'version: flyto.coding-config.v1\nchecks:\n  - name: unit\n    argv: ["test", "-s", "made.txt"]\n';

export interface Service {
  url: string;
  token: string;
  workspace: string;
  /** Where the implementer's file is, once it is there: in the workspace, or in a copy of it. */
  made(): string | null;
  close(): Promise<void>;
}

/** @returns the Python that has it; null when it can't be installed */
export async function originalPython(): Promise<string | null> {
  const folder = join(labFolder(), 'coding-service');
  const python = join(folder, 'venv', 'bin', 'python');
  const mark = join(folder, PACKAGE);
  if (existsSync(mark)) return python;
  mkdirSync(folder, { recursive: true });
  if (!(await pipInstall(folder, { packages: [PACKAGE] }))) return null;
  writeFileSync(mark, '');
  return python;
}

function workspaceIn(folder: string): string {
  const workspace = join(folder, 'workspace');
  mkdirSync(join(workspace, '.flyto'), { recursive: true });
  writeFileSync(join(workspace, '.flyto', 'coding.yaml'), CONTRACT);
  const git = (...args: string[]) =>
    outputOf('git', ['-c', 'user.name=lab', '-c', 'user.email=lab@localhost', ...args], { cwd: workspace });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'The lab');
  return workspace;
}

/** @param found where the address stands in what the program prints */
async function started(
  child: ChildProcess,
  found: RegExp,
  place: Pick<Service, 'workspace' | 'made'>,
): Promise<Service> {
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += String(chunk);
      const [, at] = found.exec(said) ?? [];
      if (at !== undefined) resolve(at);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    void ended.then(() => reject(new Error(`the service ended: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    ...place,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const environment = (folder: string): NodeJS.ProcessEnv => {
  mkdirSync(join(folder, 'home'), { recursive: true });
  return { PATH: process.env['PATH'], HOME: join(folder, 'home'), LANG: 'C.UTF-8', TURNOUT_CONFINE: 'none' };
};

export function original(python: string, root: string, folder: string): Promise<Service> {
  const workspace = workspaceIn(folder);
  const script = join(root, 'test', 'lab', 'coding', 'original.py');
  const child = spawn(python, [script, join(folder, 'service'), workspace, TOKEN], {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = join(workspace, 'made.txt');
  return started(child, /"port": (\d+)/, { workspace, made: () => (existsSync(file) ? file : null) });
}

export function ours(root: string, folder: string): Promise<Service> {
  const workspace = workspaceIn(folder);
  const serve = ['agent', 'serve', '--transport', 'http', '--port', '0', '--store', 'memory'];
  const jobs = ['--jobs', 'demo', '--jobs-compat', 'flyto', '--jobs-root', workspace];
  const child = spawn(process.execPath, [join(root, 'bin', 'turnout.js'), ...serve, ...jobs], {
    cwd: folder,
    env: { ...environment(folder), TURNOUT_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const copies = join(folder, 'home', '.local', 'state', 'turnout', 'workspaces');
  return started(child, /listening on http:\/\/127\.0\.0\.1:(\d+)/, {
    workspace,
    made() {
      const files = readdirSync(copies).map((name) => join(copies, name, 'tree', 'made.txt'));
      return files.find((file) => existsSync(file)) ?? null;
    },
  });
}

export function originalStdio(python: string, root: string, folder: string): StdioService {
  const workspace = workspaceIn(folder);
  const script = join(root, 'test', 'lab', 'coding', 'original.py');
  const argv = [python, script, join(folder, 'service'), workspace, TOKEN, 'mcp'];
  return { argv, cwd: folder, env: environment(folder), workspace };
}

export function oursStdio(root: string, folder: string): StdioService {
  const workspace = workspaceIn(folder);
  const jobs = ['jobs', 'mcp', '--implementer', 'demo', '--compat', 'flyto', '--root', workspace, '--max-rework', '1'];
  const argv = [process.execPath, join(root, 'bin', 'turnout.js'), ...jobs];
  return { argv, cwd: folder, env: environment(folder), workspace };
}
