import type { Call, Json, JsonObject, OfferedTool } from './types.js';
import { list, object, string } from './values.js';

/**
 * How the scripted model finds its way among the native tools of any program: by the names in use, then by the shape
 * of the schema. Order matters: a program may offer both a session-bound and a one-shot shell.
 */
const names = {
  shell: [
    'Bash',
    'exec_command',
    'shell_command',
    'run_shell_command',
    'bash',
    'execute_bash',
    'shell',
    'run_commands',
    'launch-process',
    'Execute',
    'ShellCommand',
    'execute_command',
    'terminal',
    'local_shell',
    'Shell',
  ],
  write: [
    'Write',
    'write_file',
    'write',
    'create',
    'Create',
    'save-file',
    'create_file',
    'write_to_file',
    'editor',
    'WriteFile',
  ],
  read: ['Read', 'read_file', 'read', 'view', 'read_files', 'ReadFile'],
  fetch: [
    'WebFetch',
    'web_fetch',
    'webfetch',
    'FetchUrl',
    'fetch',
    'fetch_url',
    'web-fetch',
    'fetch_web_content',
    'FetchURL',
  ],
  task: ['Task', 'Agent', 'task', 'invoke_agent', 'agent', 'spawn_agent'],
  plan: [
    'TodoWrite',
    'update_plan',
    'todowrite',
    'write_todos',
    'todo_write',
    'TaskCreate',
    'create_todo_list',
    'update_todo_list',
    'write_tasks',
    'SetTodoList',
  ],
} as const;

export type NativeKind = keyof typeof names;

const roles: Record<NativeKind, readonly { role: string; pattern: RegExp }[]> = {
  shell: [{ role: 'command', pattern: /^(command|cmd|commands|script|input)$/i }],
  write: [
    { role: 'path', pattern: /path|file_?name|^file$/i },
    { role: 'content', pattern: /content|file_text|^(new_)?text$/i },
  ],
  read: [{ role: 'path', pattern: /path|file/i }],
  fetch: [
    { role: 'url', pattern: /url/i },
    { role: 'prompt', pattern: /prompt|query/i },
  ],
  task: [
    { role: 'prompt', pattern: /prompt|message|task|input|query|objective/i },
    { role: 'agent', pattern: /subagent_?type|agent_?(name|type)/i },
  ],
  plan: [
    { role: 'plan', pattern: /todos|\bplan|items|tasks/i },
    { role: 'content', pattern: /subject|title/i },
  ],
};

/** The offered tool that does this, or undefined. */
export function nativeTool(tools: readonly OfferedTool[], kind: NativeKind): OfferedTool | undefined {
  for (const name of names[kind]) {
    const tool = tools.find(
      (candidate) => candidate.name === name && (candidate.namespace === undefined || kind === 'task'),
    );
    if (tool !== undefined && !tool.freeform && tool.fence === undefined) return tool;
  }
  return undefined;
}

/** A caller tool: the name itself, or a program's prefix or suffix around it. */
export function toolNamed(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.name.endsWith(name)) ??
    tools.find((tool) => tool.name.startsWith(`${name}_`))
  );
}

/** A value that satisfies a property we have no opinion about, so that the program's own validation passes. */
function filler(schema: JsonObject): Json {
  const options = list(schema.enum);
  if (options.length > 0) return options[0] ?? null;
  const type = Array.isArray(schema.type) ? string(schema.type[0]) : string(schema.type);
  switch (type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'lab';
  }
}

/**
 * A value goes in as it is, or in whatever list the schema wants: of words for a shell to be started with, of plain
 * values, or of objects whose first text property takes it.
 */
function shaped(value: string, schema: JsonObject): Json {
  if (schema.type !== 'array') return value;
  if (/argv|execvp/i.test(string(schema.description))) return ['sh', '-c', value];
  const items = object(schema.items);
  const inner = Object.entries(object(items.properties)).find(([, property]) => object(property).type === 'string');
  return items.type === 'object' && inner !== undefined ? [{ [inner[0]]: value }] : [value];
}

/** Arguments for a native tool: our values by role, fillers for whatever else is required. */
export function nativeCall(tool: OfferedTool, kind: NativeKind, values: Record<string, string>): Call {
  const properties = object(tool.schema?.properties);
  const args: JsonObject = {};
  for (const { role, pattern } of roles[kind]) {
    const value = values[role];
    const free = Object.keys(properties).filter((candidate) => args[candidate] === undefined);
    const name =
      free.find((candidate) => candidate.toLowerCase() === role || candidate === 'task') ??
      free.find((candidate) => pattern.test(candidate));
    if (name === undefined || value === undefined) continue;
    const schema = object(properties[name]);
    if (role === 'plan') args[name] = planIn(value, schema);
    else args[name] = role === 'agent' ? agentIn(value, schema) : shaped(value, schema);
  }
  if (kind === 'task' || kind === 'shell') waitForIt(properties, args);
  return withRequired({ tool, args });
}

/** Some programs add properties of their own to the tools of a server and refuse a call without them (openhands). */
export function withRequired({ tool, args }: Call): Call {
  const properties = object(tool.schema?.properties);
  const missing = list(tool.schema?.required)
    .map(string)
    .filter((name) => args[name] === undefined);
  const added = Object.fromEntries(
    missing.map((name) => [name, name === 'cwd' ? '.' : filler(object(properties[name]))]),
  );
  return { tool, args: { ...args, ...added } };
}

/** The helper by the name that the program gives it, where its schema tells names. */
function agentIn(value: string, schema: JsonObject): string {
  const names = list(schema.enum).map(string);
  if (names.includes(value)) return value;
  const told = /Available: ([\w-]+)/.exec(string(schema.description))?.[1];
  return names.find((name) => name.startsWith('general')) ?? names[0] ?? told ?? value;
}

/** Several programs let a helper or a command work on in the background, unless they are told to wait. */
function waitForIt(properties: JsonObject, args: JsonObject): void {
  for (const name of ['await', 'wait']) if (object(properties[name]).type === 'boolean') args[name] = true;
  if (properties.max_wait_seconds !== undefined) args.max_wait_seconds = 60;
  if (object(properties.run_in_background).default === true) args.run_in_background = false;
}

/** A plan as a list of objects, or as lines of text: `1. [in_progress] step`. */
function planIn(value: string, schema: JsonObject): Json {
  if (schema.type === 'array') return planEntries(value, schema);
  const wanted = ['completed', 'in_progress', 'pending'];
  const lines = value.split(',').map((step, n) => `${n + 1}. [${wanted[n] ?? 'pending'}] ${step.trim()}`);
  return lines.join('\n');
}

/** The three steps of a plan, in whatever words the program uses for them. */
function planEntries(steps: string, schema: JsonObject): Json {
  const item = object(schema.items);
  const properties = object(item.properties);
  const wanted = ['completed', 'in_progress', 'pending'];
  return steps.split(',').map((step, n) => {
    const entry: JsonObject = {};
    for (const [name, raw] of Object.entries(properties)) {
      const options = list(object(raw).enum).map(string);
      if (/content|step|description|title|task|text|activeform/i.test(name)) entry[name] = step.trim();
      else if (/status|state/i.test(name)) entry[name] = wanted[n] ?? 'pending';
      else if (/^id$/i.test(name)) entry[name] = String(n + 1);
      else if (/priority/i.test(name)) entry[name] = 'medium';
      else if (options.length > 0) entry[name] = options[0] ?? '';
    }
    return entry;
  });
}
