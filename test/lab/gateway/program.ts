/** The terminal client that the gateway's protocol comes from, and a terminal to run it in. */

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { labFolder } from '../paths.js';
import { run } from '../run-installer.js';

/** The one version whose client was recorded. */
const PACKAGE = 'hermes-agent==0.19.0';
const WHEEL = 'hermes_agent-0.19.0-py3-none-any.whl';

export interface Program {
  /** Of Node. */
  client: string;
  /** With pyte, which keeps the screen. */
  python: string;
}

/** Fetches what is not there yet: the client is one file of a Python package, run by Node. Null when that fails. */
export async function terminalClient(): Promise<Program | null> {
  const folder = join(labFolder(), 'gateway-client');
  const venv = join(folder, 'venv');
  const python = join(venv, 'bin', 'python');
  const pip = [python, '-m', 'pip', '--disable-pip-version-check', '--quiet'] as const;
  const client = join(folder, 'package', 'hermes_cli', 'tui_dist', 'entry.js');
  mkdirSync(folder, { recursive: true });
  const step = (argv: readonly string[]) => run(argv[0] ?? '', argv.slice(1), folder);
  if (!existsSync(client)) {
    const fetched =
      (existsSync(python) || (await step(['python3', '-m', 'venv', venv]))) &&
      (await step([...pip, 'install', 'pyte==0.8.2'])) &&
      (await step([...pip, 'download', '--no-deps', '--dest', folder, PACKAGE])) &&
      (await step([python, '-m', 'zipfile', '-e', join(folder, WHEEL), join(folder, 'package')]));
    if (!fetched) return null;
  }
  return { client, python };
}
