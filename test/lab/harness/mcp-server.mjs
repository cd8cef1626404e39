// A stdio MCP server of one tool, as small as the protocol allows, for `--mcp-config`. Plain JavaScript: programs
// start it themselves.
import { createInterface } from 'node:readline';

const tool = {
  name: 'lab_ping',
  description: 'Answers with pong and the word.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

const answers = {
  initialize: (params) => ({
    protocolVersion: params?.protocolVersion ?? '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'lab', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: `pong ${params?.arguments?.word}` }] }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const message = JSON.parse(line);
  if (message.id === undefined) continue;
  const answer = answers[message.method];
  const body = answer
    ? { result: answer(message.params) }
    : { error: { code: -32601, message: `no such method: ${message.method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body })}\n`);
}
