import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { anthropic } from './anthropic.js';
import { augment, augmentSmallThing } from './augment.js';
import { scriptedReply } from './code-mode.js';
import { isSideRequest, readDirective } from './directive.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { fencedReply, withFence } from './prompt-tools.js';
import { type LoggedRequest, RequestLog } from './request-log.js';
import { scripts } from './scenarios.js';
import { speak } from './speak.js';
import { SIDE_TEXT, TEXT_DELTAS } from './texts.js';
import { type Asked, COST, type DialectPort, type JsonObject, type Reply } from './types.js';
import { object } from './values.js';

export interface ModelServer {
  url: string;
  log: RequestLog;
  close(): Promise<void>;
}

const models = ['mock-model', 'claude-sonnet-4-6', 'gemini-2.5-flash'];

function portFor(path: string): DialectPort | undefined {
  if (/\/messages$/.test(path)) return anthropic;
  if (/\/chat\/completions$/.test(path)) return openaiChat;
  if (/\/responses$/.test(path)) return openaiResponses;
  if (/\/chat-stream$/.test(path)) return augment;
  return /\/models\/[^/]+:(streamGenerateContent|generateContent)$/.test(path) ? gemini : undefined;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  switch (request.headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(raw);
    case 'deflate':
      return inflateSync(raw);
    case 'br':
      return brotliDecompressSync(raw);
    default:
      return raw;
  }
}

function parse(raw: Buffer): JsonObject {
  try {
    return object(JSON.parse(raw.toString('utf8')));
  } catch {
    return {};
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Endpoints that programs ask on the way: counts, lists of models, a look at the root. */
function sendSmallThings(path: string, response: ServerResponse): boolean {
  if (/count_tokens$/.test(path)) sendJson(response, 200, { input_tokens: COST.input });
  else if (/:countTokens$/.test(path)) sendJson(response, 200, { totalTokens: COST.input });
  else if (/\/v1beta\/models$/.test(path))
    sendJson(response, 200, { models: models.map((id) => ({ name: `models/${id}` })) });
  else if (/\/models$/.test(path)) {
    const data = models.map((id) => ({
      id,
      object: 'model',
      type: 'model',
      display_name: id,
      owned_by: 'lab',
      created: 0,
    }));
    sendJson(response, 200, { object: 'list', data, has_more: false });
  } else if (/\/models\/[^/:]+$/.test(path)) {
    const id = path.split('/').at(-1) ?? '';
    sendJson(response, 200, { id, object: 'model', type: 'model', display_name: id, owned_by: 'lab', created: 0 });
  } else if (augmentSmallThing(path) !== undefined) sendJson(response, 200, augmentSmallThing(path) ?? {});
  else if (path === '/') sendJson(response, 200, { ok: true });
  else return false;
  return true;
}

interface Past {
  attempts: Map<string, number>;
  searched: Set<string>;
}

/** Decides what to say. Requests without an order get a short harmless text, so that no program is stuck. */
function decide(asked: Asked, past: Past, entry: LoggedRequest): Reply {
  const { attempts, searched } = past;
  const plain = (text: readonly string[]): Reply => ({
    kind: 'answer',
    thinking: [],
    text: asked.wantsJson ? ['{}'] : [...text],
    calls: [],
    pause: 5,
    ending: 'stop',
  });
  if (isSideRequest(asked)) {
    entry.scenario = 'side';
    return plain([SIDE_TEXT]);
  }
  const directive = readDirective(asked);
  const script = directive === undefined ? undefined : scripts[directive.name];
  if (directive === undefined || script === undefined) {
    entry.scenario = 'none';
    return plain(TEXT_DELTAS);
  }
  entry.scenario = directive.name;
  entry.round = directive.rounds;
  const attempt = (prompt: string): number => {
    const key = `${directive.rounds} ${prompt}`;
    const count = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, count);
    return count;
  };
  return scriptedReply(fencedReply(script(asked, directive, { attempt, searched })));
}

/** Starts the scripted model on a free loopback port. `logFile` gets every request as one JSON line. */
export async function startModel(options: { logFile?: string; port?: number } = {}): Promise<ModelServer> {
  const log = new RequestLog(options.logFile);
  const past: Past = { attempts: new Map(), searched: new Set() };
  let answers = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readBody(request);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const body = parse(raw);
    const entry = log.add(request, path, body);
    const port = request.method === 'POST' ? portFor(path) : undefined;
    if (port === undefined) {
      entry.scenario = 'other';
      if (!sendSmallThings(path, response))
        sendJson(response, 404, { error: { message: `no such endpoint: ${path}`, type: 'not_found' } });
      entry.status = response.statusCode;
    } else {
      const asked = withFence(port.read(body, path));
      entry.asked = asked;
      await speak(response, port, asked, decide(asked, past, entry), ++answers, entry);
    }
    log.write(entry);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error('lab model:', error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 5000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
