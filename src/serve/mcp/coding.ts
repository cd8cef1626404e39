/** `turnout jobs mcp`: the tools of a job service on stdin and stdout. */

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { JsonObject } from '../../contract/vocabulary.js';
import { JobError } from '../../jobs/failure.js';
import type { JobService } from '../../jobs/service.js';
import { instructionsOf, type JobTool, jobTools, refusedCall } from '../../jobs/tools.js';
import { ownerAt } from '../../runs/sight.js';
import { isObject } from '../../text/json.js';
import { pipe } from './pipe.js';

/** The one version that flyto-ai's coding service speaks. */
const ONLY = '2025-06-18';

const answer = (value: JsonObject, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
  isError,
});

/** Refuses every other version, and what may not come before the handshake. */
function strictly(transport: Transport): Transport {
  const refuse = (id: string | number, code: number, message: string) =>
    void transport.send({ jsonrpc: '2.0', id, error: { code, message } });
  let begun = false;
  const strict: Transport = {
    async start() {
      transport.onmessage = (message, extra) => {
        if (!('method' in message) || !('id' in message)) return strict.onmessage?.(message, extra);
        const { id, method, params } = message;
        const version = isObject(params) ? params['protocolVersion'] : undefined;
        if (method === 'initialize' && version !== ONLY)
          return refuse(id, ProtocolErrorCode.InvalidParams, `unsupported protocol version; expected ${ONLY}`);
        if (method === 'initialize') begun = true;
        else if (!begun) return refuse(id, ProtocolErrorCode.InvalidRequest, 'initialize comes first');
        strict.onmessage?.(message, extra);
      };
      transport.onclose = () => strict.onclose?.();
      await transport.start();
    },
    send: (message) => transport.send(message),
    close: () => transport.close(),
  };
  return strict;
}

export interface CodingMcpOptions {
  jobs: JobService;
  /** Those of a job service when absent. */
  tools?: readonly JobTool[];
  instructions?: string;
  version: string;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Resolves at a signal. */
  stopped: Promise<void>;
  complain(message: string): void;
}

/** Resolves when the client left, or at a signal. */
export async function serveCodingMcp(options: CodingMcpOptions): Promise<void> {
  const { jobs, version } = options;
  const strict = jobs.settings.compat === 'flyto';
  const tools = options.tools ?? jobTools(jobs, ownerAt('mcp'));
  const announced = tools.map(({ call: _call, ...tool }) => tool);
  const instructions = options.instructions ?? instructionsOf(tools, jobs.settings.compat);
  const { transport, over } = pipe(options.input, options.output);
  const info = strict ? { name: 'flyto-coding', version: '2' } : { name: 'turnout-coding', version };
  const handle = serveStdio(
    () => {
      const server = new Server(info, { capabilities: { tools: {} }, instructions });
      server.setRequestHandler('tools/list', () => ({ tools: announced }));
      server.setRequestHandler('tools/call', async ({ params }, ctx) => {
        const tool = tools.find(({ name }) => name === params.name);
        if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
        const given: unknown = params.arguments ?? {};
        const token = ctx.mcpReq._meta?.progressToken;
        const began = performance.now();
        const told = (state: string) => {
          if (token === undefined) return;
          const progress = Math.round(performance.now() - began);
          const said = { progressToken: token, progress, message: state };
          // Who does not listen any more is found out by the answer.
          ctx.mcpReq.notify({ method: 'notifications/progress', params: said }).catch(() => {});
        };
        try {
          return answer(await tool.call(isObject(given) ? given : {}, ctx.mcpReq.signal, told), false);
        } catch (error) {
          if (!(error instanceof JobError)) throw error;
          return answer(refusedCall(error), true);
        }
      });
      return server;
    },
    { transport: strict ? strictly(transport) : transport, onerror: (error) => options.complain(error.message) },
  );
  await Promise.race([over, options.stopped]);
  await handle.close();
}
