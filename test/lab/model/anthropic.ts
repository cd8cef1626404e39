import { anthropicFailure } from './failures.js';
import {
  type Answer,
  type Asked,
  COST,
  type DialectPort,
  type Json,
  type JsonObject,
  type Said,
  type Voice,
} from './types.js';
import { contentText, list, object, sse, string } from './values.js';

/** A user message may hold text and tool results; they become separate messages, results first as the API wants them. */
function readMessage(message: JsonObject): Said[] {
  const content = message.content;
  if (string(message.role) === 'assistant') return [{ role: 'assistant', text: contentText(content) }];
  const results = list(content)
    .map(object)
    .filter((block) => block.type === 'tool_result')
    .map((block): Said => ({ role: 'tool', text: contentText(block.content), failed: block.is_error === true }));
  const text = contentText(content);
  return text === '' ? results : [...results, { role: 'user', text }];
}

function usage(output: number): JsonObject {
  return {
    input_tokens: COST.input - COST.cached,
    cache_read_input_tokens: COST.cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}

function stopReason(ending: string, calls: number): string {
  if (ending !== 'stop') return ending;
  return calls > 0 ? 'tool_use' : 'end_turn';
}

const messageId = (id: number): string => `msg_lab_${String(id).padStart(6, '0')}`;

function voice(asked: Asked, id: number): Voice {
  let index = -1;
  let open: 'none' | 'thinking' | 'text' = 'none';
  const event = (data: JsonObject): string => sse(data, string(data.type));
  const close = (): string => {
    if (open === 'none') return '';
    const signature =
      open === 'thinking'
        ? event({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' } })
        : '';
    open = 'none';
    return signature + event({ type: 'content_block_stop', index });
  };
  const start = (block: JsonObject): string => {
    index += 1;
    return event({ type: 'content_block_start', index, content_block: block });
  };
  const delta = (fields: JsonObject): string => event({ type: 'content_block_delta', index, delta: fields });
  return {
    begin: () =>
      event({
        type: 'message_start',
        message: {
          id: messageId(id),
          type: 'message',
          role: 'assistant',
          model: asked.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: usage(1),
        },
      }) + event({ type: 'ping' }),
    thinking: (thinking) => {
      const opening = open === 'thinking' ? '' : close() + start({ type: 'thinking', thinking: '', signature: '' });
      open = 'thinking';
      return opening + delta({ type: 'thinking_delta', thinking });
    },
    text: (text) => {
      const opening = open === 'text' ? '' : close() + start({ type: 'text', text: '' });
      open = 'text';
      return opening + delta({ type: 'text_delta', text });
    },
    call: (call, callId) => {
      const json = JSON.stringify(call.args);
      const half = Math.ceil(json.length / 2);
      const before = close();
      const block = start({ type: 'tool_use', id: `toolu_${callId}`, name: call.tool.name, input: {} });
      const body = [json.slice(0, half), json.slice(half)]
        .map((part) => delta({ type: 'input_json_delta', partial_json: part }))
        .join('');
      return before + block + body + event({ type: 'content_block_stop', index });
    },
    end: (ending, calls) =>
      close() +
      event({
        type: 'message_delta',
        delta: { stop_reason: stopReason(ending, calls), stop_sequence: null },
        usage: { output_tokens: COST.output },
      }) +
      event({ type: 'message_stop' }),
  };
}

function whole(asked: Asked, answer: Answer, id: number): JsonObject {
  const content: Json[] = [];
  if (answer.thinking.length > 0) {
    content.push({ type: 'thinking', thinking: answer.thinking.join(''), signature: 'c2lnbmF0dXJl' });
  }
  if (answer.text.length > 0) content.push({ type: 'text', text: answer.text.join('') });
  for (const [n, call] of answer.calls.entries()) {
    content.push({ type: 'tool_use', id: `toolu_${id}_${n}`, name: call.tool.name, input: call.args });
  }
  return {
    id: messageId(id),
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content,
    stop_reason: stopReason(answer.ending, answer.calls.length),
    stop_sequence: null,
    usage: usage(COST.output),
  };
}

/** Anthropic Messages. */
export const anthropic: DialectPort = {
  read: (body) => ({
    dialect: 'anthropic',
    model: string(body.model),
    stream: body.stream === true,
    system: contentText(body.system),
    said: list(body.messages).map(object).flatMap(readMessage),
    tools: list(body.tools)
      .map(object)
      .map((tool) => ({ name: string(tool.name), schema: object(tool.input_schema) })),
    effort: string(object(body.output_config).effort) || null,
    wantsJson: object(body.output_config).format !== undefined,
  }),
  voice,
  whole,
  failure: (name, asked) => anthropicFailure(name, asked.model),
};
