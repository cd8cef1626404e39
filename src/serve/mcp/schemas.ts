/** JSON Schemas of arguments and results. Hand-written, so that models read sentences and programs read types. */

import { CHOICES, type JsonObject } from '../../contract/vocabulary.js';
import { keyName } from '../../request/spelling.js';
import { OPTION_NAMES, TABLE } from '../../request/table.js';
import { RUN_STATUSES } from '../../runs/records.js';
import { allowedModes, defaultMode, type McpSettings } from './settings.js';

export interface ObjectSchema {
  [key: string]: unknown;
  type: 'object';
}

const string = (description: string): JsonObject => ({ type: 'string', description });
/** One type a branch: some clients map schemas onto dialects without lists of types. */
const maybe = (type: string, description?: string): JsonObject => ({
  anyOf: [{ type }, { type: 'null' }],
  ...(description === undefined ? {} : { description }),
});

/** @param required the arguments that can't be left out */
function input(properties: JsonObject, required: string[] = []): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

/** All that a result holds is always there; unknown is null. */
function output(properties: JsonObject): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

const RUN_ID = string('id of a run, from agent_start or agent_exec');
const WAIT = { type: 'integer', minimum: 0, description: 'wait that long for news, at most 60000 (0)' };

/** The options that the table offers to other agents. */
function offered(): JsonObject {
  const rows = OPTION_NAMES.map((name) => [keyName(name), TABLE[name]] as const);
  return Object.fromEntries(
    rows.flatMap(([key, { mcp, kind }]) => (mcp === undefined ? [] : [[key, { ...kind.schema, description: mcp }]])),
  );
}

export function execInput({ runtime, access, core }: McpSettings): ObjectSchema {
  return input(
    {
      prompt: string('what the agent is to do; it knows nothing of this conversation'),
      runtime: string(`which agent: an id from agent_scan (${runtime})`),
      cwd: string(`folder it works in, absolute or from ${core.cwd} (there)`),
      access: {
        type: 'string',
        enum: allowedModes(access),
        description:
          `what it may do with its own tools (${defaultMode(access)}). read: nothing is changed. scoped: reading, and what ` +
          'the person allows. edit: also writing in cwd. full: everything',
      },
      session_id: string('continue this session; its runtime and folder hold unless given'),
      ...offered(),
    },
    ['prompt'],
  );
}

export const RUN_INPUT = {
  get: input({ run_id: RUN_ID, wait_ms: { ...WAIT, description: 'wait that long for the end, at most 60000 (0)' } }, [
    'run_id',
  ]),
  events: input(
    {
      run_id: RUN_ID,
      after_seq: { type: 'integer', minimum: 0, description: 'only what comes after this number (0)' },
      wait_ms: WAIT,
      limit: { type: 'integer', minimum: 1, description: 'at most 500 (100)' },
    },
    ['run_id'],
  ),
  steer: input({ run_id: RUN_ID, text: string('guidance for the agent while it works') }, ['run_id', 'text']),
  approve: input(
    {
      run_id: RUN_ID,
      choice: { type: 'string', enum: [...CHOICES] },
      request_id: string('which question (the oldest)'),
      message: string('told to the agent'),
    },
    ['run_id', 'choice'],
  ),
  stop: input({ run_id: RUN_ID }, ['run_id']),
};

const RUN_FIELDS: JsonObject = {
  run_id: string('for agent_get and the others'),
  session_id: string('to continue with'),
  native_session_id: maybe('string', "the runtime's own id"),
  runtime: { type: 'string' },
  model: maybe('string'),
  cwd: { type: 'string' },
  access: { type: 'string' },
  status: { type: 'string', enum: [...RUN_STATUSES] },
  text: maybe('string', 'the answer; of a run that failed, what it had said'),
  stop_reason: maybe('string'),
  exit_code: maybe('integer'),
  usage: output({
    input_tokens: maybe('integer'),
    output_tokens: maybe('integer'),
    cached_tokens: maybe('integer'),
    cost_usd: maybe('number'),
  }) as JsonObject,
  error: {
    anyOf: [
      {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' } },
        required: ['code', 'message'],
      },
      { type: 'null' },
    ],
  },
  started_at: maybe('string'),
  ended_at: maybe('string'),
  last_seq: { type: 'integer' },
};

const ANY = {
  anyOf: ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({ type })),
  description: 'the parsed answer, with output_schema',
};
const LIST_OF_OBJECTS = { type: 'array', items: { type: 'object' } };

export const RUN_OUTPUT = {
  exec: output({
    ...RUN_FIELDS,
    structured: ANY,
    notices: { type: 'array', items: { type: 'string' } },
  }),
  start: output({ run_id: { type: 'string' }, session_id: { type: 'string' }, status: { type: 'string' } }),
  get: output({ ...RUN_FIELDS, pending_steer: maybe('string'), questions: LIST_OF_OBJECTS }),
  events: output({
    run_id: { type: 'string' },
    status: { type: 'string' },
    events: {
      type: 'array',
      items: {
        type: 'object',
        properties: { seq: { type: 'integer' }, event: { type: 'object' } },
        required: ['seq', 'event'],
      },
    },
    next_seq: { type: 'integer', description: 'after_seq of the next call' },
    missing: { type: 'integer', description: 'events that are no longer kept' },
    over: { type: 'boolean', description: 'nothing will follow' },
  }),
  steer: output({ run_id: { type: 'string' }, steer_id: { type: 'string' }, accepted: { type: 'boolean' } }),
  approve: output({
    run_id: { type: 'string' },
    request_id: { type: 'string' },
    choice: { type: 'string', enum: [...CHOICES] },
    status: { type: 'string' },
  }),
  stop: output({ run_id: { type: 'string' }, status: { type: 'string' }, stopped: { type: 'boolean' } }),
};

export const LOOK_INPUT = {
  scan: input({ all: { type: 'boolean', description: 'also what is not installed, and the built-in demo (false)' } }),
  models: input({
    runtime: string('whose models'),
    cwd: string('folder, where it matters to the runtime'),
  }),
  sessions: input({
    runtime: string('also list what this runtime itself keeps'),
    cwd: string('only of this folder'),
    limit: { type: 'integer', minimum: 1, description: 'at most (50)' },
  }),
};

export const LOOK_OUTPUT = {
  scan: output({
    agents: LIST_OF_OBJECTS,
    default_runtime: { type: 'string' },
    highest_access: { type: 'string' },
    may_start: { type: 'boolean', description: 'whether the depth limit lets another agent be started' },
  }),
  models: output({ runtime: { type: 'string' }, supported: { type: 'boolean' }, models: LIST_OF_OBJECTS }),
  sessions: output({ sessions: LIST_OF_OBJECTS }),
};
