/** An editor for tests: the protocol's own client library over the real `turnout acp`, with all that it was told. */

import {
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { isObject } from '../../../src/text/json.js';
import { type Place, place, type Running, run } from '../../contract/cli.js';

export interface Editor {
  agent: ClientConnection['agent'];
  running: Running;
  place: Place;
  /** `session/update` of all sessions, in the order they came. */
  updates: { session: string; update: SessionUpdate }[];
  questions: RequestPermissionRequest[];
  /** Everything that came on stdout, as it came. */
  raw: readonly JsonObject[];
  /** Resolves with the first update (past ones count) that fits. */
  update(fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate>;
  /** Closes stdin and waits for the exit. */
  quit(): Promise<{ code: number | null; stderr: string; lines: string[]; late: boolean }>;
}

const open = new Set<Running>();

/** Ends what a failed test left. */
export function closeAll(): void {
  for (const running of open) running.child.kill('SIGKILL');
  open.clear();
}

type Answer = (question: RequestPermissionRequest, editor: Editor) => Promise<RequestPermissionResponse>;

export interface EditorOptions {
  args?: readonly string[];
  place?: Place;
  capabilities?: Record<string, unknown>;
  /** How the user answers; rejects by default. */
  permit?: Answer;
  /** How the user fills in a form; it is asked for only where `elicitation` is among the capabilities. */
  fill?(form: CreateElicitationRequest): CreateElicitationResponse;
}

/** Chooses the option of that kind. */
export const choose =
  (kind: string): Answer =>
  async ({ options }) => {
    const found = options.find((one) => one.kind === kind);
    return { outcome: found ? { outcome: 'selected', optionId: found.optionId } : { outcome: 'cancelled' } };
  };

/** Starts `turnout acp --runtime demo ARGS` and shakes hands. */
export async function edit(options: EditorOptions = {}): Promise<Editor> {
  const where = options.place ?? place();
  const updates: Editor['updates'] = [];
  const questions: RequestPermissionRequest[] = [];
  const waiting: { fits: (update: SessionUpdate) => boolean; resolve: (update: SessionUpdate) => void }[] = [];
  let heard: (message: JsonObject) => void = () => {};
  /** Updates are taken from the wire: the library may resolve an answer before it calls the handlers of what came ahead of it. */
  const hear = (message: JsonObject) => {
    if (message['method'] === 'session/update') updated(message);
    heard(message);
  };
  const updated = (message: JsonObject) => {
    const { sessionId, update }: SessionNotification = JSON.parse(JSON.stringify(message['params']));
    updates.push({ session: sessionId, update });
    for (const one of waiting.filter(({ fits }) => fits(update))) {
      waiting.splice(waiting.indexOf(one), 1);
      one.resolve(update);
    }
  };
  const args = options.args ?? ['--runtime', 'demo'];
  const running = run(['acp', ...args], { place: where, onEvent: (message) => hear(message) });
  open.add(running);
  void running.ended.then(() => open.delete(running));
  const readable = new ReadableStream({
    start(controller) {
      heard = (message) => controller.enqueue(message);
      void running.ended.then(() => controller.close());
    },
  });
  const writable = new WritableStream({ write: (message) => running.send(JSON.stringify(message)) });
  const app = client({ name: 'test' })
    .onRequest('session/request_permission', async ({ params }) => {
      questions.push(params);
      return (options.permit ?? choose('reject_once'))(params, editor);
    })
    .onRequest('elicitation/create', ({ params }) => options.fill?.(params) ?? { action: 'decline' })
    .onNotification('session/update', () => {});
  const connection = app.connect({ readable, writable });
  const editor: Editor = {
    agent: connection.agent,
    running,
    place: where,
    updates,
    questions,
    raw: running.events,
    update(fits) {
      const found = updates.find(({ update }) => fits(update));
      if (found) return Promise.resolve(found.update);
      return new Promise((resolve) => waiting.push({ fits, resolve }));
    },
    async quit() {
      running.closeStdin();
      running.watch();
      return running.ended;
    },
  };
  await connection.agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
    clientInfo: { name: 'test', version: '1' },
  });
  return editor;
}

/** A new session in the editor's project. */
export async function begin(editor: Editor, more: object = {}): Promise<string> {
  const opened = await editor.agent.request('session/new', { cwd: editor.place.cwd, mcpServers: [], ...more });
  return opened.sessionId;
}

export const prompt = (editor: Editor, sessionId: string, text: string) =>
  editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

/** The text of the answer, joined. */
export function said(editor: Editor, session?: string, kind = 'agent_message_chunk'): string {
  return editor.updates
    .filter((one) => session === undefined || one.session === session)
    .map(({ update }) =>
      update.sessionUpdate === kind && 'content' in update && isObject(update.content) ? update.content['text'] : '',
    )
    .join('');
}

export const ofKind = <Kind extends SessionUpdate['sessionUpdate']>(editor: Editor, kind: Kind) =>
  editor.updates
    .map(({ update }) => update)
    .filter((update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind);

/** What a request failed with. */
export async function failed(request: Promise<unknown>): Promise<{ code: number; message: string; data: JsonObject }> {
  try {
    await request;
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      const data = 'data' in error && isObject(error.data) ? error.data : {};
      return { code: Number(error.code), message: error.message, data };
    }
    throw error;
  }
  throw new Error('the request did not fail');
}
