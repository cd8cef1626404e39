/**
 * Keeps a host's stdio while the worker behind it is replaced after an upgrade of turnout: never while a job of this host
 * is under way, never in the middle of a request, and never by one that offers something else.
 */

import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '../../../contract/vocabulary.js';
import { bool, parseObject, str } from '../../../text/json.js';
import { lineSplitter } from '../../../text/lines.js';
import { contractOf, type Deadlines, type Id, idOf, MOST_MESSAGE, startWorker, type Worker } from './worker.js';

export interface SuperviseOptions {
  /** Starts a worker, program first. */
  argv: readonly string[];
  input: Readable;
  output: Writable;
  /** Which turnout is installed now; null while that can't be said. */
  fingerprint(): string | null;
  /** Whether a job is over, as the store has it; it may have ended without a word to this host. */
  isOver(job: string): Promise<boolean>;
  /** Resolves at a signal. */
  stopped: Promise<void>;
  complain(message: string): void;
  /** For tests. */
  deadlines?: Deadlines;
}

const DEADLINES: Deadlines = { answer: 30_000, first: 120_000, leave: 5_000 };
/** JSON-RPC 2.0. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL = -32603;

const refusal = (id: Id | null, code: number, message: string): JsonObject => {
  return { jsonrpc: '2.0', id, error: { code, message } };
};

/** Resolves when the host left, or at a signal. */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const { argv, input, output, complain } = options;
  const deadlines = options.deadlines ?? DEADLINES;
  /** Of the host's handshake; null before it. */
  let hello: { request: JsonObject; contract: string } | null = null;
  let worker: Worker | null = null;
  let installed = options.fingerprint();
  /** Jobs of this host that are not over. */
  const live = new Set<string>();
  let own = 0;
  /** One request after the other is decided; their answers are waited for side by side. */
  let turn = Promise.resolve();

  const send = (message: JsonObject) => void output.write(`${JSON.stringify(message)}\n`);
  const current = () => worker;
  const started = () => startWorker(argv, deadlines, send);

  /** Asks what the host does not see. */
  const quietly = (asked: Worker, message: JsonObject) => {
    own += 1;
    return asked.ask({ jsonrpc: '2.0', ...message }, `supervisor-${own}`);
  };
  const toolsOf = (asked: Worker) => quietly(asked, { method: 'tools/list', params: {} });

  /** @throws Error it offers something else, or nothing */
  async function ready(): Promise<Worker> {
    if (worker?.isUsable()) return worker;
    const fresh = started();
    worker = fresh;
    if (hello === null) return fresh;
    const { params = {} } = hello.request;
    const answer = await quietly(fresh, { method: 'initialize', params });
    fresh.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    if (contractOf(answer, await toolsOf(fresh)) !== hello.contract) {
      worker = null;
      await fresh.end();
      throw new Error('the contract changed with the upgrade: connect again');
    }
    return fresh;
  }
  async function forgetEnded(): Promise<void> {
    for (const job of live) if (await options.isOver(job)) live.delete(job);
  }
  /** @returns whether an upgrade waits for jobs */
  async function upgrade(): Promise<boolean> {
    const now = options.fingerprint();
    if (now === null || now === installed) return false;
    await forgetEnded();
    if (live.size > 0) return true;
    if ((worker?.pending() ?? 0) > 0) return false;
    await worker?.end();
    worker = null;
    installed = now;
    complain('turnout was replaced on the disk: the worker was started anew');
    return false;
  }
  function note(tool: string, answer: JsonObject): void {
    const job = str(answer, 'result', 'structuredContent', 'job', 'job_id');
    if (job === undefined) return;
    const over = bool(answer, 'result', 'structuredContent', 'job', 'job_terminal');
    if (over === true) live.delete(job);
    // A look at the job of somebody else does not make it ours.
    else if (!tool.endsWith('_get')) live.add(job);
  }
  async function request(message: JsonObject, id: Id): Promise<void> {
    const method = str(message, 'method');
    const tool = method === 'tools/call' ? (str(message, 'params', 'name') ?? '') : '';
    if (method === 'tools/call' && hello === null) return send(refusal(id, INVALID_REQUEST, 'initialize comes first'));
    try {
      const waits = await upgrade();
      if (waits && tool.endsWith('_submit')) {
        const refused = { ok: false, error: 'service_reload_pending' };
        const result = { content: [{ type: 'text', text: JSON.stringify(refused) }], structuredContent: refused };
        return send({ jsonrpc: '2.0', id, result: { ...result, isError: true } });
      }
      if (method === 'initialize') hello = null;
      const asked = await ready();
      const answer = asked.ask(message, id);
      const settle = async () => {
        const said = await answer;
        if (method === 'initialize' && 'result' in said)
          hello = { request: message, contract: contractOf(said, await toolsOf(asked)) };
        if (tool !== '') note(tool, said);
        send(said);
      };
      const settled = settle().catch((error: Error) => send(refusal(id, INTERNAL, error.message)));
      // The handshake decides what the next request may be.
      if (method === 'initialize') await settled;
    } catch (error) {
      send(refusal(id, INTERNAL, error instanceof Error ? error.message : String(error)));
    }
  }
  function take(line: string): void {
    if (line.trim() === '') return;
    const message = parseObject(line);
    if (message === undefined) return send(refusal(null, PARSE_ERROR, 'the line is not a JSON object'));
    const id = idOf(message);
    turn = turn.then(() => {
      if (id !== null && typeof message['method'] === 'string') return request(message, id);
      worker?.tell(message);
    });
  }

  const lines = lineSplitter({
    max: MOST_MESSAGE,
    onLine: take,
    onDropped: () => send(refusal(null, INVALID_REQUEST, `the message is larger than ${MOST_MESSAGE} bytes`)),
  });
  const left = new Promise<void>((resolve) => {
    input.on('data', (chunk: Buffer) => lines.push(chunk));
    input.on('end', () => {
      lines.end();
      resolve();
    });
    input.on('close', resolve);
    input.on('error', () => resolve());
    output.on('error', () => resolve());
  });
  await Promise.race([left, options.stopped]);
  await turn;
  await current()?.end();
}
