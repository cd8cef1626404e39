/** Requests to our own server, with the visit's nonce. The cookie goes along by itself. */

import { signal } from '@preact/signals';

const KEPT = 'turnout-nonce';

/** Why a request was refused. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Whether the server lets us in; null until it is known. */
export const admitted = signal<boolean | null>(null);

let nonce = sessionStorage.getItem(KEPT) ?? '';

function keep(given: string): void {
  nonce = given;
  sessionStorage.setItem(KEPT, given);
}

/** Other tabs of this page; nobody of another origin hears what is said here. */
const tabs = new BroadcastChannel('turnout-visit');
tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data === 'ask' && nonce !== '') tabs.postMessage({ nonce });
  if (nonce !== '' || typeof data !== 'object' || data === null || !('nonce' in data)) return;
  if (typeof data.nonce !== 'string') return;
  keep(data.nonce);
  admitted.value = true;
};

async function fault(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return new ApiError(response.status, error.code, error.message);
  } catch {
    return new ApiError(response.status, 'unreadable', text.slice(0, 500));
  }
}

async function ask(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`/page${path}`, {
    method,
    headers: { 'x-turnout-page': nonce, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  });
  if (response.status === 401) admitted.value = false;
  if (!response.ok) throw await fault(response);
  return response;
}

/** @throws {ApiError} @throws {TypeError} when the server can't be reached */
export async function call<Value>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Value> {
  return (await (await ask(method, path, body)).json()) as Value;
}

/** Reads a stream of lines to its end. Resolves when the server ends it. @throws as {@link call} */
export async function readLines(path: string, heard: (line: unknown) => void, signal: AbortSignal): Promise<void> {
  const { body } = await ask('GET', path, undefined, signal);
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    // An empty line is the server's sign of life.
    heard(null);
    for (const line of lines) if (line !== '') heard(JSON.parse(line));
  }
}

/** Exchanges the code in the address, which is taken out of it at once; else sees whether the last visit still holds. */
export async function enter(): Promise<void> {
  const code = /^#t=(.+)$/.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, '', '/');
    const response = await fetch('/page/visit', {
      method: 'POST',
      body: JSON.stringify({ code }),
      headers: { 'content-type': 'application/json' },
    });
    if (response.ok) keep(((await response.json()) as { nonce: string }).nonce);
  } else if (nonce === '') tabs.postMessage('ask');
  try {
    await call('GET', '/me');
    admitted.value = true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    // Another tab may still answer.
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (nonce !== '')
      admitted.value = await call('GET', '/me').then(
        () => true,
        () => false,
      );
  }
}

export async function leave(): Promise<void> {
  await call('DELETE', '/visit');
  nonce = '';
  sessionStorage.removeItem(KEPT);
  admitted.value = false;
}
