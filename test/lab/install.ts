import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { labFolder } from './paths.js';
import { pipInstall } from './pip-install.js';
import { type Program, programs } from './programs.js';
import { run } from './run-installer.js';

const receiptName = 'turnout-lab.json';

/**
 * npm picks the newest release whose `engines` fits the running Node and ignores a mismatch of a pinned one with a
 * warning, so every version is pinned. The folder gets a manifest of its own, or npm would walk up to ours.
 */
function npmInstall(folder: string, packages: readonly string[]): Promise<boolean> {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}\n');
  return run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], folder);
}

/** Only the package itself, without what its manifest asks for. */
async function npmUnpack(folder: string, spec: string): Promise<boolean> {
  if (!(await run('npm', ['pack', '--silent', spec], folder))) return false;
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined || !(await run('tar', ['-xzf', tarball], folder))) return false;
  rmSync(join(folder, tarball));
  return true;
}

/** The newer Node that some programs need, from the npm package that carries its binary. */
export function newerNode(): string {
  return join(labFolder(), 'node24', 'node_modules', nodePackage(), 'bin', 'node');
}

function nodePackage(): string {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

function programFolder(program: Program): string {
  return join(labFolder(), program.folder ?? program.id);
}

/** The receipt is written last: an interrupted install leaves none and is repeated, a finished one is left alone. */
function isInstalled(folder: string, wanted: string): boolean {
  try {
    return readFileSync(join(folder, receiptName), 'utf8') === wanted;
  } catch {
    return false;
  }
}

/**
 * The path to start an installed program by, or undefined. A program that needs the newer Node gets a two-line
 * starter, because its own first line would find the Node of the lab on PATH.
 */
export function installedBin(id: string): string | undefined {
  const program = programs.find((candidate) => candidate.id === id);
  if (program === undefined) return undefined;
  const folder = programFolder(program);
  const suffix = process.platform === 'win32' && program.source === 'npm' ? '.cmd' : '';
  const bin = program.node === undefined ? join(folder, program.bin) + suffix : join(folder, starterName(program));
  return existsSync(bin) && existsSync(join(folder, receiptName)) ? bin : undefined;
}

function starterName(program: Program): string {
  return program.bin.split('/').at(-1)?.replace(/\.js$/, '') ?? program.id;
}

function writeStarter(program: Program, folder: string): void {
  if (program.node === undefined) return;
  const script = realpathSync(join(folder, program.bin));
  const starter = join(folder, starterName(program));
  const gc = program.id === 'qwen' ? '--expose-gc ' : '';
  writeFileSync(starter, `#!/bin/sh\nexec '${newerNode()}' ${gc}'${script}' "$@"\n`);
  chmodSync(starter, 0o755);
}

type Wanted = Pick<Program, 'packages' | 'source' | 'unpack' | 'python' | 'instead'>;

async function installFolder(folder: string, wanted: Wanted): Promise<boolean> {
  const { packages, source, unpack } = wanted;
  const receipt = `${JSON.stringify({ unpack, packages })}\n`;
  const title = [...(unpack ? [unpack] : []), ...packages].join(' ');
  if (isInstalled(folder, receipt)) {
    console.log(`${title}: already there`);
    return true;
  }
  console.log(`${title}: installing`);
  mkdirSync(folder, { recursive: true });
  const unpacked = unpack === undefined || (await npmUnpack(folder, unpack));
  const done = unpacked && (source === 'npm' ? await npmInstall(folder, packages) : await pipInstall(folder, wanted));
  if (done) writeFileSync(join(folder, receiptName), receipt);
  else console.log(`${title}: FAILED`);
  return done;
}

/** `install [ids…]`: one program after another, since each installer already uses the whole line. Exit code. */
export async function install(ids: readonly string[]): Promise<number> {
  const unknown = ids.filter((id) => !programs.some((program) => program.id === id));
  if (unknown.length > 0) {
    console.error(`unknown program: ${unknown.join(', ')}. Known: ${programs.map((program) => program.id).join(', ')}`);
    return 2;
  }
  const wanted =
    ids.length > 0 ? programs.filter((program) => ids.includes(program.id)) : programs.filter((p) => p.first);
  let failures = 0;
  if (wanted.some((program) => program.node === 24)) {
    if (!(await installFolder(join(labFolder(), 'node24'), { packages: [`${nodePackage()}@24`], source: 'npm' })))
      failures += 1;
  }
  for (const program of wanted) {
    const folder = programFolder(program);
    if (await installFolder(folder, program)) writeStarter(program, folder);
    else failures += 1;
  }
  return failures === 0 ? 0 : 1;
}
