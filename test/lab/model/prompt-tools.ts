import type { Asked, OfferedTool, Reply, Said } from './types.js';
import { object, string } from './values.js';

/**
 * Where a program can load no tools, they stand in the prompt and calls are blocks of text. The model reads and
 * writes these here, so that every scenario about tools holds for both ways.
 */
const offer = /^```tool_call:(\S+)$/m;

function offeredIn(text: string): OfferedTool[] {
  const nonce = offer.exec(text)?.[1];
  if (nonce === undefined) return [];
  const tools: OfferedTool[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('{"name":')) continue;
    try {
      const described = object(JSON.parse(line));
      if (described.parameters !== undefined) {
        tools.push({ name: string(described.name), schema: object(described.parameters), fence: nonce });
      }
    } catch {
      // A line of the task that only looks like a definition.
    }
  }
  return tools;
}

/** Takes the result blocks out of a user message; without a session they all stand in the first one. */
function splitResults(message: Said): Said[] {
  if (message.role !== 'user') return [message];
  const results: Said[] = [];
  const rest = message.text.replace(/^```tool_result:\S+\n(.*)\n```$/gm, (_block, json: string) => {
    const value = object(JSON.parse(json));
    results.push({ role: 'tool', text: string(value.result), failed: value.ok !== true });
    return '';
  });
  if (results.length === 0) return [message];
  // The answer given so far is repeated as text: it stands between the prompt and the results.
  const wholeTranscript = offer.test(rest);
  return wholeTranscript ? [{ role: 'user', text: rest }, ...results] : results;
}

export function withFence(asked: Asked): Asked {
  const tools = asked.said.filter((message) => message.role === 'user').flatMap((message) => offeredIn(message.text));
  if (tools.length === 0) return asked;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return { ...asked, said: asked.said.flatMap(splitResults), tools: [...asked.tools, ...byName.values()] };
}

/** Calls of fenced tools become text at the end of the answer. */
export function fencedReply(reply: Reply): Reply {
  if (reply.kind === 'failure') return reply;
  const blocks = reply.calls.flatMap((call) => {
    if (call.tool.fence === undefined) return [];
    const body = JSON.stringify({ name: call.tool.name, arguments: call.args });
    return ['\n```tool_', `call:${call.tool.fence}\n`, body, '\n``', '`\n'];
  });
  if (blocks.length === 0) return reply;
  return {
    ...reply,
    text: [...reply.text, ...blocks],
    calls: reply.calls.filter((call) => call.tool.fence === undefined),
  };
}
