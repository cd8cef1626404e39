/** Who may import whom: the table, and a walk that finds what breaks it. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

interface Rule {
  /** A folder, or one file. The longest match counts. */
  place: string;
  /** Folders or files of ours; everything may import its own folder. */
  ours: readonly string[];
  /** `node:` stands for all of Node's own modules. */
  libraries: readonly string[];
}

const CONTRACT = 'src/contract';
const RUNNER = 'src/runner';
const TEXT = 'src/text';
/** Events → what a person sees: for the browser and the terminal. */
const VIEW = 'src/view';
const PURE = [CONTRACT, RUNNER, TEXT];
/** What puts one turn together. */
const TURN = [
  ...PURE,
  'src/request',
  'src/process',
  'src/discovery',
  'src/registry',
  'src/tools',
  'src/turn',
  'src/record',
];
/** What surfaces stand on. */
const BASE = [
  ...TURN,
  VIEW,
  'src/output',
  'src/exec',
  'src/session',
  'src/workspace',
  'src/inspect',
  'src/runs',
  'src/jobs',
  'src/serve/listen',
];

const RULES: readonly Rule[] = [
  { place: 'src/contract', ours: [], libraries: [] },
  { place: 'src/runner', ours: [CONTRACT], libraries: [] },
  { place: 'src/text', ours: [CONTRACT], libraries: ['fast-string-width'] },
  // Runners know what programs print and expect, and nothing of this machine.
  { place: 'runners', ours: [...PURE, 'runners/dialects'], libraries: [] },
  // One table of turn options and its readers.
  { place: 'src/request', ours: PURE, libraries: ['node:', 'ajv'] },
  // execa is loaded when `ps` or `taskkill` is run, never at the start of a turn.
  { place: 'src/process', ours: [CONTRACT, TEXT], libraries: ['node:', 'execa'] },
  { place: 'src/discovery', ours: [...PURE, 'src/process'], libraries: ['node:', 'p-limit', 'which'] },
  {
    place: 'src/registry',
    ours: [...PURE, 'runners', 'src/request', 'schemas/config.json'],
    libraries: ['node:', 'ajv', 'jsonc-parser'],
  },
  { place: 'src/tools', ours: [CONTRACT, TEXT, 'src/process'], libraries: ['node:', 'ajv'] },
  { place: 'src/turn', ours: [...PURE, 'src/request', 'src/process', 'src/tools'], libraries: ['node:'] },
  { place: 'src/record', ours: [...PURE, 'src/turn'], libraries: ['node:'] },
  { place: 'src/view', ours: [CONTRACT, TEXT], libraries: ['diff'] },
  // What a person at a terminal types and sees.
  {
    place: 'src/terminal',
    ours: [CONTRACT, TEXT, VIEW, 'src/output'],
    libraries: ['node:', 'marked', 'fast-wrap-ansi', 'highlight.js'],
  },
  { place: 'src/output', ours: [CONTRACT, TEXT, VIEW], libraries: ['node:'] },
  { place: 'src/demo', ours: [CONTRACT, TEXT, 'src/process/system-program.ts'], libraries: ['node:'] },
  // What a host holds of a turn, whether it runs in the host's process or in one of its own.
  { place: 'src/host', ours: [CONTRACT, TEXT, RUNNER, 'src/request'], libraries: [] },
  // Puts the rooms together for one turn on this machine.
  { place: 'src/exec', ours: [...TURN, 'src/output', 'src/host', 'package.json'], libraries: ['node:'] },
  {
    place: 'src/client',
    ours: [CONTRACT, TEXT, RUNNER, 'src/request', 'src/host', 'src/process', 'src/discovery'],
    libraries: ['node:', 'execa'],
  },
  // Programs kept alive between the turns of a session.
  { place: 'src/session', ours: [...TURN, 'src/exec'], libraries: ['node:'] },
  // Private copies of a repository; git is run through execa.
  { place: 'src/workspace', ours: [...TURN, 'src/exec', 'src/host'], libraries: ['node:', 'execa'] },
  // Looks at a machine, or asks a program about itself.
  { place: 'src/inspect', ours: [...TURN, 'src/output', 'src/exec', 'src/host'], libraries: ['node:', 'execa'] },
  // Runs, sessions and the store, which every surface stands on; SQLite is known to its store alone.
  {
    place: 'src/runs',
    ours: [...TURN, 'src/output', 'src/exec', 'src/session', 'src/workspace', 'src/inspect'],
    libraries: ['node:', 'p-limit'],
  },
  { place: 'src/runs/store', ours: [CONTRACT, TEXT, 'src/process', 'src/runs'], libraries: ['node:', 'libsql'] },
  // Coding jobs on runs and workspaces.
  {
    place: 'src/jobs',
    ours: [...TURN, 'src/output', 'src/exec', 'src/session', 'src/workspace', 'src/inspect', 'src/runs'],
    libraries: ['node:', 'p-limit', 'yaml'],
  },
  { place: 'src/cluster', ours: [...TURN, 'src/exec', 'src/runs'], libraries: ['node:', 'bullmq', 'ioredis', 'pg'] },
  // The protocol's rules against any program that claims it.
  { place: 'src/conformance', ours: [CONTRACT, TEXT, 'src/process/system-program.ts'], libraries: ['node:'] },
  // HTTP, WebSocket, Unix socket and stdio, without knowledge of a surface.
  {
    place: 'src/serve/listen',
    ours: [CONTRACT, TEXT, 'src/process'],
    libraries: ['node:', 'hono', '@hono/node-server', 'ws'],
  },
  // Health, metrics, logs and spans of a server.
  {
    place: 'src/serve/observe',
    ours: BASE,
    libraries: ['node:', 'prom-client', '@opentelemetry'],
  },
  { place: 'src/serve/ops', ours: BASE, libraries: ['node:'] },
  // The Agent Client Protocol; its library is known to this room alone.
  { place: 'src/serve/acp', ours: BASE, libraries: ['node:', '@agentclientprotocol/sdk', 'execa'] },
  { place: 'src/serve/openai', ours: BASE, libraries: ['node:'] },
  { place: 'src/serve/gateway', ours: BASE, libraries: ['node:'] },
  { place: 'src/serve/jobs', ours: BASE, libraries: ['node:'] },
  { place: 'src/serve/org', ours: BASE, libraries: ['node:'] },
  { place: 'src/serve/page', ours: BASE, libraries: ['node:'] },
  { place: 'src/serve/trace', ours: [...BASE, 'src/serve/ops'], libraries: ['node:'] },
  // The tools of an MCP server, over stdio and HTTP; the protocol itself is the SDK's.
  {
    place: 'src/serve/mcp',
    ours: BASE,
    libraries: ['node:', '@modelcontextprotocol/server'],
  },
  // Puts store, core, surfaces and listeners together.
  { place: 'src/serve', ours: [...BASE, 'src/serve'], libraries: ['node:'] },
  // What runs in the browser.
  {
    place: 'src/page',
    ours: [CONTRACT, TEXT, VIEW],
    libraries: ['preact', '@preact/signals', 'markdown-it', 'highlight.js'],
  },
  // One prompt, several runtimes, each in a private copy.
  { place: 'src/compare', ours: [...BASE, 'src/host'], libraries: ['node:', 'execa'] },
  // A session with a person at a terminal.
  {
    place: 'src/chat',
    ours: [...BASE, 'src/terminal'],
    libraries: ['node:', 'execa', '@clack/prompts'],
  },
  {
    place: 'src/commands',
    ours: [
      ...BASE,
      'src/serve',
      'src/client',
      'src/host',
      'src/cluster',
      'src/terminal',
      'src/chat',
      'src/compare',
      'src/conformance',
      'package.json',
    ],
    libraries: ['node:', '@oclif/core'],
  },
  { place: 'src/main.ts', ours: ['src/request', 'src/commands'], libraries: ['node:'] },
  {
    place: 'src/index.ts',
    ours: [
      CONTRACT,
      RUNNER,
      'src/request',
      'src/turn',
      'src/discovery',
      'src/registry',
      'src/host',
      'src/exec',
      'src/session',
      'src/workspace',
      'src/inspect',
    ],
    libraries: [],
  },
];

export interface Violation {
  file: string;
  what: string;
}

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

function ruleOf(file: string): Rule | null {
  const matching = RULES.filter((rule) => isIn(file, rule.place));
  return matching.sort((a, b) => b.place.length - a.place.length)[0] ?? null;
}

/** All files below a folder, with `/` between names, relative to `root`. */
function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
}

const STATEMENT = /(?:^|;)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])([^'"]+)\1/gm;
const BARE = /(?:^|;)\s*import\s*(['"])([^'"]+)\1/gm;
const DYNAMIC = /\bimport\s*\(\s*(['"`])([^'"`$]+)\1\s*[,)]/g;
/** The one place that loads modules of the user's. */
const USERS_MODULES = 'src/registry/load-module.ts';
/** A name that is only known when it runs can't be checked. */
const COMPUTED = /\bimport\s*\(\s*(?:[^'"`\s)]|`[^`]*\$\{)/g;
const REQUIRE = /(?<![.\w])require\s*\(/g;

const NO_CODE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** The source with comments gone; strings stay, since imports are made of them. */
export function withoutComments(source: string): string {
  return source.replace(NO_CODE, (match) => (match.startsWith('/') ? ' ' : match));
}

/** The source with comments and strings gone. */
export function codeOnly(source: string): string {
  return source.replace(NO_CODE, (match) => (match.startsWith('/') ? ' ' : "''"));
}

/** What a module imports, types included; `null` stands for a name that is only known when it runs. */
export function importsOf(source: string): (string | null)[] {
  const code = withoutComments(source);
  const named = [STATEMENT, BARE, DYNAMIC].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((found) => found[2] ?? ''),
  );
  const unknown = [COMPUTED, REQUIRE].flatMap((pattern) => [...code.matchAll(pattern)].map(() => null));
  return [...named, ...unknown];
}

function check(file: string, target: string | null, rule: Rule): string | null {
  if (target === null && file === USERS_MODULES) return null;
  if (target === null) return 'imports a module whose name is computed, or uses require';
  if (!target.startsWith('.')) {
    const allowed = rule.libraries.some((library) =>
      library.endsWith(':') ? target.startsWith(library) : isIn(target, library),
    );
    return allowed ? null : `may not import the library ${target}`;
  }
  const path = posix.join(posix.dirname(file), target).replace(/\.js$/, '.ts');
  const own = rule.place.endsWith('.ts') ? rule.place : ownFolder(file, rule.place);
  if (isIn(path, own) || rule.ours.some((place) => isIn(path, place))) return null;
  return `may not import ${path}`;
}

/** Runners are rooms of their own: one may not look into another. */
function ownFolder(file: string, place: string): string {
  if (place !== 'runners') return place;
  const folder = dirname(file);
  return folder === 'runners' ? file : folder.split('/').slice(0, 2).join('/');
}

/** Globals that would let a conversation see the machine it runs on. */
const IMPURE =
  /(?<![.\w$])(?:process|Buffer|setTimeout|setInterval|setImmediate|performance|crypto|fetch|console|globalThis|Deno|Bun)\s*[.([]|\bnew Date\b|\bDate\s*[.(]|\bMath\.random\b/;

/** @param root a project folder @returns everything that breaks the table */
export function violations(root: string): Violation[] {
  const found: Violation[] = [];
  const files = ['src', 'runners']
    .flatMap((folder) => filesIn(root, folder))
    .filter((file) => /\.(tsx?|js|mjs|mts)$/.test(file));
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    const rule = ruleOf(file);
    if (!rule) {
      found.push({ file, what: 'belongs to no room of the table' });
      continue;
    }
    for (const target of importsOf(source)) {
      const what = check(file, target, rule);
      if (what !== null) found.push({ file, what });
    }
    if (!isIn(file, 'runners')) continue;
    const impure = IMPURE.exec(codeOnly(source));
    if (impure) found.push({ file, what: `uses ${impure[0].trim()}, but runners are pure` });
  }
  return found;
}

/** Source files longer than a person reads in one go. */
export function tooLong(root: string, folders: readonly string[], most: number): Violation[] {
  return folders
    .flatMap((folder) => filesIn(root, folder))
    .filter((file) => /\.(tsx?|js|mjs)$/.test(file) && !file.endsWith('/generated.ts'))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
      return lines > most ? [{ file: relative('.', file).split(sep).join('/'), what: `has ${lines} lines` }] : [];
    });
}
