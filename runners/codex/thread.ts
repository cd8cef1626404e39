/** Parameters of `thread/start`, `thread/resume` and `turn/start`. */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { McpServer, TurnRequest } from '../../src/runner/request.js';
import { bool, obj, str } from '../../src/text/json.js';
import { approvalPolicy, sandboxParams } from './access.js';
import { type Mark, markOf, readMark, writeMark } from './mark.js';
import { NO_ENVIRONMENT, withoutTools } from './no-tools.js';
import { askForJson, isStrict } from './schema.js';
import { offeredName } from './tool-names.js';

/** Our MCP server's name; its tools would be seen as `mcp__caller_tools__…`. */
export const BRIDGE = 'caller_tools';

/** A provider of our own, for a key in the environment: the app server knows logins only, unlike `codex exec`. */
const KEY_PROVIDER = 'openai-api-key';
const KEY_VARIABLE = 'CODEX_API_KEY';

/** What the app server reported before a thread is opened. */
export interface Facts {
  codexHome: string;
  /** Result of `account/read`, null when it failed. */
  account: Json;
  /** Result of `config/read`, null when it failed: the merged `config` and the `origins` of its values. */
  config: Json;
  /** `thread` of `thread/read`, null for a new thread or when it failed. */
  stored: Json;
}

/** Whether the provider wants an OpenAI login and there is none: codex would try forever. */
export function lacksLogin(facts: Facts, machine: Machine): boolean {
  const wants = bool(facts.account, 'requiresOpenaiAuth') === true;
  return wants && obj(facts.account, 'account') === undefined && !machine.envNames.has(KEY_VARIABLE);
}

function dynamicTools(request: TurnRequest): JsonObject[] {
  return request.tools.map((tool) => ({
    type: 'function',
    name: offeredName(tool.name),
    description: tool.description,
    inputSchema: tool.schema,
  }));
}

/** Which of the instructions and tools a resumed thread still has. */
function persisted(request: TurnRequest, facts: Facts): { system: boolean; tools: boolean } {
  const mark: Mark | null = readMark(str(facts.stored, 'threadSource'));
  const wanted = markOf(request.system, dynamicTools(request));
  return { system: mark?.system === wanted.system, tools: mark?.tools === wanted.tools };
}

/** Whether a value of the configuration comes from a folder's own `.codex`. */
function fromProject(facts: Facts, name: string): boolean {
  const origins = obj(facts.config, 'origins') ?? {};
  return Object.entries(origins).some(
    ([key, origin]) => key.startsWith(`mcp_servers.${name}.`) && str(origin, 'name', 'type') === 'project',
  );
}

/** MCP servers of the configuration files: those that `--settings` lets in, and those that it leaves out. */
export function configuredServers(request: TurnRequest, facts: Facts): { wanted: string[]; unwanted: string[] } {
  const servers = obj(facts.config, 'config', 'mcp_servers') ?? {};
  const names = Object.keys(servers).filter((name) => bool(servers, name, 'enabled') !== false);
  const user = request.settings.includes('user') && request.access !== 'none';
  const project = request.access !== 'none' && request.settings.some((source) => source !== 'user');
  const isWanted = (name: string) => (fromProject(facts, name) ? project : user);
  return { wanted: names.filter(isWanted), unwanted: names.filter((name) => !isWanted(name)) };
}

function serverConfig(server: McpServer, machine: Machine): JsonObject {
  const common = { enabled: true, default_tools_approval_mode: 'approve' };
  if (server.type !== 'stdio') return { ...common, url: server.url, http_headers: server.headers };
  // Codex starts servers with a short list of variables: without the marker they would outlive us.
  const env = { ...server.env, TURNOUT_TURN: machine.ids.turn };
  return { ...common, command: server.command, args: server.args, env };
}

/** Seconds above our own limit, so that ours ends a call. */
function toolTimeout(request: TurnRequest): number {
  return request.toolTimeoutMs === 0 ? 86_400 : Math.ceil(request.toolTimeoutMs / 1000) + 30;
}

function mcpServers(request: TurnRequest, machine: Machine, facts: Facts): JsonObject {
  const servers: JsonObject = {};
  for (const name of configuredServers(request, facts).unwanted) servers[name] = { enabled: false };
  for (const server of request.mcpServers) servers[server.name] = serverConfig(server, machine);
  const bridge = machine.mcpBridge;
  // A server brings along codex's own tools that read its resources: not where the thread itself has the tools.
  const spared = request.access === 'none' && persisted(request, facts).tools;
  if (bridge !== null && request.resume !== null && !spared) {
    servers[BRIDGE] = {
      command: bridge.command,
      args: [...bridge.args],
      env: { ...bridge.env, TURNOUT_TURN: machine.ids.turn },
      default_tools_approval_mode: 'approve',
      tool_timeout_sec: toolTimeout(request),
      required: true,
      // The thread still offers these very tools by itself, and not behind a search.
      ...(persisted(request, facts).tools ? { enabled_tools: [] } : {}),
    };
  }
  return servers;
}

function provider(machine: Machine, facts: Facts): { params: JsonObject; config: JsonObject } {
  const wants = bool(facts.account, 'requiresOpenaiAuth') === true;
  if (wants && machine.envNames.has(KEY_VARIABLE)) {
    const url = str(facts.config, 'config', 'openai_base_url') ?? 'https://api.openai.com/v1';
    const definition = { name: 'OpenAI', base_url: url, wire_api: 'responses', env_key: KEY_VARIABLE };
    return { params: { modelProvider: KEY_PROVIDER }, config: { model_providers: { [KEY_PROVIDER]: definition } } };
  }
  // A thread of an earlier turn with a key goes on with the login.
  const stored = str(facts.stored, 'modelProvider') === KEY_PROVIDER;
  return { params: stored ? { modelProvider: 'openai' } : {}, config: {} };
}

/** @returns method and parameters that open the thread */
export function openThread(
  request: TurnRequest,
  machine: Machine,
  facts: Facts,
): { method: string; params: JsonObject } {
  const sandbox = sandboxParams(request, machine, facts.codexHome);
  const source = provider(machine, facts);
  const params: JsonObject = {
    cwd: request.cwd,
    runtimeWorkspaceRoots: [request.cwd],
    approvalPolicy: approvalPolicy(request),
    approvalsReviewer: 'user',
    ...sandbox.params,
    ...source.params,
    ...(request.model === null ? {} : { model: request.model }),
    ...(request.access === 'none' && request.resume === null ? NO_ENVIRONMENT : {}),
    config: {
      ...(request.access === 'none' ? withoutTools() : {}),
      ...sandbox.config,
      ...source.config,
      mcp_servers: mcpServers(request, machine, facts),
    },
  };
  if (request.resume !== null) {
    return { method: 'thread/resume', params: { threadId: request.resume, excludeTurns: true, ...params } };
  }
  const tools = dynamicTools(request);
  return {
    method: 'thread/start',
    params: {
      ...params,
      ...(request.system === null ? {} : { developerInstructions: request.system }),
      ...(tools.length === 0 ? {} : { dynamicTools: tools }),
      threadSource: writeMark(markOf(request.system, tools)),
    },
  };
}

/** A system prompt that the resumed thread does not have yet, as an item of its history; null when there is none to add. */
export function lateInstructions(request: TurnRequest, facts: Facts): JsonObject[] | null {
  if (request.resume === null || request.system === null || persisted(request, facts).system) return null;
  return [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: request.system }] }];
}

/** Effort in codex's words (levels as listed by `model/list`, 0.171.0). */
const EFFORTS = { off: 'none', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'max' } as const;

export function textInput(text: string): JsonObject[] {
  return [{ type: 'text', text, text_elements: [] }];
}

export function startTurn(request: TurnRequest, threadId: string): JsonObject {
  const { outputSchema, effort } = request;
  const images = (request.images ?? []).flatMap(({ path }) => (path === null ? [] : [{ type: 'localImage', path }]));
  const native = outputSchema !== null && isStrict(outputSchema);
  const prompt = outputSchema !== null && !native ? `${request.prompt}\n\n${askForJson(outputSchema)}` : request.prompt;
  return {
    threadId,
    input: [...textInput(prompt), ...images],
    ...(request.access === 'none' ? NO_ENVIRONMENT : {}),
    ...(effort === null ? {} : { effort: EFFORTS[effort] }),
    ...(native ? { outputSchema } : {}),
  };
}
