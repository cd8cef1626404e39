/** The flags of exec → one turn's request. Reads files, starts nothing; every fault is a UsageError. */

import fs from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../contract/error.js';
import { LIMITS } from '../contract/limits.js';
import {
  ACCESS_MODES,
  EFFORTS,
  type JsonObject,
  SANDBOX_FALLBACKS,
  SANDBOX_MODES,
  SETTINGS_SOURCES,
  type SettingsSource,
} from '../contract/vocabulary.js';
import { readImages, withFiles } from '../exec/attachments.js';
import { mcpServersFrom } from '../exec/mcp-config.js';
import type { McpServer, ToolDefinition, TurnRequest } from '../runner/request.js';
import { isObject } from '../text/json.js';
import { type ReadFlags, readArgv } from './argv.js';
import { EXEC_FLAGS, type ExecFlag } from './exec-flags.js';
import { envFromFile, envFromFlags } from './explicit-env.js';
import { choice, count, duration, filled, list, money } from './flag-values.js';
import { jsonOf, readInputFile, readInputStream } from './input-file.js';
import { toolsFromJson, toolsFromNames } from './tool-definitions.js';

// Not node:fs/promises, which takes 2 ms to load.
const stat = promisify(fs.stat);

/** What reading a request needs of the process. */
export interface Surroundings {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin(): AsyncIterable<Uint8Array>;
}

export interface ExecPlan {
  /** `runtime` is what was typed: an id, an alias, `auto`. */
  request: TurnRequest;
  /** Milliseconds; 0 is no limit. */
  limits: { timeoutMs: number; idleMs: number; startupMs: number };
  /** `--env` over `--env-file`. */
  env: Record<string, string>;
  allowRoot: boolean;
  verboseNative: boolean;
  claudePath: string | null;
  /** Absolute paths of modules that export runners of the user's own. */
  runners: string[];
  /** Absolute path of the recording this turn is appended to. */
  record: string | null;
  /** For `replay:FILE`. */
  speed: 'original' | 'max';
  format: 'ndjson' | 'text';
  /** Stdin was the prompt, so no frames come on it. */
  stdinTaken: boolean;
  /** Told on the stream instead of as a usage error: full access without a folder to work in. */
  refusal: { code: 'unsafe'; message: string } | null;
}

type Flags = ReadFlags<ExecFlag>;

export interface ReadPrompt {
  text: string;
  /** It came from stdin. */
  fromStdin: boolean;
}

async function readPrompt(flags: Flags, around: Surroundings): Promise<ReadPrompt> {
  const text = flags.one('prompt');
  const path = flags.one('prompt-file');
  if (text !== undefined && path !== undefined) throw new UsageError('give --prompt or --prompt-file, not both');
  if (text !== undefined) {
    if (text.trim() === '') throw new UsageError('--prompt is empty');
    return { text, fromStdin: false };
  }
  if (path === undefined) throw new UsageError('a prompt is missing: give --prompt or --prompt-file');
  if (path !== '-') {
    return { text: await readInputFile('prompt-file', path, around.cwd, LIMITS.promptFile), fromStdin: false };
  }
  const asker = (['tools', 'approvals'] as const).find((flag) => flags.one(flag) === 'stdio');
  if (asker) throw new UsageError(`--prompt-file - and --${asker} stdio both need stdin: put the prompt into a file`);
  return { text: await readInputStream('prompt-file', around.stdin(), LIMITS.promptFile), fromStdin: true };
}

async function readTools(flags: Flags, around: Surroundings): Promise<{ on: boolean; tools: ToolDefinition[] }> {
  const on = choice('tools', flags.one('tools'), ['none', 'stdio'], 'none') === 'stdio';
  const path = flags.one('tools-file');
  const names = flags.one('tool-names');
  if (path !== undefined && names !== undefined) throw new UsageError('give --tools-file or --tool-names, not both');
  if (!on && path !== undefined) throw new UsageError('--tools-file needs --tools stdio');
  if (!on && names !== undefined) throw new UsageError('--tool-names needs --tools stdio');
  if (path !== undefined) {
    const text = await readInputFile('tools-file', path, around.cwd, LIMITS.toolsFile);
    return { on, tools: toolsFromJson(jsonOf('tools-file', text)) };
  }
  return { on, tools: toolsFromNames(list('tool-names', names)) };
}

async function readEnv(flags: Flags, around: Surroundings): Promise<Record<string, string>> {
  const given = envFromFlags(flags.all('env'));
  const path = flags.one('env-file');
  if (path === undefined) return given;
  return { ...envFromFile(await readInputFile('env-file', path, around.cwd, LIMITS.toolsFile)), ...given };
}

async function readMcp(flags: Flags, around: Surroundings, env: Record<string, string>): Promise<McpServer[]> {
  const path = flags.one('mcp-config');
  if (path === undefined) return [];
  const text = await readInputFile('mcp-config', path, around.cwd, LIMITS.toolsFile);
  return mcpServersFrom(jsonOf('mcp-config', text), { ...around.env, ...env });
}

async function readSchema(flags: Flags, around: Surroundings): Promise<JsonObject | null> {
  const path = flags.one('output-schema');
  if (path === undefined) return null;
  const schema = jsonOf('output-schema', await readInputFile('output-schema', path, around.cwd, LIMITS.schemaFile));
  if (!isObject(schema)) throw new UsageError(`--output-schema ${path}: expected a JSON object`);
  const { answerSchema } = await import('../tools/answer-schema.js');
  try {
    await answerSchema(schema);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`--output-schema ${path}: not a JSON Schema: ${why}`, { cause });
  }
  return schema;
}

function readSettings(flags: Flags): SettingsSource[] {
  const text = flags.one('settings');
  if (text === undefined || text === 'none') return [];
  const asked = list('settings', text);
  for (const word of asked) choice('settings', word, ['none', ...SETTINGS_SOURCES], null);
  if (asked.includes('none')) throw new UsageError('--settings: none stands alone');
  return SETTINGS_SOURCES.filter((source) => asked.includes(source));
}

/** @returns what is wrong with the folder, or null */
async function folderFault(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory() ? null : 'it is not a folder';
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return missing
      ? 'there is no such folder'
      : `it can't be looked at (${error instanceof Error ? error.message : error})`;
  }
}

function readAccess(flags: Flags) {
  const access = choice('access', flags.one('access'), ACCESS_MODES, 'scoped');
  const sandbox = choice('sandbox', flags.one('sandbox'), SANDBOX_MODES, null);
  const allowBashPrefix = list('allow-bash-prefix', flags.one('allow-bash-prefix'));
  if (access === 'read' && sandbox === 'full') throw new UsageError('--sandbox full contradicts --access read');
  if (access === 'full' && allowBashPrefix.length > 0) {
    throw new UsageError('--allow-bash-prefix has no meaning with --access full, which runs every command');
  }
  return {
    access,
    sandbox,
    sandboxFallback: choice('sandbox-fallback', flags.one('sandbox-fallback'), SANDBOX_FALLBACKS, 'fail'),
    allowBashPrefix,
    approvals: choice('approvals', flags.one('approvals'), ['deny', 'stdio'] as const, 'deny'),
  };
}

/**
 * @param argv what stands after `agent exec`
 * @throws UsageError
 */
export async function readExec(argv: readonly string[], around: Surroundings): Promise<ExecPlan> {
  const flags = readArgv(argv, EXEC_FLAGS, 'turnout agent exec');
  return planOf(flags, around, () => readPrompt(flags, around));
}

/**
 * @param prompt asked last, since stdin may take its time and every other fault is known by then
 * @throws UsageError
 */
export async function planOf(flags: Flags, around: Surroundings, prompt: () => Promise<ReadPrompt>): Promise<ExecPlan> {
  const runtime = filled('runtime', flags.one('runtime'));
  if (runtime === null) throw new UsageError('--runtime is missing', { hint: 'turnout agent scan' });
  choice('protocol', flags.one('protocol'), ['1'], '1');
  const modes = readAccess(flags);
  const limits = {
    timeoutMs: duration('timeout', flags.one('timeout'), 0),
    idleMs: duration('idle-timeout', flags.one('idle-timeout'), 0),
    startupMs: duration('startup-timeout', flags.one('startup-timeout'), 30_000),
  };
  const scalars = {
    effort: choice('effort', flags.one('effort'), EFFORTS, null),
    toolTimeoutMs: duration('tool-timeout', flags.one('tool-timeout'), 120_000),
    maxTurns: count('max-turns', flags.one('max-turns')),
    budgetUsd: money('budget-usd', flags.one('budget-usd')),
    settings: readSettings(flags),
    model: filled('model', flags.one('model')),
    resume: filled('resume', flags.one('resume')),
  };
  const speed = choice('speed', flags.one('speed'), ['original', 'max'] as const, 'original');
  if (flags.has('speed') && !runtime.startsWith('replay:')) throw new UsageError('--speed needs --runtime replay:FILE');
  const record = filled('record', flags.one('record'));
  const claudePath = filled('claude-path', flags.one('claude-path'));

  const cwd = resolve(around.cwd, filled('cwd', flags.one('cwd')) ?? '.');
  const fault = await folderFault(cwd);
  if (fault !== null && modes.access !== 'full') throw new UsageError(`--cwd ${cwd}: ${fault}`);

  const env = await readEnv(flags, around);
  const { on, tools } = await readTools(flags, around);
  const mcpServers = await readMcp(flags, around, env);
  const outputSchema = await readSchema(flags, around);
  const systemFile = flags.one('system-file');
  const system =
    systemFile === undefined ? null : await readInputFile('system-file', systemFile, around.cwd, LIMITS.promptFile);
  const images = readImages(flags.all('image'), around.cwd, '--image');
  const { text: said, fromStdin } = await prompt();
  const text = withFiles(said, flags.all('file'), around.cwd, '--file');

  return {
    request: {
      runtime,
      prompt: text,
      system,
      cwd,
      ...modes,
      ...scalars,
      toolsOn: on,
      tools,
      mcpServers,
      outputSchema,
      ...(images.length > 0 ? { images } : {}),
    },
    limits,
    env,
    allowRoot: flags.has('allow-root'),
    verboseNative: flags.has('verbose-native'),
    claudePath,
    record: record === null ? null : resolve(around.cwd, record),
    runners: flags.all('runner').map((file) => resolve(around.cwd, file)),
    speed,
    format: choice('format', flags.one('format'), ['ndjson', 'text'] as const, 'ndjson'),
    stdinTaken: fromStdin,
    refusal:
      fault === null ? null : { code: 'unsafe', message: `full access needs a folder to work in: ${cwd}: ${fault}` },
  };
}
