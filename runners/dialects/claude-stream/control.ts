/** Requests in both directions: ours (hello, interrupt) and the program's (permission, hooks, messages for our MCP server). */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action, Heard } from '../../../src/runner/action.js';
import { arr, bool, isObject, obj, str } from '../../../src/text/json.js';
import { inputFor, isCallers, isOf, kindFor } from './names.js';
import type { StreamContext } from './options.js';
import { ASK_TOOL, personQuestions } from './questions.js';
import type { Tools } from './tools.js';

type Decision = Extract<Heard, { type: 'decision' }>;
type Told = Extract<Heard, { type: 'answers' }>;
type McpHeard = Extract<Heard, { type: 'mcp' }>;

export interface Control {
  hello(): Action;
  interrupt(): Action;
  /** Whether the program waits for our answer. */
  owes(): boolean;
  /** Whether a response answers our hello; the text of the refusal when it was refused. */
  greeted(line: JsonObject): { refused: string | null } | null;
  request(line: JsonObject): Action[];
  /** The program no longer waits for an answer. */
  cancelled(line: JsonObject): Action[];
  decided(heard: Decision): Action[];
  /** The person's answers to what the program asked. */
  told(heard: Told): Action[];
  answered(heard: McpHeard): Action[];
}

const HELLO = 'turnout-hello';
const INTERRUPT = 'turnout-interrupt';
/** The prompt may still wait: what is not begun is not to begin either (claude 2.1.332). */
const CANCEL_QUEUED = { cancel_queued: true };

/** Name under which a runner asks to see every tool call before the program's own rules do. */
export const GUARD = 'turnout-guard';
/** Tools that change nothing outside the program; the others are asked about when a guard is set. */
const HARMLESS =
  /^(Read|Grep|Glob|LS|NotebookRead|Task|Agent|Task(Create|Update|List|Get)|TodoWrite|StructuredOutput)$/;

const write = (frame: JsonObject): Action => ({ do: 'write', line: JSON.stringify(frame) });
const respond = (id: string, response: JsonObject): Action =>
  write({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
const refuse = (id: string, error: string): Action =>
  write({ type: 'control_response', response: { subtype: 'error', request_id: id, error } });

export function control(context: StreamContext, tools: Tools): Control {
  const { turn, program } = context;
  const questions = new Map<string, { input: JsonObject; toolUseId: string | undefined }>();
  const person = personQuestions(respond);
  const messages = new Map<string, { requestId: string; method: string }>();

  /** Caller tools and the caller's servers run at every mode. */
  const isFree = (name: string, server: string | undefined) =>
    isCallers(context, name) || turn.trusted.some((one) => one === server || isOf(one, name));

  const permission = (requestId: string, request: JsonObject): Action[] => {
    const name = str(request, 'tool_name') ?? '';
    const input = obj(request, 'input') ?? {};
    const allow = respond(requestId, { behavior: 'allow', updatedInput: input });
    if (isFree(name, str(request, 'mcp_server', 'name'))) return [allow];
    const toolUseId = str(request, 'tool_use_id');
    if (name === ASK_TOOL && turn.questions) {
      const started = toolUseId === undefined ? [] : tools.asked(toolUseId, name, input);
      return [...started, ...person.tool(requestId, input, toolUseId)];
    }
    if (bool(request, 'requires_user_interaction')) {
      const message = 'No one can answer questions during this run. Decide by yourself.';
      return [respond(requestId, { behavior: 'deny', message })];
    }
    if (turn.allowAll) return [allow];
    const started = toolUseId === undefined ? [] : tools.asked(toolUseId, name, input);
    questions.set(requestId, { input, toolUseId });
    const kind = kindFor(program, name);
    const question = {
      ...(toolUseId === undefined ? {} : { toolUseId }),
      name,
      kind,
      input: inputFor(kind, name, input),
    };
    return [...started, { do: 'ask', key: requestId, question }];
  };

  const hook = (requestId: string, request: JsonObject): Action[] => {
    const name = str(request, 'input', 'tool_name') ?? '';
    const guarded = str(request, 'callback_id') === GUARD && !HARMLESS.test(name) && !isFree(name, undefined);
    if (!guarded) return [respond(requestId, { continue: true })];
    const ask = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'asked for by the host',
    };
    return [respond(requestId, { continue: true, hookSpecificOutput: ask })];
  };

  const mcp = (requestId: string, request: JsonObject): Action[] => {
    const channel = str(request, 'server_name') ?? '';
    const message = obj(request, 'message');
    if (!turn.serverInPipe || turn.server !== channel || message === undefined)
      return [refuse(requestId, `no MCP server ${channel} here`)];
    const forward: Action = { do: 'mcp', channel, message };
    const id = message['id'];
    if (typeof id !== 'number' && typeof id !== 'string') {
      // A notification wants an answer too (claude 2.1.332).
      return [respond(requestId, { mcp_response: { jsonrpc: '2.0', id: 0, result: {} } }), forward];
    }
    messages.set(`${typeof id} ${id}`, { requestId, method: str(message, 'method') ?? '' });
    return [forward];
  };

  const offered = (result: Json | undefined): JsonObject => {
    const offer = program.offer ?? ((tool) => tool);
    return { ...obj(result), tools: (arr(result, 'tools') ?? []).map((tool) => (isObject(tool) ? offer(tool) : tool)) };
  };

  return {
    hello: () =>
      write({
        type: 'control_request',
        request_id: HELLO,
        request: { subtype: 'initialize', hooks: null, ...turn.hello },
      }),
    interrupt: () =>
      write({
        type: 'control_request',
        // No id is used twice on one process.
        request_id: turn.uuid === undefined ? INTERRUPT : `${INTERRUPT}-${turn.uuid}`,
        request: { subtype: 'interrupt', ...(turn.uuid === undefined ? {} : CANCEL_QUEUED) },
      }),
    owes: () => questions.size + messages.size + person.open() > 0,
    greeted(line) {
      if (str(line, 'response', 'request_id') !== HELLO) return null;
      const failed = str(line, 'response', 'subtype') !== 'success';
      return { refused: failed ? (str(line, 'response', 'error') ?? 'no reason given') : null };
    },
    request(line) {
      const requestId = str(line, 'request_id');
      const request = obj(line, 'request');
      if (requestId === undefined || request === undefined) return [{ do: 'unread', text: JSON.stringify(line) }];
      switch (str(request, 'subtype')) {
        case 'can_use_tool':
          return permission(requestId, request);
        case 'hook_callback':
          return hook(requestId, request);
        case 'elicitation':
          return person.elicit(requestId, request);
        case 'mcp_message':
          return mcp(requestId, request);
        default:
          // Without an answer it would wait forever.
          return [
            refuse(requestId, `${str(request, 'subtype') ?? 'this request'} is not supported`),
            { do: 'unread', text: JSON.stringify(line) },
          ];
      }
    },
    cancelled(line) {
      const requestId = str(line, 'request_id') ?? '';
      return questions.delete(requestId) || person.cancelled(requestId) ? [{ do: 'withdraw', key: requestId }] : [];
    },
    told: ({ key, answers }) => person.answered(key, answers),
    decided({ key, choice, message }) {
      const question = questions.get(key);
      if (question === undefined) return [];
      questions.delete(key);
      if (choice !== 'deny') return [respond(key, { behavior: 'allow', updatedInput: question.input })];
      if (question.toolUseId !== undefined) tools.refused(question.toolUseId);
      return [respond(key, { behavior: 'deny', message: message === '' ? 'Denied.' : message })];
    },
    answered({ message }) {
      const id = message['id'];
      const key = `${typeof id} ${String(id)}`;
      const waiting = messages.get(key);
      if (waiting === undefined) return [];
      messages.delete(key);
      const isList = waiting.method === 'tools/list' && message['result'] !== undefined;
      const sent = isList ? { ...message, result: offered(message['result']) } : message;
      return [respond(waiting.requestId, { mcp_response: sent })];
    },
  };
}
