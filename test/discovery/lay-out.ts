/** Lays out made-up machines: a folder with fake installs, or a Windows disk that exists only in memory. */

import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Files } from '../../src/discovery/files.js';
import type { Places } from '../../src/discovery/places.js';
import type { Runner } from '../../src/runner/runner.js';

export type Item = { text: string; mode: number } | { link: string } | 'folder';

/** An executable file. */
export function program(text = '#!/bin/sh\n'): Item {
  return { text, mode: 0o755 };
}

export function plain(text = ''): Item {
  return { text, mode: 0o644 };
}

export function link(target: string): Item {
  return { link: target };
}

export function packageJson(name: string, version: string): Item {
  return plain(JSON.stringify({ name, version }));
}

export interface Machine {
  root: string;
  at(...parts: string[]): string;
  places(changes?: Partial<Places>): Places;
  lay(items: Record<string, Item>): Promise<void>;
  remove(): Promise<void>;
}

/** A machine whose home is `<root>/home` and whose turn runs in `<root>/project`; PATH is not set. */
export async function makeMachine(items: Record<string, Item> = {}): Promise<Machine> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'discovery-test-')));
  const at = (...parts: string[]) => path.join(root, ...parts);
  const machine: Machine = {
    root,
    at,
    places: (changes = {}) => ({ env: {}, home: at('home'), platform: 'linux', cwd: at('project'), ...changes }),
    async lay(more) {
      for (const [name, item] of Object.entries(more)) await put(at(name), item);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
  await machine.lay({ home: 'folder', project: 'folder', ...items });
  return machine;
}

async function put(file: string, item: Item): Promise<void> {
  await mkdir(item === 'folder' ? file : path.dirname(file), { recursive: true });
  if (item === 'folder') return;
  if ('link' in item) return symlink(item.link, file);
  await writeFile(file, item.text);
  await chmod(file, item.mode);
}

/** Makes a machine, hands it over, removes it. */
export async function withMachine(
  items: Record<string, Item>,
  test: (machine: Machine) => Promise<void>,
): Promise<void> {
  const machine = await makeMachine(items);
  try {
    await test(machine);
  } finally {
    await machine.remove();
  }
}

/** A Windows disk: paths with backslashes to texts. Names are compared without case. */
function windowsFiles(disk: Record<string, string>): Files {
  const known = new Map(Object.entries(disk).map(([file, text]) => [file.toLowerCase(), { file, text }]));
  const below = (folder: string) => `${folder.toLowerCase().replace(/\\+$/, '')}\\`;
  const isFolder = (folder: string) => [...known.keys()].some((key) => key.startsWith(below(folder)));
  return {
    async names(folder) {
      const found = [...known].filter(([key]) => key.startsWith(below(folder)));
      const names = found.map(([, one]) => one.file.slice(below(folder).length).split('\\')[0] ?? '');
      return found.length === 0 ? null : new Map(names.map((name) => [name.toLowerCase(), name]));
    },
    async program(file, extensions) {
      return extensions.map((extension) => `${file}${extension}`).find((one) => known.has(one.toLowerCase())) ?? null;
    },
    async look(file) {
      if (known.has(file.toLowerCase())) return 'program';
      return isFolder(file) ? 'folder' : 'missing';
    },
    async real(file) {
      return known.get(file.toLowerCase())?.file ?? (isFolder(file) ? file : null);
    },
    async text(file) {
      return known.get(file.toLowerCase())?.text ?? null;
    },
  };
}

/** A Windows machine of the user `u` with that disk. */
export function windowsPlaces(disk: Record<string, string>, env: NodeJS.ProcessEnv = {}): Places {
  return {
    env: { APPDATA: 'C:\\Users\\u\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local', ...env },
    home: 'C:\\Users\\u',
    platform: 'win32',
    cwd: 'C:\\project',
    turnout: ['C:\\node\\node.exe', 'C:\\turnout\\bin\\turnout.js'],
    files: windowsFiles(disk),
  };
}

/** A runner whose program no real machine has. */
export function sample(changes: Partial<Runner> = {}): Runner {
  return {
    id: 'sample',
    title: 'Sample',
    bins: ['turnout-sample'],
    packages: ['@acme/sample'],
    install: { kind: 'npm', packages: ['@acme/sample'] },
    installHint: 'npm install -g @acme/sample',
    loginHint: 'turnout-sample login',
    testedVersions: ['1.2.3'],
    transport: 'jsonl',
    streamsIncrementally: true,
    toolActivity: 'full',
    access: {
      scoped: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: ['read_outside'] },
      full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
    },
    sandbox: { 'read-only': { native_sandbox: 'read-only', approvals: 'off' } },
    toolTransport: 'mcp',
    parallelCalls: true,
    toolResultLimit: 40_000,
    resume: true,
    effort: false,
    maxTurns: false,
    reportsCost: true,
    silentRetries: false,
    untoldEnds: ['refusal'],
    promptInArgv: false,
    decidesPerCommand: false,
    steer: false,
    settingsLoaded: ['AGENTS.md'],
    nesting: [],
    keys: [],
    tools: () => 'mcp',
    invoke: () => ({ refuse: 'unsupported', message: 'a sample is never run' }),
    converse: () => ({ hear: () => [] }),
    ...changes,
  };
}
