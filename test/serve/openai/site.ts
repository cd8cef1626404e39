/** The surface on a listener, over turns that do as the test says. */

import type { Event } from '../../../src/contract/event.js';
import { OWNER } from '../../../src/contract/principal.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { CoreOptions } from '../../../src/runs/core.js';
import { keyring } from '../../../src/serve/listen/keys.js';
import { type OpenAiOptions, openAiSurfaces } from '../../../src/serve/openai/surface.js';
import { parseObject } from '../../../src/text/json.js';
import { begins, type FakeTurn, type Stage, settled, stage } from '../../runs/fake-turn.js';
import { runner } from '../../turn/stage.js';
import { type Site, site } from '../listen/raw.js';

export const KEY = 'owner-owner-owner-owner';
export const GUEST_KEY = 'guest-guest-guest-guest';
export const OTHER_KEY = 'other-other-other-other';

export interface Api extends Stage {
  site: Site;
  /** Sends JSON with the owner's key. */
  post(path: string, body: JsonObject, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The nth turn, once it has begun. */
  turn(index: number): Promise<FakeTurn>;
  close(): Promise<void>;
}

export async function api(options: Partial<CoreOptions> = {}, settings: OpenAiOptions = {}): Promise<Api> {
  const on = stage({ runners: [{ ...runner(), images: true }], cwd: process.cwd(), ...options });
  const surfaces = openAiSurfaces(on.core, settings);
  const at = await site({
    surfaces,
    guard: {
      identify: keyring([
        { secret: KEY, principal: OWNER },
        { secret: OTHER_KEY, principal: { name: 'other', kind: 'key' } },
        { secret: GUEST_KEY, principal: { name: 'visitor', kind: 'guest' } },
        { secret: OTHER_KEY.toUpperCase(), principal: { name: 'third', kind: 'key' } },
      ]),
      hosts: [],
      anyAddress: false,
      origins: ['https://app.test'],
    },
  });
  const authorized = { authorization: `Bearer ${KEY}` };
  return {
    ...on,
    site: at,
    get: (path, headers = {}) => fetch(at.url(path), { headers: { ...authorized, ...headers } }),
    post: (path, body, headers = {}) =>
      fetch(at.url(path), {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...authorized, 'content-type': 'application/json', ...headers },
      }),
    async turn(index) {
      for (;;) {
        const found = on.turns[index];
        if (found) return found;
        await settled();
      }
    },
    async close() {
      at.open.cut();
      await at.open.close();
      for (const surface of surfaces) await surface.close?.();
    },
  };
}

/** The data of all frames of a stream. */
export async function frames(response: Response): Promise<string[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .flatMap((frame) => frame.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice(6));
}

export const objects = async (response: Response): Promise<JsonObject[]> =>
  (await frames(response)).map((data) => parseObject(data) ?? { data });

export const says = (text: string, message = 'm1'): Event => ({ v: 1, type: 'assistant', text, message_id: message });

export const calls = (id: number, name: string, args: JsonObject): Event => ({
  v: 1,
  type: 'tool_call',
  id: `tc_${id}`,
  name,
  args,
});

export const fails = (
  code: 'auth' | 'quota' | 'runner-error' | 'rate-limited' | 'timeout',
  message = 'it failed',
): Event => ({
  v: 1,
  type: 'error',
  code,
  message,
  fatal: true,
});

export const uses = (input: number, output: number): Event => ({
  v: 1,
  type: 'usage',
  input_tokens: input,
  output_tokens: output,
  cost_usd: null,
});

export const user = (content: string): JsonObject => ({ role: 'user', content });

export async function withApi(work: (on: Api) => Promise<void>, ...how: Parameters<typeof api>): Promise<void> {
  const on = await api(...how);
  try {
    await work(on);
  } finally {
    await on.close();
  }
}

/** Plays a turn that says one text. */
export async function answers(on: Api, index: number, text: string): Promise<void> {
  const turn = await on.turn(index);
  turn.emit(begins(index + 1));
  turn.emit({ v: 1, type: 'session', session_id: `native-${index}` });
  turn.emit(says(text, `m${index}`));
  turn.emit(uses(10, 5));
  turn.end();
}

export const CHAT = '/v1/chat/completions';

export const ask = (messages: JsonObject[], more: JsonObject = {}): JsonObject => ({
  model: 'test/opus',
  messages,
  ...more,
});
