import type { Answer, Asked, DialectPort, FailureName, JsonObject, Said } from './types.js';
import { list, object, string } from './values.js';

/**
 * The service behind Auggie (0.36.0), as far as one turn needs it: `/chat-stream` in lines of JSON. Nobody has documented
 * it; what stands here is what the program sends and takes.
 */
const TEXT_NODE = 0;
const TOOL_RESULT_NODE = 1;
const TOOL_USE_NODE = 5;

function fromNodes(nodes: readonly JsonObject[]): Said[] {
  const results = nodes.flatMap((node): Said[] => {
    if (node.type !== TOOL_RESULT_NODE) return [];
    const result = object(node.tool_result_node);
    return [{ role: 'tool', text: string(result.content), failed: result.is_error === true }];
  });
  const text = nodes
    .filter((node) => node.type === TEXT_NODE)
    .map((node) => string(object(node.text_node).content))
    .join('\n');
  return text === '' ? results : [...results, { role: 'user', text }];
}

function history(exchange: JsonObject): Said[] {
  const answer = list(exchange.response_nodes)
    .map(object)
    .map((node) => (node.type === TEXT_NODE ? string(node.content) : ''))
    .join('');
  return [...fromNodes(list(exchange.request_nodes).map(object)), { role: 'assistant', text: answer }];
}

function schemaOf(tool: JsonObject): JsonObject {
  const written = string(tool.input_schema_json);
  return written === '' ? {} : object(JSON.parse(written));
}

const STOP = { stop: 1, max_tokens: 2, refusal: 4 } as const;
const TOOLS_WANTED = 3;

const line = (value: JsonObject): string => `${JSON.stringify(value)}\n`;
const textLine = (text: string): string => line({ text, nodes: [{ id: 0, type: TEXT_NODE, content: text }] });

const STATUS: Record<FailureName, number> = {
  unauthorized: 401,
  'bad-key': 401,
  forbidden: 403,
  'no-model': 404,
  'rate-limit': 429,
  quota: 402,
  'server-error': 500,
  overloaded: 503,
};

export const augment: DialectPort = {
  read(body): Asked {
    const rules = list(body.rules).map((rule) => string(object(rule).content));
    return {
      dialect: 'augment',
      model: string(body.model),
      stream: true,
      system: [string(body.system_prompt), string(body.user_guidelines), ...rules].join('\n'),
      said: [...list(body.chat_history).map(object).flatMap(history), ...fromNodes(list(body.nodes).map(object))],
      tools: list(body.tool_definitions)
        .map(object)
        .map((tool) => ({ name: string(tool.name), schema: schemaOf(tool) })),
      effort: null,
      wantsJson: false,
    };
  },
  voice: () => {
    let next = 1;
    return {
      begin: () => '',
      thinking: () => '',
      text: textLine,
      call(call, id) {
        const use = { tool_use_id: `toolu_${id}`, tool_name: call.tool.name, input_json: JSON.stringify(call.args) };
        return line({ text: '', nodes: [{ id: next++, type: TOOL_USE_NODE, content: '', tool_use: use }] });
      },
      end: (ending, calls) => line({ text: '', nodes: [], stop_reason: calls > 0 ? TOOLS_WANTED : STOP[ending] }),
    };
  },
  whole: (_asked, answer: Answer) => ({ text: answer.text.join(''), nodes: [], stop_reason: STOP.stop }),
  failure: (name) => ({ status: STATUS[name], headers: {}, body: { error: `${name} by the lab` } }),
};

/** What the program asks before a turn. */
export function augmentSmallThing(path: string): JsonObject | undefined {
  if (/\/get-models$/.test(path)) {
    const model = { name: 'mock-model', suggested_prefix_char_count: 100, suggested_suffix_char_count: 100 };
    return { default_model: 'mock-model', models: [model], feature_flags: {}, languages: [], user: { id: 'lab' } };
  }
  if (/\/agents\/list-remote-tools$/.test(path)) return { tools: [] };
  return /\/settings\/get-mcp-[\w-]+$/.test(path) ? {} : undefined;
}
