import { openaiFailure } from './failures.js';
import { type Answer, type Asked, COST, type DialectPort, type JsonObject, type Said, type Voice } from './types.js';
import { contentText, list, object, sse, string } from './values.js';

const usage: JsonObject = {
  prompt_tokens: COST.input,
  completion_tokens: COST.output,
  total_tokens: COST.input + COST.output,
  prompt_tokens_details: { cached_tokens: COST.cached },
  completion_tokens_details: { reasoning_tokens: COST.reasoning },
};

/**
 * "Error: …", "Validation failed …" (pi), "MCP server 'x': ERROR: …" (copilot), "params/nodes must be array" (qwen), an MCP
 * result as it came (cline).
 */
const FAILED =
  /^\W*error\b|<system>ERROR: |^validation failed|^MCP server '[^']*': ERROR\b|^params\/\S+ must |"isError":true\}\s*$/i;

function readMessage(message: JsonObject): Said[] {
  const text = contentText(message.content);
  switch (message.role) {
    case 'user':
      return [{ role: 'user', text }];
    case 'assistant':
      return [{ role: 'assistant', text }];
    case 'tool':
      // Chat Completions has no error mark on results; programs put the word in front.
      return [{ role: 'tool', text, failed: FAILED.test(text) }];
    default:
      return [];
  }
}

function finishReason(ending: string, calls: number): string {
  if (ending === 'max_tokens') return 'length';
  if (ending === 'refusal') return 'content_filter';
  return calls > 0 ? 'tool_calls' : 'stop';
}

const chatId = (id: number): string => `chatcmpl-lab-${id}`;

function voice(asked: Asked, id: number): Voice {
  let calls = 0;
  const base = { id: chatId(id), object: 'chat.completion.chunk', created: 1_800_000_000, model: asked.model };
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  return {
    begin: () => chunk({ role: 'assistant', content: '' }),
    thinking: (text) => chunk({ reasoning_content: text }),
    text: (text) => chunk({ content: text }),
    call: (call, callId) => {
      const index = calls++;
      const json = JSON.stringify(call.args);
      const half = Math.ceil(json.length / 2);
      const first = chunk({
        tool_calls: [
          { index, id: `call_${callId}`, type: 'function', function: { name: call.tool.name, arguments: '' } },
        ],
      });
      const parts = [json.slice(0, half), json.slice(half)].map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      );
      return first + parts.join('');
    },
    end: (ending, count) =>
      chunk({}, finishReason(ending, count)) + sse({ ...base, choices: [], usage }) + sse('[DONE]'),
  };
}

function whole(asked: Asked, answer: Answer, id: number): JsonObject {
  const calls = answer.calls.map((call, n) => ({
    id: `call_${id}_${n}`,
    type: 'function',
    function: { name: call.tool.name, arguments: JSON.stringify(call.args) },
  }));
  return {
    id: chatId(id),
    object: 'chat.completion',
    created: 1_800_000_000,
    model: asked.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text.length > 0 ? answer.text.join('') : null,
          ...(answer.thinking.length > 0 ? { reasoning_content: answer.thinking.join('') } : {}),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishReason(answer.ending, calls.length),
      },
    ],
    usage,
  };
}

/** OpenAI Chat Completions, with the `reasoning_content` that compatible providers added to it. */
export const openaiChat: DialectPort = {
  read: (body) => ({
    dialect: 'openai-chat',
    model: string(body.model),
    stream: body.stream === true,
    system: list(body.messages)
      .map(object)
      .filter((message) => message.role === 'system' || message.role === 'developer')
      .map((message) => contentText(message.content))
      .join('\n'),
    said: list(body.messages).map(object).flatMap(readMessage),
    tools: list(body.tools)
      .map((tool) => object(object(tool).function))
      .map((tool) => ({ name: string(tool.name), schema: object(tool.parameters) })),
    effort: string(body.reasoning_effort) || null,
    wantsJson: body.response_format !== undefined && object(body.response_format).type !== 'text',
  }),
  voice,
  whole,
  failure: (name, asked) => openaiFailure(name, asked.model),
};
