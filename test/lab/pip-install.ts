import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../run-program.js';
import { labFolder } from './paths.js';
import type { Program } from './programs.js';
import { run } from './run-installer.js';

const inVenv = (venv: string, name: string): string =>
  process.platform === 'win32' ? join(venv, 'Scripts', `${name}.exe`) : join(venv, 'bin', name);

/** The real path of a Python of that version: a version manager's shim answers only when told which one is meant. */
function pythonOf(version: string | undefined): string | undefined {
  const name = version === undefined ? 'python3' : `python${version}`;
  const env = version === undefined ? process.env : { ...process.env, PYENV_VERSION: version };
  try {
    const told = outputOf(name, ['-c', 'import sys; print(sys.executable)'], {
      env,
    });
    return told.trim();
  } catch {
    console.error(`no Python ${version ?? 3} on the PATH`);
    return undefined;
  }
}

/** uv takes the registry and the certificates from variables of its own. */
function registrySettings(): Record<string, string> {
  const { PIP_INDEX_URL: index, PIP_CERT: cert } = process.env;
  return { ...(index ? { UV_DEFAULT_INDEX: index } : {}), ...(cert ? { SSL_CERT_FILE: cert } : {}) };
}

/** uv resolves in half a minute what takes pip longer than anyone waits (openhands), and can replace what a package pins. */
async function uv(): Promise<string | undefined> {
  const folder = join(labFolder(), 'uv');
  const venv = join(folder, 'venv');
  const program = inVenv(venv, 'uv');
  if (existsSync(program)) return program;
  const python = pythonOf(undefined);
  mkdirSync(folder, { recursive: true });
  if (python === undefined || !(await run(python, ['-m', 'venv', venv], folder))) return undefined;
  const pip = inVenv(venv, 'pip');
  return (await run(pip, ['install', '--quiet', '--disable-pip-version-check', 'uv'], folder)) ? program : undefined;
}

/** Into an environment of its own below the program's folder. */
export async function pipInstall(
  folder: string,
  wanted: Pick<Program, 'packages' | 'python' | 'instead'>,
): Promise<boolean> {
  const venv = join(folder, 'venv');
  const tool = await uv();
  const python = pythonOf(wanted.python);
  if (tool === undefined || python === undefined) return false;
  const env = registrySettings();
  if (!existsSync(venv) && !(await run(tool, ['venv', '--quiet', '--python', python, venv], folder, env))) return false;
  const overrides: string[] = [];
  if (wanted.instead !== undefined) {
    const file = join(folder, 'overrides.txt');
    writeFileSync(file, `${wanted.instead.join('\n')}\n`);
    overrides.push('--override', file);
  }
  const into = ['--python', inVenv(venv, 'python'), '--compile-bytecode'];
  return run(tool, ['pip', 'install', '--quiet', ...into, ...overrides, ...wanted.packages], folder, env);
}
