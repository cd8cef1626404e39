import { toolsInside } from './code-mode.js';
import { openaiFailure } from './failures.js';
import {
  type Answer,
  type Asked,
  type Call,
  COST,
  type DialectPort,
  type Json,
  type JsonObject,
  type OfferedTool,
  type Said,
  type Voice,
} from './types.js';
import { contentText, list, object, sse, string } from './values.js';

const usage: JsonObject = {
  input_tokens: COST.input,
  input_tokens_details: { cached_tokens: COST.cached },
  output_tokens: COST.output,
  output_tokens_details: { reasoning_tokens: COST.reasoning },
  total_tokens: COST.input + COST.output,
};

function readItem(item: JsonObject): Said[] {
  const type = string(item.type) || 'message';
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const output = item.output;
    const text =
      typeof output === 'object' && !Array.isArray(output) ? contentText(object(output).content) : contentText(output);
    const failed = object(output).success === false || /^\W*(error|err:)|^Error: |^ERROR: /im.test(text);
    return [{ role: 'tool', text, failed }];
  }
  if (type !== 'message') return [];
  const text = contentText(item.content);
  if (item.role === 'user') return [{ role: 'user', text }];
  return item.role === 'assistant' ? [{ role: 'assistant', text }] : [];
}

/** Tools are functions, freeform tools, or namespaces that hold functions of one server. */
function readTool(tool: JsonObject, namespace?: string): OfferedTool[] {
  switch (tool.type) {
    case 'namespace':
      return list(tool.tools)
        .map(object)
        .flatMap((inner) => readTool(inner, string(tool.name)));
    case 'function':
      return [{ name: string(tool.name), schema: object(tool.parameters), ...(namespace ? { namespace } : {}) }];
    case 'custom': {
      const inside = toolsInside(tool, namespace);
      if (inside.length > 0) return inside;
      return [{ name: string(tool.name), schema: undefined, freeform: true }];
    }
    default:
      return [];
  }
}

function callItem(call: Call, id: string, status: string): JsonObject {
  if (call.tool.freeform) {
    return {
      type: 'custom_tool_call',
      id: `ctc_${id}`,
      call_id: `call_${id}`,
      name: call.tool.name,
      ...(call.tool.namespace ? { namespace: call.tool.namespace } : {}),
      input: string(call.args.input),
      status,
    };
  }
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: call.tool.name,
    ...(call.tool.namespace ? { namespace: call.tool.namespace } : {}),
    arguments: JSON.stringify(call.args),
    status,
  };
}

function voice(asked: Asked, id: number): Voice {
  let sequence = 0;
  let index = -1;
  let open: { type: 'reasoning' | 'message'; itemId: string; text: string } | undefined;
  const output: Json[] = [];
  const event = (type: string, fields: JsonObject): string =>
    sse({ type, sequence_number: sequence++, ...fields }, type);
  const response = (status: string, extra: JsonObject = {}): JsonObject => ({
    id: `resp_lab_${id}`,
    object: 'response',
    created_at: 1_800_000_000,
    model: asked.model,
    status,
    output,
    ...extra,
  });
  const finishItem = (item: JsonObject): string => {
    output.push(item);
    return event('response.output_item.done', { output_index: index, item });
  };
  const close = (): string => {
    if (open === undefined) return '';
    const { type, itemId, text } = open;
    open = undefined;
    const at = { item_id: itemId, output_index: index };
    if (type === 'reasoning') {
      const part = { type: 'summary_text', text };
      return (
        event('response.reasoning_summary_text.done', { ...at, summary_index: 0, text }) +
        event('response.reasoning_summary_part.done', { ...at, summary_index: 0, part }) +
        finishItem({ type: 'reasoning', id: itemId, summary: [part] })
      );
    }
    const part = { type: 'output_text', text, annotations: [] };
    return (
      event('response.output_text.done', { ...at, content_index: 0, text }) +
      event('response.content_part.done', { ...at, content_index: 0, part }) +
      finishItem({ type: 'message', id: itemId, role: 'assistant', status: 'completed', content: [part] })
    );
  };
  const start = (type: 'reasoning' | 'message'): string => {
    const before = close();
    index += 1;
    const itemId = `${type === 'reasoning' ? 'rs' : 'msg'}_lab_${id}_${index}`;
    open = { type, itemId, text: '' };
    const at = { item_id: itemId, output_index: index };
    if (type === 'reasoning') {
      const item = { type, id: itemId, summary: [] };
      const part = { type: 'summary_text', text: '' };
      return (
        before +
        event('response.output_item.added', { output_index: index, item }) +
        event('response.reasoning_summary_part.added', { ...at, summary_index: 0, part })
      );
    }
    const item = { type, id: itemId, role: 'assistant', status: 'in_progress', content: [] };
    const part = { type: 'output_text', text: '', annotations: [] };
    return (
      before +
      event('response.output_item.added', { output_index: index, item }) +
      event('response.content_part.added', { ...at, content_index: 0, part })
    );
  };
  const grow = (type: 'reasoning' | 'message', delta: string): string => {
    const before = open?.type === type ? '' : start(type);
    if (open === undefined) return before;
    open.text += delta;
    const at = { item_id: open.itemId, output_index: index };
    return type === 'reasoning'
      ? before + event('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta })
      : before + event('response.output_text.delta', { ...at, content_index: 0, delta });
  };
  return {
    begin: () => event('response.created', { response: response('in_progress') }),
    thinking: (delta) => grow('reasoning', delta),
    text: (delta) => grow('message', delta),
    call: (call, callId) => {
      const before = close();
      index += 1;
      const item = callItem(call, callId, 'completed');
      const empty = call.tool.freeform
        ? { ...item, input: '', status: 'in_progress' }
        : { ...item, arguments: '', status: 'in_progress' };
      const added = event('response.output_item.added', { output_index: index, item: empty });
      const at = { item_id: string(item.id), output_index: index };
      const delta = call.tool.freeform
        ? event('response.custom_tool_call_input.delta', { ...at, delta: string(item.input) })
        : event('response.function_call_arguments.delta', { ...at, delta: string(item.arguments) });
      return before + added + delta + finishItem(item);
    },
    end: (ending) => {
      const before = close();
      if (ending === 'stop')
        return before + event('response.completed', { response: response('completed', { usage }) });
      const reason = ending === 'max_tokens' ? 'max_output_tokens' : 'content_filter';
      return (
        before +
        event('response.incomplete', { response: response('incomplete', { usage, incomplete_details: { reason } }) })
      );
    },
  };
}

function whole(asked: Asked, answer: Answer, id: number): JsonObject {
  const output: Json[] = [];
  if (answer.thinking.length > 0) {
    output.push({
      type: 'reasoning',
      id: `rs_lab_${id}`,
      summary: [{ type: 'summary_text', text: answer.thinking.join('') }],
    });
  }
  if (answer.text.length > 0) {
    const part = { type: 'output_text', text: answer.text.join(''), annotations: [] };
    output.push({ type: 'message', id: `msg_lab_${id}`, role: 'assistant', status: 'completed', content: [part] });
  }
  for (const [n, call] of answer.calls.entries()) output.push(callItem(call, `${id}_${n}`, 'completed'));
  return {
    id: `resp_lab_${id}`,
    object: 'response',
    created_at: 1_800_000_000,
    model: asked.model,
    status: answer.ending === 'stop' ? 'completed' : 'incomplete',
    output,
    usage,
  };
}

/** Newer models get their tools as an item of the conversation. */
function offered(body: JsonObject): JsonObject[] {
  const items = list(body.input)
    .map(object)
    .filter((item) => item.type === 'additional_tools');
  return [...list(body.tools), ...items.flatMap((item) => list(item.tools))].map(object);
}

/** OpenAI Responses. */
export const openaiResponses: DialectPort = {
  read: (body) => ({
    dialect: 'openai-responses',
    model: string(body.model),
    stream: body.stream === true,
    system: [
      string(body.instructions),
      ...list(body.input)
        .map(object)
        .filter((item) => item.role === 'developer' || item.role === 'system')
        .map((item) => contentText(item.content)),
    ].join('\n'),
    said:
      typeof body.input === 'string'
        ? [{ role: 'user', text: body.input }]
        : list(body.input).map(object).flatMap(readItem),
    tools: offered(body).flatMap((tool) => readTool(tool)),
    effort: string(object(body.reasoning).effort) || null,
    wantsJson: /^json/.test(string(object(object(body.text).format).type)),
  }),
  voice,
  whole,
  failure: (name, asked) => openaiFailure(name, asked.model),
};
