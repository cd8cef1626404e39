/**
 * Windows stubs (`codex.cmd`, `codex.ps1`) read as text, to start what they start without a shell: Node refuses to spawn
 * a .cmd without one, and a shell would read the caller's arguments as commands.
 */

import type { View } from './view.js';

/** What a stub starts. */
export type Target =
  | { kind: 'node'; nodeArgs: string[]; script: string }
  /** A program by path or, without a folder, by name. */
  | { kind: 'program'; path: string; args: string[] };

/** Something other than the stub's own folder stands in a variable. */
const VARIABLE = /%[^%]*%|\$\{?\w/;
/** Stands for the stub's folder until variables were looked for: a user may be called `a$b`. */
const HERE = '\0';
/** They would read the caller's arguments as commands. */
const SHELLS: ReadonlySet<string> = new Set(['cmd', 'powershell', 'pwsh', 'wsl', 'bash', 'sh']);

/**
 * Reads a stub.
 * @param text its content  @param path where it stands
 * @returns what it starts, or null when that can't be told for certain
 */
export function readShim(text: string, path: string, view: View): Target | null {
  const folder = view.paths.dirname(path);
  const words = view.paths.extname(path).toLowerCase() === '.ps1' ? powershellWords(text) : batchWords(text);
  if (words === null || words.some((word) => VARIABLE.test(word))) return null;
  const [program = '', ...args] = words.map((word) => placed(word, folder, view));
  const name = view.paths
    .basename(program)
    .toLowerCase()
    .replace(/\.exe$/, '');
  // pnpm: `cmd /C "…\\stub.cmd" %*`, where cmd would read the caller's arguments once more.
  if (name === 'cmd' && /^\/c$/i.test(args[0] ?? '') && args.length > 1) {
    return { kind: 'program', path: args[1] ?? '', args: args.slice(2) };
  }
  if (program === '' || SHELLS.has(name)) return null;
  if (/^node(?:\.exe)?$/i.test(view.paths.basename(program))) {
    const at = args.findIndex((arg) => !arg.startsWith('-'));
    const script = args[at];
    return script === undefined ? null : { kind: 'node', nodeArgs: args.slice(0, at), script };
  }
  if (/\.[cm]?js$/i.test(program)) return { kind: 'node', nodeArgs: [], script: program };
  return { kind: 'program', path: program, args };
}

/** A word that begins with the stub's folder is a path; any other goes on as it is: `/C`, `https://…`. */
function placed(word: string, folder: string, view: View): string {
  const full = word.replaceAll(HERE, () => `${folder}\\`);
  return word.startsWith(HERE) ? view.paths.normalize(full) : full;
}

/** The words before `%*` of the last command that passes the arguments on: npm, pnpm, yarn and scoop all end with it. */
function batchWords(text: string): string[] | null {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*@?(?:rem\b|::)/i.test(line));
  const last = lines.findLast((line) => line.includes('%*'));
  if (last === undefined) return null;
  // npm: `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%" "…" %*`
  const command =
    last
      .slice(0, last.lastIndexOf('%*'))
      .split(/&(?=(?:[^"]*"[^"]*")*[^"]*$)/)
      .at(-1) ?? '';
  const program = lines
    .map((line) => /^\s*@?SET\s+"?_prog=([^"%]+)"?\s*$/i.exec(line)?.[1])
    .find((one) => one !== undefined);
  const plain = withVariables(lines, command.replace(/%_prog%/gi, program?.trim() ?? '%_prog%'))
    .replace(/%(?:~dp0|dp0%)[\\/]*/gi, HERE)
    .replace(/^[\s@(]+/, '')
    .replace(/^call\s+/i, '');
  return splitWords(plain);
}

/** Hand-written stubs name a folder first: `set APPS=%~dp0apps`. One that is set twice is not known. */
function withVariables(lines: readonly string[], command: string): string {
  const values = new Map<string, string | null>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^\s*@?SET\s+"?(\w+)=(%~dp0[^"%]*)"?\s*$/i.exec(line) ?? [];
    const key = name.toLowerCase();
    if (/^\s*@?SET\s/i.test(line) && key === '') {
      const other = /^\s*@?SET\s+(?:\/\w\s+)?"?(\w+)=/i.exec(line)?.[1]?.toLowerCase();
      if (other !== undefined) values.set(other, null);
    } else if (key !== '') values.set(key, values.has(key) ? null : value.trimEnd());
  }
  return command.replace(/%(\w+)%/g, (whole, name: string) => values.get(name.toLowerCase()) ?? whole);
}

/** The words between `&` and `$args`; the last such line is the one without a private Node beside the stub. */
function powershellWords(text: string): string[] | null {
  const last = text.split(/\r?\n/).findLast((line) => /^\s*&\s.*\$args/.test(line));
  if (last === undefined) return null;
  const command = last.slice(last.indexOf('&') + 1, last.lastIndexOf('$args'));
  return splitWords(command.replace(/\$\{?exe\}?/g, '.exe').replace(/\$\{?(?:basedir|PSScriptRoot)\}?[\\/]*/g, HERE));
}

function splitWords(command: string): string[] | null {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    (found) => found[1] ?? found[2] ?? found[3] ?? '',
  );
  return words.length === 0 ? null : words;
}

/** Scoop puts `name.shim` beside a small `name.exe` that starts what the file says. */
export function readScoopShim(text: string): { path: string; args: string[] } | null {
  const path = /^\s*path\s*=\s*"?([^"\r\n]+?)"?\s*$/m.exec(text)?.[1];
  if (path === undefined) return null;
  const args = /^\s*args\s*=\s*(.+?)\s*$/m.exec(text)?.[1];
  return { path, args: args === undefined ? [] : (splitWords(args) ?? []) };
}
