/** MCP servers in the form that most programs' files have (`{"mcpServers":{NAME:{…}}}`). */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import type { McpServer } from '../runner/request.js';
import { isObject } from '../text/json.js';
import { type InFile, readJson } from './in-file.js';
import { checkName } from './names.js';
import type { Place } from './place.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces `${NAME}` and `${NAME:-default}`; only the variable's name is ever shown. */
function expand(text: string, at: Place, env: Environment): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value === undefined) throw at.fault('missing', `the variable ${name} is not set`);
    return value;
  });
}

function text(value: Json | undefined, at: Place, env: Environment): string {
  if (typeof value !== 'string' || value === '') throw at.fault('type', 'expected a string');
  return expand(value, at, env);
}

function texts(value: Json | undefined, at: Place, env: Environment): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw at.fault('type', 'expected an array of strings');
  return value.map((entry, index) => {
    if (typeof entry !== 'string') throw at.in(index).fault('type', 'expected a string');
    return expand(entry, at.in(index), env);
  });
}

function table(value: Json | undefined, at: Place, env: Environment): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw at.fault('type', 'expected an object of strings');
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      if (typeof entry !== 'string') throw at.in(key).fault('type', 'expected a string');
      return [key, expand(entry, at.in(key), env)];
    }),
  );
}

/** Without a type, a server with a URL is an HTTP one; `streamable-http` is what some programs call that. */
function kindOf(server: JsonObject, at: Place): 'stdio' | 'http' | 'sse' {
  const type = server['type'] ?? (server['url'] === undefined ? 'stdio' : 'http');
  switch (type) {
    case 'stdio':
    case 'http':
    case 'sse':
      return type;
    case 'streamable-http':
      return 'http';
    default:
      throw at.in('type').fault('choice', 'expected "stdio", "http" or "sse"');
  }
}

function readUrl(value: Json | undefined, at: Place, env: Environment): string {
  const url = text(value, at, env);
  if (!/^https?:\/\/[^/]/i.test(url)) throw at.fault('form', 'expected an http or https URL');
  return url;
}

function readServer(name: string, given: Json, at: Place, env: Environment): McpServer {
  if (name === '') throw at.fault('empty', 'a server has an empty name');
  const here = at.in(name);
  checkName('server', name, here);
  if (!isObject(given)) throw here.fault('type', 'expected an object');
  // Many languages can't leave a key out.
  const server = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const type = kindOf(server, here);
  if (type === 'stdio') {
    const command = text(server['command'], here.in('command'), env);
    const args = texts(server['args'], here.in('args'), env);
    return { name, type, command, args, env: table(server['env'], here.in('env'), env) };
  }
  const url = readUrl(server['url'], here.in('url'), env);
  return { name, type, url, headers: table(server['headers'], here.in('headers'), env) };
}

/**
 * @param servers by name
 * @param env where `${NAME}` is looked up
 * @throws UsageError that names the path of the first fault
 */
export function readServers(servers: JsonObject, at: Place, env: Environment): McpServer[] {
  return Object.entries(servers).map(([name, server]) => readServer(name, server, at, env));
}

/** The file of `--mcp-config`. */
export const serversFile: InFile<JsonObject> = {
  read(text, at) {
    const value = readJson(text, at);
    const servers = isObject(value) ? value['mcpServers'] : undefined;
    if (!isObject(servers)) throw at.fault('form', 'expected {"mcpServers":{…}}');
    return servers;
  },
  write: (mcpServers) => JSON.stringify({ mcpServers }),
};
