/** What a native tool does and how its input is called, the same for every runtime (names as in Claude Code 2.1). */

import type { Json, JsonObject, ToolKind } from '../contract/vocabulary.js';
import { isObject } from './json.js';

const KINDS: Readonly<Record<string, ToolKind>> = {
  bash: 'shell',
  exec_command: 'shell',
  command_execution: 'shell',
  commandexecution: 'shell',
  run_shell_command: 'shell',
  shell: 'shell',
  execute: 'shell',
  run_command: 'shell',
  'launch-process': 'shell',
  execute_bash: 'shell',
  terminal: 'shell',
  run_commands: 'shell',
  execute_command: 'shell',
  powershell: 'shell',
  bashoutput: 'shell',
  killshell: 'shell',
  local_shell: 'shell',
  edit: 'edit',
  multiedit: 'edit',
  notebookedit: 'edit',
  replace: 'edit',
  str_replace: 'edit',
  'str-replace-editor': 'edit',
  edit_file: 'edit',
  editor: 'edit',
  string_replace: 'edit',
  multi_edit: 'edit',
  str_replace_editor: 'edit',
  write: 'write',
  write_file: 'write',
  create: 'write',
  create_file: 'write',
  'save-file': 'write',
  write_to_file: 'write',
  read: 'read',
  read_file: 'read',
  view: 'read',
  cat: 'read',
  read_many_files: 'read',
  notebookread: 'read',
  view_file: 'read',
  read_files: 'read',
  glob: 'search',
  grep: 'search',
  search: 'search',
  ls: 'search',
  list: 'search',
  find: 'search',
  list_directory: 'search',
  search_file_content: 'search',
  grep_search: 'search',
  search_codebase: 'search',
  codebase_search: 'search',
  list_files: 'search',
  find_files: 'search',
  webfetch: 'web',
  websearch: 'web',
  web_fetch: 'web',
  web_search: 'web',
  google_web_search: 'web',
  fetch: 'web',
  websearchtool: 'web',
  fetch_url: 'web',
  mcp_tool_call: 'mcp',
  mcptoolcall: 'mcp',
  task: 'task',
  agent: 'task',
  spawn_subagent: 'task',
  invoke_subagent: 'task',
  invoke_agent: 'task',
  delegate_to_agent: 'task',
  browser_subagent: 'task',
  spawn_agent: 'task',
  subagent: 'task',
  todowrite: 'todo',
  todo_write: 'todo',
  write_todos: 'todo',
  update_plan: 'todo',
  todo: 'todo',
  todoread: 'todo',
  update_todo: 'todo',
  apply_patch: 'patch',
  file_change: 'patch',
  filechange: 'patch',
  patch: 'patch',
};

/** Kind of a native tool by its name; names with an MCP prefix are `mcp`, unknown ones `other`. */
export function kindOf(name: string): ToolKind {
  if (name.startsWith('mcp__')) return 'mcp';
  return KINDS[name.toLowerCase()] ?? 'other';
}

/** ACP's own tool kinds (protocol version 1). */
export function kindOfAcp(kind: string | undefined): ToolKind {
  switch (kind) {
    case 'execute':
      return 'shell';
    case 'edit':
      return 'edit';
    case 'delete':
    case 'move':
      return 'edit';
    case 'read':
      return 'read';
    case 'search':
      return 'search';
    case 'fetch':
      return 'web';
    default:
      return 'other';
  }
}

/** Native names of a canonical key, first match wins. */
const NAMES: Partial<Record<ToolKind, Record<string, readonly string[]>>> = {
  shell: {
    command: ['command', 'cmd', 'script'],
    description: ['description'],
    cwd: ['cwd', 'workdir', 'dir_path', 'directory'],
  },
  edit: {
    file_path: ['file_path', 'filePath', 'path', 'file', 'notebook_path'],
    old_string: ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'],
    new_string: ['new_string', 'newString', 'new_str', 'newText', 'new_text'],
  },
  write: {
    file_path: ['file_path', 'filePath', 'path', 'file'],
    content: ['content', 'file_text', 'contents', 'text'],
  },
  read: { file_path: ['file_path', 'filePath', 'path', 'file', 'absolute_path'] },
  search: { pattern: ['pattern', 'query', 'regex'], path: ['path', 'dir_path', 'directory'] },
  web: { url: ['url', 'uri'], query: ['query', 'q', 'prompt'] },
};

/** Renames native keys to canonical ones; what has no canonical name stays as it is. */
export function canonicalInput(kind: ToolKind, native: Json | undefined): JsonObject | null {
  if (!isObject(native)) return null;
  const table = NAMES[kind];
  if (!table) return native;
  const out: JsonObject = {};
  const used = new Set<string>();
  for (const [canonical, names] of Object.entries(table)) {
    const found = names.find((name) => native[name] !== undefined && native[name] !== null);
    if (found === undefined) continue;
    const value = native[found] as Json;
    out[canonical] = kind === 'shell' && canonical === 'command' && Array.isArray(value) ? value.join(' ') : value;
    used.add(found);
  }
  for (const [key, value] of Object.entries(native)) if (!used.has(key) && !(key in out)) out[key] = value;
  return out;
}
