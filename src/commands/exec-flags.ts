/** The flags of `turnout agent exec`: one table for the parser and for help. */

import { ACCESS_MODES, EFFORTS, SANDBOX_FALLBACKS, SANDBOX_MODES } from '../contract/vocabulary.js';
import type { FlagSpec } from './argv.js';

export const EXEC_FLAGS = {
  runtime: { value: 'ID', char: 'r', summary: 'the runtime that answers: an id from `turnout agent scan`, or auto' },
  prompt: { value: 'TEXT', char: 'p', anyText: true, summary: 'the prompt' },
  'prompt-file': { value: 'PATH', summary: 'read the prompt from a file, - for stdin' },
  'system-file': { value: 'PATH', summary: 'instructions added to the runtime’s own system prompt' },
  model: { value: 'ID', char: 'm', summary: 'passed on to the runtime as it is' },
  effort: { value: 'LEVEL', options: EFFORTS, summary: 'how hard the model thinks' },
  cwd: { value: 'DIR', default: '.', summary: 'the folder the runtime works in' },
  resume: { value: 'SESSION', summary: 'continue a session' },
  'max-turns': { value: 'N', summary: 'end the turn at the first tool call past N rounds' },
  timeout: { value: 'DURATION', default: '0', summary: 'limit for the whole turn: 250ms, 90s, 10m, 1h; 0 is none' },
  'idle-timeout': { value: 'DURATION', default: '0', summary: 'limit for silence while nothing is being waited for' },
  'startup-timeout': {
    value: 'DURATION',
    default: '30s',
    summary: 'limit for loading --mcp-config servers or --settings',
  },
  'budget-usd': { value: 'USD', summary: 'end the turn once it has cost more' },
  access: {
    value: 'LEVEL',
    options: ACCESS_MODES,
    default: 'scoped',
    summary: 'what the runtime may do with its own tools',
  },
  'allow-root': { summary: 'let --access full run as root' },
  sandbox: { value: 'MODE', options: SANDBOX_MODES, summary: 'the runtime’s own confinement' },
  'sandbox-fallback': {
    value: 'POLICY',
    options: SANDBOX_FALLBACKS,
    default: 'fail',
    summary: 'what happens where the runtime lacks that mode',
  },
  'allow-bash-prefix': { value: 'CSV', anyText: true, summary: 'shell commands that may run, by how they begin' },
  approvals: {
    value: 'WHO',
    options: ['deny', 'stdio'],
    default: 'deny',
    summary: 'who answers permission questions: nobody, or you by frames on stdin',
  },
  tools: {
    value: 'WHERE',
    options: ['none', 'stdio'],
    default: 'none',
    summary: 'stdio: you run the tools you declare, by frames on stdin',
  },
  'tools-file': { value: 'PATH', summary: 'your tools: [{"name","description","schema"}]' },
  'tool-names': { value: 'CSV', summary: 'your tools by name alone' },
  'tool-timeout': { value: 'DURATION', default: '120s', summary: 'limit for each call of your tools' },
  settings: {
    value: 'CSV',
    default: 'none',
    summary: 'how much of the user’s configuration is loaded: none, or some of user,project,local',
  },
  'mcp-config': { value: 'PATH', summary: 'more MCP servers for this turn: {"mcpServers":{…}}' },
  'output-schema': {
    value: 'PATH',
    summary: 'a JSON Schema that the answer must fit; it is checked and repaired once',
  },
  image: { value: 'PATH', many: true, summary: 'a picture beside the prompt, where the runtime takes one; repeatable' },
  file: { value: 'PATH', many: true, summary: 'a text file behind the prompt; repeatable' },
  env: { value: 'KEY=VALUE', many: true, anyText: true, summary: 'a variable for the runtime; repeatable' },
  'env-file': { value: 'PATH', summary: 'KEY=VALUE lines for the runtime’s environment' },
  record: {
    value: 'PATH',
    summary: 'append everything that passes through this turn to a recording, for agent replay',
  },
  speed: {
    value: 'HOW',
    options: ['original', 'max'],
    default: 'original',
    summary: 'how fast --runtime replay:FILE plays a recording',
  },
  runner: { value: 'PATH', many: true, summary: 'a module that exports a runner of your own; repeatable' },
  protocol: { value: 'N', options: ['1'], default: '1', summary: 'pins the version of the event stream' },
  format: {
    value: 'FORM',
    options: ['ndjson', 'text'],
    default: 'ndjson',
    summary: 'events for programs, or text for people',
  },
  'verbose-native': { summary: 'copy what the runtime prints to stderr' },
  json: { summary: 'accepted for old callers; the output is NDJSON anyway' },
  'claude-path': { value: 'PATH', summary: 'same as the variable CLAUDE_CLI_BIN' },
} as const satisfies Record<string, FlagSpec>;

export type ExecFlag = keyof typeof EXEC_FLAGS;
