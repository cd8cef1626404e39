/** Our server with real runtimes behind it, whose model is the lab's scripted one. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { installedBin } from '../install.js';
import { startModel } from '../model/server.js';
import { claude } from '../recipes/claude.js';
import { codex } from '../recipes/codex.js';

export const KEY = 'lab-token-lab-token-lab-token-00';

export interface Lab {
  /** Where clients reach us: `http://127.0.0.1:PORT`. */
  url: string;
  /** A scratch folder. */
  folder: string;
  /** For clients: a home of their own, and nobody's credentials. */
  env: Record<string, string>;
  /** The models that can be asked. */
  models: readonly { name: string; scripted: boolean }[];
  close(): Promise<void>;
}

const RUNTIMES = [claude, codex];

export async function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      const [, found] = /listening on (http:\/\/[^/]+)\/v1\/agent/.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${told}`)));
  });
}

export async function openLab(root: string): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-openai-'));
  const model = await startModel({ port: 0 });
  const path = [process.env['PATH'] ?? ''];
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  for (const made of [home, work, join(folder, 'client')]) mkdirSync(made, { recursive: true });
  // The confinement is checked elsewhere, and takes a while to start on a busy machine.
  const env: Record<string, string> = { HOME: home, LANG: 'C.UTF-8', TURNOUT_TOKEN: KEY, TURNOUT_CONFINE: 'none' };
  const models = [{ name: 'demo', scripted: false }];
  for (const recipe of RUNTIMES) {
    const bin = installedBin(recipe.runtime);
    if (bin === undefined) continue;
    const { env: own, files } = recipe.setup({ url: model.url, home });
    Object.assign(env, own);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), content);
    }
    path.unshift(dirname(bin));
    models.push({ name: `${recipe.runtime}/${recipe.model}:chat`, scripted: true });
  }
  const argv = ['agent', 'serve', '--transport', 'http', '--port', '0', '--store', 'memory'];
  const child = spawn(process.execPath, [join(root, 'bin', 'turnout.js'), ...argv], {
    cwd: work,
    env: { ...env, PATH: path.join(delimiter) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await listening(child);
  return {
    url,
    folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'client'), LANG: 'C.UTF-8' },
    models,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
