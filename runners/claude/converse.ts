/** Claude Code's turn in its own dialect. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Conversation } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { num, obj, str } from '../../src/text/json.js';
import { claudeStream, type StreamProgram } from '../dialects/claude-stream/index.js';
import { isAtLeast } from '../dialects/version.js';
import { guardHooks } from './access.js';
import { failure, lastWords } from './errors.js';
import { hasTools, SERVER } from './invoke.js';

/** "Exit code 2\nls: cannot access …": only a failed command reports its code (2.1.332); a good one leaves a record. */
function exitCode(result: { text: string; failed: boolean; detail: JsonObject | undefined }): number | undefined {
  const told = result.failed ? /^Exit code (\d{1,3})(?:\n|$)/.exec(result.text)?.[1] : undefined;
  if (told !== undefined) return Number(told);
  const { detail } = result;
  const ran = !result.failed && str(detail, 'stdout') !== undefined && detail?.['interrupted'] === false;
  // A code that the program does not count as a failure ("no matches found") appears in words alone.
  const odd = str(detail, 'returnCodeInterpretation') ?? str(detail, 'backgroundTaskId') ?? num(detail, 'exitCode');
  return ran && odd === undefined ? 0 : undefined;
}

/** Offered at once instead of behind a search, and called side by side like tools that only read. */
function offer(tool: JsonObject): JsonObject {
  return {
    ...tool,
    annotations: { ...obj(tool, 'annotations'), readOnlyHint: true },
    _meta: { ...obj(tool, '_meta'), 'anthropic/alwaysLoad': true },
  };
}

const program: StreamProgram = {
  title: 'Claude Code',
  kinds: { TaskCreate: 'todo', TaskUpdate: 'todo', TaskList: 'todo', TaskGet: 'todo' },
  outputTool: 'StructuredOutput',
  echoes: true,
  usage: 'result',
  offer,
  exitCode,
  failure,
  lastWords,
};

/** The first version seen that ties its results to prompts (`user_message_uuids`). */
const TIES = [2, 1, 332];

/** The schema becomes the input of a tool, and the model service takes an object without alternatives there. */
function nativeSchema({ outputSchema }: TurnRequest): JsonObject | null {
  if (outputSchema === null || outputSchema['type'] !== 'object') return null;
  return ['anyOf', 'oneOf', 'allOf'].some((key) => key in outputSchema) ? null : outputSchema;
}

/** What can't be a tool is asked for in words. */
function promptOf(request: TurnRequest): string {
  const { prompt, outputSchema } = request;
  if (outputSchema === null || nativeSchema(request) !== null) return prompt;
  const schema = JSON.stringify(outputSchema);
  return `${prompt}\n\nYour last message must be one JSON value without any words or fence around it. Its JSON Schema:\n${schema}`;
}

function hello(request: TurnRequest): JsonObject {
  const hooks = guardHooks(request);
  const jsonSchema = nativeSchema(request);
  return {
    ...(hooks === null ? {} : { hooks }),
    ...(hasTools(request) ? { sdkMcpServers: [SERVER] } : {}),
    ...(request.system === null ? {} : { appendSystemPrompt: request.system }),
    ...(jsonSchema === null ? {} : { jsonSchema }),
  };
}

export function converse(request: TurnRequest, machine: Machine, living?: JsonObject): Conversation {
  return claudeStream(program, {
    prompt: promptOf(request),
    ...(request.images ? { images: request.images } : {}),
    // Commands are part of the user's configuration.
    commands: request.settings.length > 0,
    hello: hello(request),
    server: hasTools(request) ? SERVER : null,
    serverInPipe: true,
    trusted: request.mcpServers.map(({ name }) => name),
    asksServers: request.requireMcp !== undefined,
    allowAll: request.access === 'full',
    steer: true,
    questions: request.questions === 'stdio',
    ...(isAtLeast(machine.program.version, TIES) ? { uuid: machine.ids.turn } : {}),
    ...(living === undefined ? {} : { living }),
  });
}
