/** The SDK's own clients on real servers of ours, in every combination of era and transport. */

import { readFileSync } from 'node:fs';
import {
  type CallToolResult,
  Client,
  type ElicitRequestParams,
  type ElicitResult,
  type Progress,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { isObject } from '../../../src/text/json.js';
import { marked, type Place, place, TURNOUT, WATCHDOG_MS } from '../../contract/cli.js';
import { serve } from '../server.js';

export const ERAS = ['legacy', 'modern'] as const;
export type Era = (typeof ERAS)[number];
export const TRANSPORTS = ['stdio', 'http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface Options {
  era: Era;
  transport: Transport;
  /** More arguments of `turnout mcp`; over HTTP of `turnout agent serve`. */
  args?: readonly string[];
  place?: Place;
  /** What the person answers; without it the client shows no questions. */
  person?: (message: string, form: ElicitRequestParams) => ElicitResult | Promise<ElicitResult>;
  headers?: Record<string, string>;
}

export interface Connected {
  client: Client;
  place: Place;
  /** What stderr said. */
  told(): string;
  call(
    name: string,
    args: JsonObject,
    options?: { signal?: AbortSignal; onProgress?(progress: Progress): void },
  ): Promise<Called>;
  close(): Promise<void>;
}

export interface Called {
  /** The structured content. */
  content: JsonObject;
  /** All text blocks. */
  text: string;
  isError: boolean;
}

const TOKEN = 's3cret';

function called(result: CallToolResult): Called {
  const structured: unknown = result.structuredContent ?? {};
  return {
    content: isObject(structured) ? structured : {},
    text: result.content.map((one) => (one.type === 'text' ? one.text : '')).join('\n'),
    isError: result.isError === true,
  };
}

function newClient({ era, person }: Options): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: person ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message, params));
  return client;
}

async function connected(options: Options): Promise<Connected> {
  const where = options.place ?? place();
  const client = newClient(options);
  let told = '';
  let end = async () => {};
  if (options.transport === 'stdio') {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [TURNOUT, 'mcp', ...(options.args ?? [])],
      env: where.env,
      cwd: where.cwd,
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => {
      told += chunk;
    });
    await client.connect(transport);
  } else {
    const http = ['--transport', 'http', '--port', '0', '--auth-token', TOKEN, '--store', 'memory'];
    const server = await serve([...http, ...(options.args ?? [])], where);
    const headers = { authorization: `Bearer ${TOKEN}`, ...options.headers };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.at}/mcp`), { requestInit: { headers } }));
    end = async () => {
      told = (await server.stop()).stderr;
    };
  }
  return {
    client,
    place: where,
    told: () => told,
    async call(name, args, { signal, onProgress } = {}) {
      const result = await client.callTool(
        { name, arguments: args },
        { signal, onprogress: onProgress, timeout: 60_000 },
      );
      return called(result);
    },
    async close() {
      await client.close();
      await end();
    },
  };
}

/** Connects, works and closes, whatever happens. */
export async function withClient(options: Options, work: (to: Connected) => Promise<void>): Promise<void> {
  const to = await connected(options);
  try {
    await work(to);
  } finally {
    await to.close();
  }
}

function isAgent(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('__demo');
  } catch {
    return false;
  }
}

/** The agents (not the server) that are still there once a turn has had the time it has to end. Linux only. */
export async function agentsLeft(mark: string): Promise<number[]> {
  const until = Date.now() + WATCHDOG_MS;
  for (;;) {
    const left = marked(mark).filter(isAgent);
    if (left.length === 0 || Date.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
