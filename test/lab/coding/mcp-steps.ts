/** The steps of an MCP client of a coding service, and what can be compared of their answers. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, num, obj, parseObject, str } from '../../../src/text/json.js';
import { answerOf, type Comparable, FINDING } from './compared.js';

/** How a service is started on stdio, and the folder that its jobs work in. */
export interface StdioService {
  argv: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  workspace: string;
}

interface Client {
  call(method: string, params?: JsonObject): Promise<JsonObject>;
  notify(method: string): void;
  close(): Promise<void>;
}

function connect({ argv, cwd, env }: StdioService): Client {
  const [program = '', ...args] = argv;
  const child: ChildProcess = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (answer: JsonObject) => void>();
  const ended = new Promise<never>((_, reject) =>
    child.on('close', (code) => reject(new Error(`${program} ended with ${code}`))),
  );
  // Awaited by calls; without one it is the end that was asked for.
  ended.catch(() => {});
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = parseObject(line) ?? {};
      waiting.get(num(answer, 'id') ?? -1)?.(answer);
    });
  const send = (message: JsonObject) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  return {
    call(method, params = {}) {
      id += 1;
      const answered = new Promise<JsonObject>((resolve) => waiting.set(id, resolve));
      send({ id, method, params });
      return Promise.race([answered, ended]);
    },
    notify: (method) => void send({ method }),
    async close() {
      child.stdin?.end();
      await ended.catch(() => {});
    },
  };
}

/** The arguments that a schema takes: name, kind and whether it must be given. */
const argumentsOf = (tool: Json): string[] => {
  const must = arr(tool, 'inputSchema', 'required') ?? [];
  return Object.entries(obj(tool, 'inputSchema', 'properties') ?? {})
    .map(([name, schema]) => `${str(tool, 'name')}.${name} ${str(schema, 'type')}${must.includes(name) ? '' : '?'}`)
    .sort();
};

const errorOf = (answer: JsonObject): Comparable => ({
  status: num(answer, 'error', 'code') ?? null,
  error: null,
  state: null,
  landable: null,
  keys: Object.keys(obj(answer, 'result') ?? {}).sort(),
});

const hello = (protocolVersion: string): JsonObject => {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'lab', version: '1' } };
};

/** @returns the answer to each step by its name */
export async function playMcp(service: StdioService): Promise<Map<string, Comparable>> {
  const { workspace } = service;
  const answers = new Map<string, Comparable>();
  const client = connect(service);
  const raw = async (name: string, method: string, params?: JsonObject) =>
    void answers.set(`MCP: ${name}`, errorOf(await client.call(method, params)));
  async function tool(name: string | null, called: string, fields: JsonObject): Promise<JsonObject> {
    const answer = await client.call('tools/call', { name: `flyto_coding_${called}`, arguments: fields });
    const body = obj(answer, 'result', 'structuredContent') ?? {};
    // A refused call says so by isError, and by nothing else; a wrong one is an error of the protocol.
    const said =
      answer['error'] === undefined
        ? obj(answer, 'result')?.['isError'] === true
          ? 1
          : 0
        : num(answer, 'error', 'code');
    if (name !== null) answers.set(`MCP: ${name}`, answerOf(said ?? null, body));
    return body;
  }
  try {
    await raw('tools before initialize', 'tools/list');
    await raw('initialize with another version', 'initialize', hello('2024-11-05'));
    const welcome = await client.call('initialize', hello('2025-06-18'));
    answers.set('MCP: initialize', errorOf(welcome));
    client.notify('notifications/initialized');
    const tools = arr(await client.call('tools/list'), 'result', 'tools') ?? [];
    answers.set('MCP: tools', { ...errorOf({}), keys: tools.flatMap(argumentsOf) });
    await raw('a method that is unknown', 'no/such');
    await raw('a tool that is unknown', 'tools/call', { name: 'flyto_coding_nothing', arguments: {} });

    const request = { message: 'write made.txt hello', working_dir: workspace };
    const submit = (name: string, key: string, asked: JsonObject) =>
      tool(name, 'submit', { idempotency_key: key, request: asked });
    await submit('submit with a model', 'a', { ...request, model: 'm' });
    await submit('submit for a folder outside', 'a', { ...request, working_dir: '/etc' });
    await tool('submit without a key', 'submit', { request });
    const job_id = str(await submit('submit', 'k1', request), 'job', 'job_id') ?? '';
    await submit('the same key and request', 'k1', request);
    await submit('the same key, another request', 'k1', { ...request, message: 'z' });
    async function settled(name: string): Promise<string> {
      for (let after: JsonObject = {}; ; ) {
        const seen = await tool(null, 'get', { job_id, detail: 'summary', ...after });
        const next = str(seen, 'observation', 'next_action');
        if (next !== 'wait') {
          answers.set(`MCP: ${name}`, answerOf(0, seen));
          answers.set(`MCP: ${name}, next_action`, { ...errorOf({}), error: next ?? null });
          return str(seen, 'job', 'implementation_revision_sha256') ?? '';
        }
        after = { wait_ms: 20_000, after_change_token: str(seen, 'observation', 'change_token') ?? '' };
      }
    }
    const audit = (name: string, verdict: string, findings: Json[], digest: string) =>
      tool(name, 'audit', { job_id, implementation_revision_sha256: digest, verdict, findings });
    const first = await settled('what waits for an audit, in short');
    await tool('what waits for an audit', 'get', { job_id });
    await tool('get with a wait that is too long', 'get', { job_id, wait_ms: 20_001 });
    await tool('get with a token that is none', 'get', { job_id, after_change_token: 'x' });
    await tool('get with a wait and no token', 'get', { job_id, wait_ms: 100 });
    await audit('a verdict on another revision', 'accept', [], '0'.repeat(64));
    await audit('accept with findings', 'accept', [FINDING], first);
    await audit('rework without findings', 'rework', [], first);
    await audit('rework', 'rework', [FINDING], first);
    const second = await settled('what waits after the rework, in short');
    await audit('accept', 'accept', [], second);
    await audit('accept once more', 'accept', [], second);
    await tool('submit with more', 'submit', { idempotency_key: 'k1', request, more: 1 });
    await tool('a job that is unknown', 'get', { job_id: `job_${'0'.repeat(24)}` });
    return answers;
  } finally {
    await client.close();
  }
}
