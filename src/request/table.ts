/**
 * Every option of a turn, once: its name, type, default, limit and how it is called. Each entrance (flags, options of
 * the library, JSON, arguments of MCP tools) reads requests from this table. CONTRIBUTING says how to add one.
 */

import { LIMITS } from '../contract/limits.js';
import {
  ACCESS_MODES,
  CONFINES,
  EFFORTS,
  ISOLATIONS,
  SANDBOX_FALLBACKS,
  SANDBOX_MODES,
  SETTINGS_SOURCES,
} from '../contract/vocabulary.js';
import { env } from './env.js';
import { jsonFile, textFile } from './in-file.js';
import { asked, count, csv, duration, filled, money, object, paths, someOf, toggle, word } from './kinds.js';
import { serversFile } from './mcp-servers.js';
import { named, orgName } from './names.js';
import { policy } from './policy.js';
import { remote } from './remote.js';
import type { Entrance, OptionName, Row } from './row.js';
import { outputSchema } from './schema.js';
import { toolList, toolNames } from './tools.js';
import { OUTPUT_FORMATS, type TurnValues } from './values.js';

export type { Entrance, Given, OptionName, Row } from './row.js';

type Table = { readonly [Name in OptionName]: Row<TurnValues[Name]> };

const FLAG: readonly Entrance[] = ['flag'];
const HOST: readonly Entrance[] = ['flag', 'option'];
/** In the order of help. */
export const OPTIONS = {
  runtime: {
    kind: filled,
    char: 'r',
    value: 'ID',
    setting: true,
    summary: 'the runtime that answers: an id from `turnout agent scan`, auto, or several in order: claude,codex',
  },
  prompt: { kind: filled, char: 'p', value: 'TEXT', anyText: true, limit: LIMITS.promptFile, summary: 'the prompt' },
  promptFile: { kind: filled, entrances: FLAG, value: 'PATH', summary: 'read the prompt from a file, - for stdin' },
  promptFrame: { kind: toggle, entrances: FLAG, summary: 'the first frame on stdin is the prompt, with its pictures' },
  system: {
    kind: filled,
    flag: 'system-file',
    value: 'PATH',
    file: textFile,
    limit: LIMITS.promptFile,
    summary: 'instructions added to the runtime’s own system prompt',
    mcp: "instructions added to the runtime's own",
  },
  model: {
    kind: named('model'),
    char: 'm',
    value: 'ID',
    setting: true,
    summary: 'passed on to the runtime as it is',
    mcp: "id of a model, as the runtime calls it (the runtime's own)",
  },
  effort: { kind: word(EFFORTS), value: 'LEVEL', summary: 'how hard the model thinks', mcp: 'how much it thinks' },
  cwd: { kind: filled, value: 'DIR', default: '.', summary: 'the folder the runtime works in' },
  resume: { kind: named('session'), value: 'SESSION', summary: 'continue a session' },
  maxTurns: {
    kind: count,
    value: 'N',
    summary: 'end the turn at the first tool call past N rounds',
    mcp: 'most rounds of tool calls',
  },
  timeoutMs: {
    kind: duration,
    value: 'DURATION',
    default: 0,
    setting: true,
    summary: 'limit for the whole turn: 250ms, 90s, 10m, 1h; 0 is none',
    mcp: 'end it after that long: "90s", "10m" or seconds (no limit)',
  },
  idleTimeoutMs: {
    kind: duration,
    value: 'DURATION',
    default: 0,
    summary: 'limit for silence while nothing is being waited for',
    mcp: 'end it after so long without a sign of life (no limit)',
  },
  startupTimeoutMs: {
    kind: duration,
    value: 'DURATION',
    summary: 'limit for each phase before the prompt is taken: 30s, or what the runtime needs; 0 is none',
  },
  waitForQuotaMs: {
    kind: duration,
    entrances: HOST,
    value: 'DURATION',
    summary: 'begin again when a used-up quota is back, if that takes no longer',
  },
  budgetUsd: {
    kind: money,
    value: 'USD',
    summary: 'end the turn once it has cost more',
    mcp: 'end it when it has cost that much',
  },
  budgetTokens: {
    kind: count,
    value: 'N',
    summary: 'end the turn once it has used more tokens of both directions, subagents included',
    mcp: 'end it when it has used that many tokens',
  },
  maxToolCalls: {
    kind: count,
    value: 'N',
    summary: 'end the turn at the first tool call past N, native and yours, subagents included',
    mcp: 'most tool calls',
  },
  requireMcp: { kind: csv, value: 'CSV', summary: 'MCP servers that must be ready before the prompt is sent, or all' },
  access: {
    kind: word(ACCESS_MODES),
    value: 'LEVEL',
    default: 'scoped',
    setting: true,
    summary: 'what the runtime may do with its own tools',
  },
  confine: { kind: word(CONFINES), entrances: HOST, value: 'BY', summary: 'who keeps the mode: auto, os or none' },
  policy: {
    kind: policy,
    value: 'PATH',
    file: jsonFile(policy),
    limit: LIMITS.toolsFile,
    summary: 'permission rules over what native tools do, the same for every runtime',
  },
  broker: { kind: toggle, summary: 'hold the API key back: the runtime gets a token that counts for this turn' },
  allowRoot: { kind: toggle, summary: 'let --access full run as root' },
  isolate: {
    kind: word(ISOLATIONS),
    value: 'HOW',
    default: 'none',
    summary: 'work in a private copy of the repository (clone, worktree); the change comes back as a patch',
    mcp: 'clone: work in a private copy and give the change back as a patch (none)',
  },
  workspace: {
    kind: remote,
    value: 'URL[#REF]',
    summary: 'work in a fresh copy of a git repository that need not be here; the change comes back as a patch',
  },
  sandbox: { kind: word(SANDBOX_MODES), value: 'MODE', summary: 'the runtime’s own confinement' },
  sandboxFallback: {
    kind: word(SANDBOX_FALLBACKS),
    value: 'POLICY',
    default: 'fail',
    summary: 'what happens where the runtime lacks that mode',
  },
  allowBashPrefix: {
    kind: csv,
    value: 'CSV',
    anyText: true,
    default: [],
    summary: 'shell commands that may run, by how they begin',
  },
  approvals: {
    kind: asked('deny'),
    entrances: ['flag', 'json'],
    value: 'WHO',
    default: 'deny',
    summary: 'who answers permission questions: nobody, or you by frames on stdin',
    mcp: 'what happens when it asks for permission: ask the person, or deny',
  },
  questions: {
    kind: asked('decline'),
    entrances: ['flag', 'json'],
    value: 'WHO',
    default: 'decline',
    summary: 'who answers the agent’s own questions: nobody, or you by frames on stdin',
    mcp: 'what happens when the agent asks a question of its own: ask the person, or decline',
  },
  callerTools: {
    kind: word(['none', 'stdio']),
    entrances: FLAG,
    flag: 'tools',
    value: 'WHERE',
    default: 'none',
    summary: 'stdio: you run the tools you declare, by frames on stdin',
  },
  tools: {
    kind: toolList,
    entrances: ['flag', 'json'],
    flag: 'tools-file',
    value: 'PATH',
    file: jsonFile(toolList),
    limit: LIMITS.toolsFile,
    summary: 'your tools: [{"name","description","schema"}]',
  },
  toolNames: { kind: toolNames, entrances: FLAG, value: 'CSV', summary: 'your tools by name alone' },
  toolTimeoutMs: {
    kind: duration,
    value: 'DURATION',
    default: 120_000,
    summary: 'limit for each call of your tools',
  },
  settings: {
    kind: someOf(SETTINGS_SOURCES),
    value: 'CSV',
    default: [],
    summary: 'how much of the user’s configuration is loaded: none, or some of user,project,local',
  },
  mcpServers: {
    kind: object,
    flag: 'mcp-config',
    value: 'PATH',
    file: serversFile,
    limit: LIMITS.toolsFile,
    summary: 'more MCP servers for this turn: {"mcpServers":{…}}',
  },
  outputSchema: {
    kind: outputSchema,
    value: 'PATH',
    file: jsonFile(outputSchema),
    limit: LIMITS.schemaFile,
    summary: 'a JSON Schema that the answer must fit; it is checked and repaired once',
    mcp: 'JSON Schema of the answer, which is then also given parsed',
  },
  images: {
    kind: paths,
    flag: 'image',
    value: 'PATH',
    many: true,
    summary: 'a picture beside the prompt, where the runtime takes one; repeatable',
  },
  files: { kind: paths, flag: 'file', value: 'PATH', many: true, summary: 'a text file behind the prompt; repeatable' },
  env: {
    kind: env,
    value: 'KEY=VALUE',
    many: true,
    anyText: true,
    default: {},
    summary: 'a variable for the runtime; repeatable',
  },
  envFile: {
    kind: filled,
    entrances: FLAG,
    value: 'PATH',
    limit: LIMITS.toolsFile,
    summary: 'KEY=VALUE lines for the runtime’s environment',
  },
  record: {
    kind: filled,
    entrances: HOST,
    value: 'PATH',
    summary: 'append everything that passes through this turn to a recording, for agent replay',
  },
  speed: {
    kind: word(['original', 'max']),
    entrances: HOST,
    value: 'HOW',
    default: 'original',
    summary: 'how fast --runtime replay:FILE plays a recording',
  },
  org: { kind: orgName, entrances: FLAG, value: 'NAME', summary: 'the org of the project that the turn belongs to' },
  role: { kind: orgName, entrances: FLAG, value: 'ROLE', summary: 'who speaks in the org (the runtime)' },
  runners: {
    kind: paths,
    entrances: FLAG,
    flag: 'runner',
    value: 'PATH',
    many: true,
    default: [],
    summary: 'a module that exports a runner of your own; repeatable',
  },
  protocol: { kind: word(['1']), entrances: FLAG, value: 'N', default: '1', summary: 'pins the version of the stream' },
  format: {
    kind: word(OUTPUT_FORMATS),
    entrances: FLAG,
    value: 'FORM',
    default: 'ndjson',
    summary: 'events as they come, the output of the result as text, or one JSON object at the end',
  },
  keep: { kind: toggle, entrances: FLAG, summary: 'keep this turn for `turnout history`, as run and chat do' },
  verboseNative: { kind: toggle, entrances: FLAG, summary: 'copy what the runtime prints to stderr' },
  json: { kind: toggle, entrances: FLAG, summary: 'accepted for old callers; the output is NDJSON anyway' },
  claudePath: { kind: filled, entrances: FLAG, value: 'PATH', summary: 'same as the variable CLAUDE_CLI_BIN' },
} satisfies Table;

/** The same, for what goes through all rows. */
export const TABLE: Table = OPTIONS;

export const OPTION_NAMES = Object.keys(TABLE).filter((name): name is OptionName => name in TABLE);

/** @returns whether an option can be given there */
export const takes = (name: OptionName, at: Entrance): boolean => TABLE[name].entrances?.includes(at) ?? true;
