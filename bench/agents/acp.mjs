// The smallest agent that speaks ACP: one session, one answer in three pieces.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const piece = (sessionId, text) =>
  send({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  'session/new': () => ({ sessionId: 's1' }),
  'session/prompt': ({ sessionId }) => {
    for (const text of ['Hello ', 'from a ', 'small agent.']) piece(sessionId, text);
    return { stopReason: 'end_turn' };
  },
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined && method !== undefined) send({ id, result: answers[method]?.(params) ?? {} });
  })
  .on('close', () => process.exit(0));
