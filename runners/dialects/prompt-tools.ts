/**
 * Caller tools for runtimes that can load none: their definitions stand in the prompt, calls are read from the answer,
 * results go back in the next round. A round is a process of its own, continued by the session's id, or with the whole
 * transcript again where the runtime keeps no session.
 */

import { LIMITS } from '../../src/contract/limits.js';
import type { Json } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Heard, Say } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { ToolDefinition, TurnRequest } from '../../src/runner/request.js';
import { type Invocation, isRefusal, type Refusal } from '../../src/runner/runner.js';
import { type PromptToolCall, type PromptToolsFilter, promptToolsFilter } from './prompt-tools-filter.js';

/** How a runtime is driven without tools. */
export interface PlainRunner {
  invoke(request: TurnRequest, machine: Machine): Invocation | Refusal;
  converse(request: TurnRequest, machine: Machine): Conversation;
  /** Whether a later process can continue the session of an earlier one. */
  remembers: boolean;
}

/** Rounds before a turn ends with tool_round_cap, where `--max-turns` says nothing. */
const ROUNDS = 25;

function section(tools: readonly ToolDefinition[], nonce: string): string {
  const example = JSON.stringify({ name: 'tool_name', arguments: {} });
  const list = tools.map((tool) => {
    const described = { name: tool.name, description: tool.description, parameters: tool.schema as Json };
    return JSON.stringify(described);
  });
  return [
    'You can use these tools. Each line describes one; `parameters` is the JSON Schema of its arguments.',
    ...list,
    '',
    'To call a tool, write a block of exactly this form, beginning at the start of a line and outside of any other block:',
    '',
    `\`\`\`tool_call:${nonce}`,
    example,
    '```',
    '',
    'You may write several blocks in one message. After the last one, end your message: the results come in the next ' +
      'message. Never write a result yourself, and never mention these blocks to the user.',
  ].join('\n');
}

/** The request of the first round. Also on `--resume`: the section is never trusted to be remembered. */
export function promptToolsRequest(request: TurnRequest, nonce: string): TurnRequest {
  if (request.tools.length === 0) return request;
  return {
    ...request,
    prompt: `${section(request.tools, nonce)}\n\n---\n\n${request.prompt}`,
    tools: [],
    toolsOn: false,
  };
}

interface Answered {
  call: PromptToolCall | null;
  ok: boolean;
  text: string;
}

function resultsPrompt(answers: readonly Answered[], nonce: string): string {
  const blocks = answers.map(({ call, ok, text }) => {
    const body = JSON.stringify({ name: call?.name ?? null, ok, result: text });
    return `\`\`\`tool_result:${nonce}\n${body}\n\`\`\``;
  });
  return ['Results of your tool calls:', ...blocks, 'Go on with the task.'].join('\n\n');
}

/**
 * @param inner how the runtime is driven without tools; each round is one process of it
 * @param request as the turn loop gave it, with the caller's tools
 */
export function withPromptTools(inner: PlainRunner, request: TurnRequest, machine: Machine): Conversation {
  const { nonce } = machine.ids;
  const cap = request.maxTurns ?? ROUNDS;
  const first = promptToolsRequest(request, nonce);
  let current = inner.converse(first, machine);
  let filters = new Map<string, PromptToolsFilter>();
  let order: string[] = [];
  let session: string | null = request.resume;
  let transcript = first.prompt;
  let said = '';
  let round = 1;
  let waiting: Map<string, Answered & { done: boolean }> | null = null;
  /** The next round's process was asked for and has not begun: what is heard is still the old one. */
  let moving = false;

  const show = (id: string, text: string): Action[] => {
    said += text;
    return text === '' ? [] : [{ do: 'say', event: { type: 'assistant', text, message_id: id } }];
  };
  /** The round is over: what was held back, and the calls it asked for. */
  const close = (): { visible: Action[]; calls: PromptToolCall[]; broken: string[] } => {
    const visible: Action[] = [];
    const calls: PromptToolCall[] = [];
    const broken: string[] = [];
    for (const id of order) {
      const filter = filters.get(id);
      if (!filter) continue;
      visible.push(...show(id, filter.end()));
      calls.push(...filter.calls);
      broken.push(...filter.broken);
    }
    filters = new Map();
    order = [];
    return { visible, calls, broken };
  };
  const nextRound = (): Action[] => {
    if (!waiting || [...waiting.values()].some((one) => !one.done)) return [];
    const results = resultsPrompt([...waiting.values()], nonce);
    waiting = null;
    round++;
    const remembers = inner.remembers && session !== null;
    transcript += `\n\n[Your answer so far]\n${said}\n\n${results}`;
    said = '';
    const next: TurnRequest = {
      ...request,
      prompt: remembers ? results : transcript,
      resume: remembers ? session : null,
      tools: [],
      toolsOn: false,
    };
    // A program that repeats its prompt doubles the transcript with each round.
    if (next.prompt.length > LIMITS.promptFile) {
      const message = 'the tool results, with all that was said before, are longer than a prompt may be (16 MiB)';
      return [{ do: 'finish', outcome: { ok: false, code: 'runner-error', message } }];
    }
    current = inner.converse(next, machine);
    const invocation = inner.invoke(next, machine);
    if (isRefusal(invocation)) {
      return [{ do: 'finish', outcome: { ok: false, code: 'runner-error', message: invocation.message } }];
    }
    moving = true;
    return [{ do: 'spawn', invocation }];
  };
  const finish = (action: Extract<Action, { do: 'finish' }>): Action[] => {
    const { visible, calls, broken } = close();
    const { outcome } = action;
    if (!outcome.ok || (calls.length === 0 && broken.length === 0)) {
      // The final text was filtered as it came; the runtime's own copy still has the blocks.
      const clean = outcome.ok ? { ...outcome, text: undefined } : outcome;
      return [...visible, { do: 'finish', outcome: clean }];
    }
    if (round >= cap) return [...visible, { do: 'finish', outcome: { ok: true, stopReason: 'tool_round_cap' } }];
    const asked: Action[] = [{ do: 'round', id: `prompt ${round}` }];
    waiting = new Map();
    broken.forEach((why, index) => {
      const text = `ERROR: a tool_call block could not be read and nothing ran: ${why}. Send it again.`;
      waiting?.set(`prompt ${round} broken ${index}`, { call: null, ok: false, text, done: true });
    });
    calls.forEach((call, index) => {
      const key = `prompt ${round} ${index}`;
      waiting?.set(key, { call, ok: false, text: '', done: false });
      asked.push({ do: 'call', key, name: call.name, args: call.args });
    });
    return [...visible, { do: 'between' }, ...asked, { do: 'end-stdin' }, ...(calls.length === 0 ? nextRound() : [])];
  };
  /** A new process may count its messages from the beginning again. */
  const numbered = (event: Say): Say => {
    if (round === 1 || (event.type !== 'assistant' && event.type !== 'thinking')) return event;
    const mark = (id: string) => `${id} of round ${round}`;
    const replaces = event.replaces === undefined ? {} : { replaces: mark(event.replaces) };
    return { ...event, message_id: mark(event.message_id), ...replaces };
  };
  const translate = (action: Action): Action[] => {
    if (action.do === 'finish') return finish(action);
    if (action.do !== 'say') return [action];
    const event = numbered(action.event);
    if (event.type === 'session') session = event.session_id;
    // Only the main agent's own words can ask for a tool.
    if (event.type !== 'assistant' || event.parent_tool_use_id !== undefined) return [{ do: 'say', event }];
    let filter = filters.get(event.message_id);
    if (!filter || event.replaces !== undefined) {
      filter = promptToolsFilter(nonce);
      filters.set(event.message_id, filter);
      if (event.replaces !== undefined) filters.delete(event.replaces);
      if (!order.includes(event.message_id)) order.push(event.message_id);
    }
    const visible = filter.push(event.text);
    said += visible;
    return visible === '' ? [] : [{ do: 'say', event: { ...event, text: visible } }];
  };

  return {
    hear(heard: Heard) {
      if (heard.type === 'answer' && waiting) {
        const one = waiting.get(heard.key);
        if (!one) return [];
        Object.assign(one, { ok: heard.ok, text: heard.text, done: true });
        return nextRound();
      }
      // Between two rounds the old process has nothing more to say.
      if (heard.type === 'spawned') moving = false;
      if ((waiting || moving) && (heard.type === 'exit' || heard.type === 'line' || heard.type === 'stderr')) return [];
      return current.hear(heard).flatMap(translate);
    },
  };
}
