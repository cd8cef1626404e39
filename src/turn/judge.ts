/** The one judge of what a native tool may do at a mode. Pure: the file system is asked through `inside`. */

import type { AccessMode, JsonObject, ToolKind } from '../contract/vocabulary.js';
import { arr, isObject, str } from '../text/json.js';
import { type Shell, wordsFor } from './shell-words.js';

export interface JudgeContext {
  mode: AccessMode;
  /** Whether an explicit `--sandbox workspace-write` adds writing inside cwd. */
  writesInside: boolean;
  bashPrefixes: readonly string[];
  /** What reads the commands of the runtime; a POSIX shell when absent. */
  shell?: Shell;
  /** Whether the working folder holds a file that cmd would run for a bare name (`ls.bat`). Asked for unknown shells alone. */
  planted?(program: string): boolean;
  /** Names of the servers the caller brought for this turn. */
  mcpServers: readonly string[];
  inside(path: string): boolean;
  /** Whether a file there could steer what runs unasked, links followed. */
  steers(path: string): boolean;
  /** Whether files that steer a command may have been written in this turn, by the host's leave. */
  touched?: boolean;
  /** Whether walls of the operating system stand around the program: what runs can write nowhere else. */
  walled?: boolean;
}

/** Whether files inside cwd may be written without a question, by the mode alone. */
function mayWrite(context: Pick<JudgeContext, 'mode' | 'writesInside'>): boolean {
  return context.mode === 'edit' || context.writesInside;
}

export type Verdict = { allow: true } | { allow: false; why: string };

const ALLOW: Verdict = { allow: true };
const no = (why: string): Verdict => ({ allow: false, why });

/**
 * git runs what its configuration and attributes name (`core.fsmonitor`, `diff.*.textconv`, filters), which may lie in the
 * folder itself or point into it; named drivers can't be switched off from outside (2.39). Where rg is a version
 * manager's shim, a file in the folder says what runs. Where files may be written, neither runs unasked.
 */
const STEERED = new Set(['git', 'rg']);
const PLAIN_READERS = new Set(['ls', 'cat', 'head', 'tail', 'wc', 'pwd', 'grep']);
const GIT_READERS = new Set(['status', 'diff', 'log', 'show', 'blame']);
const FIND_ACTIONS = /^-(exec|execdir|ok|okdir|delete|fprint.*|fls)$/;
// git and rg take abbreviations and `--name=value`, so prefixes are matched.
const GIT_WRITERS = /^--(ou|ext-)|^--(o|ou|ext)$/;
const RG_RUNNERS = /^--(pre|hostname-bin)/;

/** Whether a command is one literal invocation of a program that only reads. */
export function onlyReads(command: string, shell: Shell = 'posix'): boolean {
  const words = wordsFor(command, shell);
  return words !== null && wordsOnlyRead(words);
}

function wordsOnlyRead(words: readonly string[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined) return false;
  if (PLAIN_READERS.has(program)) return true;
  if (program === 'rg') return !rest.some((word) => RG_RUNNERS.test(word));
  if (program === 'find') return !rest.some((word) => FIND_ACTIONS.test(word));
  if (program !== 'git') return false;
  const [sub, ...options] = rest;
  return sub !== undefined && GIT_READERS.has(sub) && !options.some((word) => GIT_WRITERS.test(word));
}

/** Whether a command is one literal invocation that starts with the words of a prefix. */
export function hasPrefix(command: string, prefixes: readonly string[], shell: Shell = 'posix'): boolean {
  const words = wordsFor(command, shell);
  if (!words) return false;
  return prefixes.some((prefix) => {
    const wanted = wordsFor(prefix, shell);
    return wanted?.every((word, index) => words[index] === word) ?? false;
  });
}

/**
 * Whether an argument names something outside: any word may be a path, and a link inside may lead out. Options are
 * looked into behind their `=`.
 */
function looksOutside(word: string, context: JudgeContext): boolean {
  const path = word.startsWith('-') ? word.slice(word.indexOf('=') + 1 || word.length) : word;
  return path.startsWith('~') || (path !== '' && !context.inside(path));
}

function judgeShell(input: JsonObject | null, context: JudgeContext): Verdict {
  if (context.walled && context.mode === 'edit') return ALLOW;
  const command = str(input ?? {}, 'command');
  if (command === undefined) return no('the command is not known');
  const first = context.shell === 'unknown' ? wordsFor(command, context.shell)?.[0] : undefined;
  if (first !== undefined && context.planted?.(first)) return no(`a file of the folder would run as \`${first}\``);
  if (hasPrefix(command, context.bashPrefixes, context.shell)) return ALLOW;
  const words = wordsFor(command, context.shell ?? 'posix');
  if (!words) return no('only one plain command that reads may run: no pipe, redirect, chaining or substitution');
  if (!wordsOnlyRead(words)) return no(`\`${words[0]}\` is not a command that only reads`);
  if (!context.walled && (mayWrite(context) || context.touched) && STEERED.has(words[0] ?? '')) {
    return no(`what \`${words[0]}\` runs depends on files that may be written at this access mode`);
  }
  if (context.mode === 'scoped' && words.slice(1).some((word) => looksOutside(word, context))) {
    return no('the command names a path outside the working directory');
  }
  return ALLOW;
}

/** Every path a writing tool names; null when it names none that is known. */
export function writtenPaths(kind: ToolKind, input: JsonObject | null): string[] | null {
  if (!input) return null;
  if (kind === 'patch') {
    const files = arr(input, 'files');
    if (!files || files.length === 0) return null;
    const paths = files.map((file) => (isObject(file) ? str(file, 'file_path') : undefined));
    return paths.every((path) => path !== undefined) ? (paths as string[]) : null;
  }
  const path = str(input, 'file_path');
  return path === undefined ? null : [path];
}

function judgeWrite(kind: ToolKind, input: JsonObject | null, context: JudgeContext): Verdict {
  if (!mayWrite(context)) return no('files may not be changed at this access mode');
  const paths = writtenPaths(kind, input);
  if (!paths) return no('the file to be changed is not known');
  const outside = paths.find((path) => !context.inside(path));
  if (outside !== undefined) return no(`${outside} is outside the working directory`);
  if (context.walled) return ALLOW;
  const steering = paths.find((path) => context.steers(path));
  return steering === undefined ? ALLOW : no(`${steering} could make other programs run commands`);
}

function judgeRead(input: JsonObject | null, context: JudgeContext): Verdict {
  if (context.mode !== 'scoped') return ALLOW;
  const path = str(input ?? {}, 'file_path') ?? str(input ?? {}, 'path');
  return path === undefined || context.inside(path) ? ALLOW : no(`${path} is outside the working directory`);
}

/**
 * Decides one native call.
 * @param name native name of the tool
 * @param kind what it does
 * @param input canonical input
 */
export function judge(name: string, kind: ToolKind, input: JsonObject | null, context: JudgeContext): Verdict {
  if (context.mode === 'full') return ALLOW;
  if (context.mode === 'none' && kind !== 'mcp') return no('no tool of the runtime may be used at this access mode');
  switch (kind) {
    case 'shell':
      return judgeShell(input, context);
    case 'edit':
    case 'write':
    case 'patch':
      return judgeWrite(kind, input, context);
    case 'read':
    case 'search':
      return judgeRead(input, context);
    case 'web':
      return context.mode === 'scoped' ? no('the web is not part of this access mode') : ALLOW;
    case 'todo':
    case 'task':
      return ALLOW;
    case 'mcp': {
      const server = str(input ?? {}, 'server');
      const known = context.mcpServers.some((one) => one === server || name.startsWith(`mcp__${one}__`));
      return known ? ALLOW : no('this MCP server was not given for this turn');
    }
    case 'other':
      return no(`\`${name}\` is not known to be harmless`);
    default: {
      const never: never = kind;
      return no(String(never));
    }
  }
}
