/** `--mcp-config`: MCP servers in the form that most programs' files have (`{"mcpServers":{NAME:{…}}}`). */

import { UsageError } from '../contract/error.js';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import type { McpServer } from '../runner/request.js';
import { isObject } from '../text/json.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces `${NAME}` and `${NAME:-default}`; only the variable's name is ever shown. */
function expand(text: string, at: string, env: Environment): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value === undefined) throw new UsageError(`${at}: the variable ${name} is not set`);
    return value;
  });
}

function text(value: Json | undefined, at: string, env: Environment): string {
  if (typeof value !== 'string' || value === '') throw new UsageError(`${at}: expected a string`);
  return expand(value, at, env);
}

function texts(value: Json | undefined, at: string, env: Environment): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new UsageError(`${at}: expected an array of strings`);
  return value.map((entry, index) => {
    if (typeof entry !== 'string') throw new UsageError(`${at}[${index}]: expected a string`);
    return expand(entry, `${at}[${index}]`, env);
  });
}

function table(value: Json | undefined, at: string, env: Environment): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new UsageError(`${at}: expected an object of strings`);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      if (typeof entry !== 'string') throw new UsageError(`${at}.${key}: expected a string`);
      return [key, expand(entry, `${at}.${key}`, env)];
    }),
  );
}

/** Without a type, a server with a URL is an HTTP one; `streamable-http` is what some programs call that. */
function kindOf(server: JsonObject, at: string): 'stdio' | 'http' | 'sse' {
  const type = server['type'] ?? (server['url'] === undefined ? 'stdio' : 'http');
  switch (type) {
    case 'stdio':
    case 'http':
    case 'sse':
      return type;
    case 'streamable-http':
      return 'http';
    default:
      throw new UsageError(`${at}.type: expected "stdio", "http" or "sse"`);
  }
}

function readUrl(value: Json | undefined, at: string, env: Environment): string {
  const url = text(value, at, env);
  if (!/^https?:\/\/[^/]/i.test(url)) throw new UsageError(`${at}: expected an http or https URL`);
  return url;
}

function readServer(name: string, server: Json, env: Environment): McpServer {
  const at = `--mcp-config: mcpServers.${name}`;
  if (name === '') throw new UsageError('--mcp-config: a server has an empty name');
  if (!isObject(server)) throw new UsageError(`${at}: expected an object`);
  const type = kindOf(server, at);
  if (type === 'stdio') {
    const command = text(server['command'], `${at}.command`, env);
    const args = texts(server['args'], `${at}.args`, env);
    return { name, type, command, args, env: table(server['env'], `${at}.env`, env) };
  }
  const url = readUrl(server['url'], `${at}.url`, env);
  return { name, type, url, headers: table(server['headers'], `${at}.headers`, env) };
}

/**
 * @param env where `${NAME}` is looked up
 * @throws UsageError that names the path of the first fault
 */
export function mcpServersFrom(value: Json, env: Environment): McpServer[] {
  const servers = isObject(value) ? value['mcpServers'] : undefined;
  if (!isObject(servers)) throw new UsageError('--mcp-config: expected {"mcpServers":{…}}');
  return Object.entries(servers).map(([name, server]) => readServer(name, server, env));
}
