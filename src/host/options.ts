/** What a host may ask of a turn, the same whether it runs in its process or in one of its own. */

import { UsageError } from '../contract/error.js';
import {
  ACCESS_MODES,
  type AccessMode,
  EFFORTS,
  type Effort,
  SANDBOX_FALLBACKS,
  SANDBOX_MODES,
  type SandboxFallback,
  type SandboxMode,
  SETTINGS_SOURCES,
  type SettingsSource,
} from '../contract/vocabulary.js';
import { nearestWords } from '../text/nearest.js';
import { type AnySchema, jsonSchemaOf } from './schema.js';
import type { Tools } from './tools.js';
import type { PermissionHandler } from './turn.js';

/** An MCP server for one turn, in the common form of `mcpServers`. */
export type McpServerOption =
  | { type?: 'stdio'; command: string; args?: readonly string[]; env?: Readonly<Record<string, string>> }
  | { type?: 'http' | 'sse'; url: string; headers?: Readonly<Record<string, string>> };

/** One turn. Times are milliseconds, 0 is no limit. What is left out has the default of `turnout agent exec`. */
export interface TurnOptions<Schemas = Record<string, unknown>> {
  /** An id from `scan()`, or `auto` for the first that is installed. */
  runtime: string;
  prompt: string;
  /** Instructions added to the runtime's own. */
  system?: string;
  model?: string;
  effort?: Effort;
  /** Where the runtime works; the current folder when absent. */
  cwd?: string;
  /** The id of the session to continue. */
  resume?: string;
  /** What the runtime may do with its own tools. */
  access?: AccessMode;
  /** Lets `access: 'full'` run as root. */
  allowRoot?: boolean;
  sandbox?: SandboxMode;
  sandboxFallback?: SandboxFallback;
  /** Shell commands that may run, by how they begin. */
  allowBashPrefix?: readonly string[];
  maxTurns?: number;
  budgetUsd?: number;
  timeoutMs?: number;
  idleTimeoutMs?: number;
  startupTimeoutMs?: number;
  /** For each call of your tools. */
  toolTimeoutMs?: number;
  /** How much of the person's own configuration is loaded; nothing when absent. */
  settings?: readonly SettingsSource[];
  mcpServers?: Readonly<Record<string, McpServerOption>>;
  /** Pictures beside the prompt, by path, where the runtime takes them. */
  images?: readonly string[];
  /** Text files behind the prompt, by path. */
  files?: readonly string[];
  /** What the answer must be: JSON Schema, or a Standard Schema such as Zod's. The parsed answer is `structured`. */
  outputSchema?: AnySchema;
  /** Environment of the runtime, on top of ours. */
  env?: Readonly<Record<string, string>>;
  /** A file to which everything that passes through the turn is appended, for `turnout agent replay`. */
  record?: string;
  /** How fast `runtime: 'replay:FILE'` plays. */
  speed?: 'original' | 'max';
  /** Your tools by name. */
  tools?: Tools<Schemas>;
  /** Answers permission questions above the mode; without it they are denied. */
  onPermission?: PermissionHandler;
  /** Aborting cancels the turn. */
  signal?: AbortSignal;
}

function text(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || value.trim() === '')
    throw new UsageError(`${name}: expected a text that is not empty`);
}

function word(name: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.some((one) => one === value)) return;
  const [guess] = nearestWords(String(value), words, 1);
  const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
  throw new UsageError(`${name} is one of ${words.join(', ')}, not ${JSON.stringify(value)}${hint}`);
}

function figure(name: string, value: unknown, what: string, fits: (value: number) => boolean): void {
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value) && fits(value))) return;
  throw new UsageError(`${name}: expected ${what}, not ${String(value)}`);
}

function texts(name: string, value: unknown): void {
  if (value === undefined) return;
  const fine = Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '');
  if (!fine) throw new UsageError(`${name}: expected a list of texts that are not empty`);
}

/** Finds what is wrong before anything is started. @throws {UsageError} naming the option */
export function checkOptions(options: TurnOptions): void {
  if (typeof options !== 'object' || options === null) throw new UsageError('expected an object of options');
  if (options.runtime === undefined)
    throw new UsageError('runtime: which one? `scan()` lists them; `auto` takes the first');
  if (options.prompt === undefined) throw new UsageError('prompt: expected a text that is not empty');
  for (const name of ['runtime', 'prompt', 'system', 'model', 'cwd', 'resume', 'record'] as const)
    text(name, options[name]);
  word('effort', options.effort, EFFORTS);
  word('access', options.access, ACCESS_MODES);
  word('sandbox', options.sandbox, SANDBOX_MODES);
  word('sandboxFallback', options.sandboxFallback, SANDBOX_FALLBACKS);
  word('speed', options.speed, ['original', 'max']);
  for (const source of options.settings ?? []) word('settings', source, SETTINGS_SOURCES);
  for (const name of ['allowBashPrefix', 'images', 'files'] as const) texts(name, options[name]);
  figure('maxTurns', options.maxTurns, 'a whole number from 1 on', (n) => Number.isSafeInteger(n) && n >= 1);
  figure('budgetUsd', options.budgetUsd, 'a number of dollars above 0', (n) => n > 0);
  for (const name of ['timeoutMs', 'idleTimeoutMs', 'startupTimeoutMs', 'toolTimeoutMs'] as const) {
    figure(name, options[name], 'milliseconds, 0 for no limit', (n) => n >= 0);
  }
  if (options.access === 'read' && options.sandbox === 'full') {
    throw new UsageError("sandbox: 'full' contradicts access: 'read'");
  }
  if (options.access === 'full' && (options.allowBashPrefix?.length ?? 0) > 0) {
    throw new UsageError("allowBashPrefix has no meaning with access: 'full', which runs every command");
  }
  for (const [name, value] of Object.entries(options.env ?? {})) {
    if (name === '' || /[=\s\0]/.test(name)) throw new UsageError('env: a name is empty or has blanks');
    if (typeof value !== 'string' || value.includes('\0')) throw new UsageError(`env.${name}: expected a string`);
  }
  if (options.outputSchema !== undefined) jsonSchemaOf(options.outputSchema, 'outputSchema');
  if (options.onPermission !== undefined && typeof options.onPermission !== 'function') {
    throw new UsageError('onPermission: expected a function');
  }
  if (options.signal !== undefined && !(options.signal instanceof AbortSignal)) {
    throw new UsageError('signal: expected an AbortSignal');
  }
}
