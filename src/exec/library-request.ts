/** The options of a host in our process → what one turn needs. Starts nothing; every fault is a UsageError. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../contract/error.js';
import type { ToolDefinition } from '../contract/tool.js';
import { type Json, SETTINGS_SOURCES } from '../contract/vocabulary.js';
import { checkOptions, type TurnOptions } from '../host/options.js';
import { jsonSchemaOf } from '../host/schema.js';
import type { TurnRequest } from '../runner/request.js';
import { parseJson } from '../text/json.js';
import type { TurnLimits } from '../turn/loop.js';
import { readImages, withFiles } from './attachments.js';
import type { ExecOptions } from './exec-turn.js';
import { mcpServersFrom } from './mcp-config.js';

export interface LibraryPlan {
  request: TurnRequest;
  limits: TurnLimits;
  refuse?: ExecOptions['refuse'];
}

/** @returns what is wrong with the folder, or null */
function folderFault(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : 'it is not a folder';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such folder';
    return `it can't be looked at (${error instanceof Error ? error.message : String(error)})`;
  }
}

function mcpServers(options: TurnOptions, env: NodeJS.ProcessEnv): TurnRequest['mcpServers'] {
  if (options.mcpServers === undefined) return [];
  const copy: Json | undefined = parseJson(JSON.stringify({ mcpServers: options.mcpServers }));
  try {
    return mcpServersFrom(copy ?? null, env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace(/^--mcp-config: /, ''), { cause: error });
  }
}

/** @throws {UsageError} naming the option */
export function libraryRequest(
  options: TurnOptions,
  tools: readonly ToolDefinition[],
  ambient: NodeJS.ProcessEnv,
): LibraryPlan {
  checkOptions(options);
  const cwd = resolve(options.cwd ?? '.');
  const access = options.access ?? 'scoped';
  const fault = folderFault(cwd);
  if (fault !== null && access !== 'full') throw new UsageError(`cwd ${cwd}: ${fault}`);
  const images = readImages(options.images ?? [], '.', 'images');
  const message = `full access needs a folder to work in: ${cwd}: ${fault}`;
  return {
    request: {
      runtime: options.runtime,
      prompt: withFiles(options.prompt, options.files ?? [], '.', 'files'),
      system: options.system ?? null,
      model: options.model ?? null,
      effort: options.effort ?? null,
      cwd,
      resume: options.resume ?? null,
      access,
      sandbox: options.sandbox ?? null,
      sandboxFallback: options.sandboxFallback ?? 'fail',
      allowBashPrefix: options.allowBashPrefix ?? [],
      approvals: options.onPermission ? 'stdio' : 'deny',
      toolsOn: tools.length > 0,
      tools,
      toolTimeoutMs: options.toolTimeoutMs ?? 120_000,
      maxTurns: options.maxTurns ?? null,
      budgetUsd: options.budgetUsd ?? null,
      settings: SETTINGS_SOURCES.filter((source) => options.settings?.includes(source)),
      mcpServers: mcpServers(options, { ...ambient, ...options.env }),
      outputSchema: options.outputSchema === undefined ? null : jsonSchemaOf(options.outputSchema, 'outputSchema'),
      ...(images.length > 0 ? { images } : {}),
    },
    limits: {
      timeoutMs: options.timeoutMs ?? 0,
      idleMs: options.idleTimeoutMs ?? 0,
      startupMs: options.startupTimeoutMs ?? 30_000,
    },
    ...(fault === null ? {} : { refuse: { code: 'unsafe', message } }),
  };
}
