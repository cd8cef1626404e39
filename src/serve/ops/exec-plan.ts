/** The keys of an `exec` request → one turn, with what the connection and the session remember. */

import {
  ACCESS_MODES,
  EFFORTS,
  type JsonObject,
  SANDBOX_FALLBACKS,
  SANDBOX_MODES,
  SETTINGS_SOURCES,
} from '../../contract/vocabulary.js';
import { libraryRequest } from '../../exec/library-request.js';
import type { ToolDefinition } from '../../runner/request.js';
import type { TurnPlan } from '../../runs/plan.js';
import type { SessionRecord } from '../../runs/records.js';
import { isObject } from '../../text/json.js';
import type { Memory } from './op.js';
import { duration, figure, flag, list, needText, OpError, object, text, texts, whole, word } from './request.js';

const NAME_LENGTH = 128;

function tool(value: unknown, index: number): ToolDefinition {
  const at = `tools[${index}]`;
  if (typeof value === 'string') return checked({ name: value, description: '', schema: { type: 'object' } }, at);
  if (!isObject(value)) throw new OpError(`${at}: expected {"name","description","schema"} or a name`);
  const { name, description = '', schema = { type: 'object' } } = value;
  if (typeof name !== 'string') throw new OpError(`${at}.name: expected a string`);
  if (typeof description !== 'string') throw new OpError(`${at}.description: expected a string`);
  if (!isObject(schema)) throw new OpError(`${at}.schema: expected a JSON Schema object`);
  return checked({ name, description, schema }, at);
}

function checked(one: ToolDefinition, at: string): ToolDefinition {
  if (one.name === '' || one.name.length > NAME_LENGTH)
    throw new OpError(`${at}.name: expected 1 to ${NAME_LENGTH} characters`);
  return one;
}

function readTools(fields: JsonObject): ToolDefinition[] | null {
  const given = list(fields, 'tools');
  if (given === undefined) return null;
  const tools = given.map(tool);
  const names = new Set(tools.map(({ name }) => name));
  if (names.size < tools.length) throw new OpError('tools: a name is there twice');
  return tools;
}

function readEnv(fields: JsonObject): Record<string, string> | undefined {
  const given = object(fields, 'env');
  if (given === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== 'string') throw new OpError(`env.${name}: expected a string`);
      return [name, value];
    }),
  );
}

type Library = Parameters<typeof libraryRequest>[0];

/** Checked thoroughly where the servers are read; here only that the shape can be one. */
function readServers(fields: JsonObject): Library['mcpServers'] {
  const given = object(fields, 'mcp_servers');
  if (given === undefined) return undefined;
  const servers: Record<string, NonNullable<Library['mcpServers']>[string]> = {};
  for (const [name, value] of Object.entries(given)) {
    const at = `mcp_servers.${name}`;
    if (!isObject(value)) throw new OpError(`${at}: expected an object`);
    const url = text(value, 'url');
    if (url === undefined) {
      servers[name] = {
        command: needText(value, 'command'),
        args: texts(value, 'args') ?? [],
        env: readEnv(value) ?? {},
      };
      continue;
    }
    const headers = object(value, 'headers') ?? {};
    const strings = Object.entries(headers).map(([key, one]) => [key, String(one)] as const);
    servers[name] = { type: word(value, 'type', ['http', 'sse']) ?? 'http', url, headers: Object.fromEntries(strings) };
  }
  return servers;
}

/**
 * @param session the one that is continued
 * @throws OpError, UsageError
 */
export function execPlan(
  fields: JsonObject,
  around: { memory: Memory; session: SessionRecord | null; cwd: string; ambient: NodeJS.ProcessEnv },
): TurnPlan {
  const { memory, session } = around;
  const runtime = text(fields, 'runtime') ?? session?.runtime ?? memory.runtime;
  if (runtime === null || runtime === undefined) throw new OpError('runtime is missing; the op scan lists them');
  const tools = readTools(fields);
  const approvals = word(fields, 'approvals', ['deny', 'ask']) ?? 'deny';
  const options: Library = {
    runtime,
    prompt: needText(fields, 'prompt'),
    images: texts(fields, 'images'),
    files: texts(fields, 'files'),
    system: text(fields, 'system'),
    model: text(fields, 'model'),
    effort: word(fields, 'effort', EFFORTS),
    cwd: text(fields, 'cwd') ?? session?.cwd ?? memory.cwd ?? around.cwd,
    resume: text(fields, 'resume') ?? session?.native_id ?? undefined,
    access: word(fields, 'access', ACCESS_MODES),
    sandbox: word(fields, 'sandbox', SANDBOX_MODES),
    sandboxFallback: word(fields, 'sandbox_fallback', SANDBOX_FALLBACKS),
    allowBashPrefix: texts(fields, 'allow_bash_prefix'),
    maxTurns: whole(fields, 'max_turns', 1),
    budgetUsd: figure(fields, 'budget_usd'),
    timeoutMs: duration(fields, 'timeout'),
    idleTimeoutMs: duration(fields, 'idle_timeout'),
    startupTimeoutMs: duration(fields, 'startup_timeout'),
    toolTimeoutMs: duration(fields, 'tool_timeout'),
    settings: texts(fields, 'settings')?.map((one) => word({ settings: one }, 'settings', SETTINGS_SOURCES) ?? 'user'),
    mcpServers: readServers(fields),
    outputSchema: object(fields, 'output_schema'),
    env: readEnv(fields),
  };
  const { request, limits, refuse } = libraryRequest(options, tools ?? [], around.ambient);
  return {
    request: { ...request, toolsOn: tools !== null, approvals: approvals === 'ask' ? 'stdio' : 'deny' },
    limits,
    env: options.env ?? {},
    allowRoot: flag(fields, 'allow_root'),
    ...(refuse?.code === 'unsafe' ? { refuse: { code: 'unsafe', message: refuse.message } } : {}),
  };
}
