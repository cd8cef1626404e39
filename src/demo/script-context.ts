/** What a word of the script can do: talk, use tools, wait. One context a turn. */

import type { Answers } from '../contract/question.js';
import type { Choice, JsonObject } from '../contract/vocabulary.js';
import type { Incoming, Outgoing, Prompt } from './dialect.js';
import type { Send } from './output.js';
import { counted } from './usage.js';

/** The other side asked us to stop. */
export class Interrupted extends Error {}

export interface Answer {
  ok: boolean;
  text: string;
}

export interface Decision {
  choice: Choice;
  message: string;
}

export interface ScriptContext {
  readonly prompt: Prompt;
  /** Earlier prompts of this session, oldest first. */
  readonly history: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  send: Send;
  /** One delta of the open message. */
  say(text: string, more?: { parent?: string; replaces?: string }): Promise<void>;
  think(text: string): Promise<void>;
  /** Id of the open message; opens one. */
  message(): string;
  /** Ends the open message and accounts for it. */
  close(): Promise<void>;
  /** A fresh id for a native tool. */
  tool(): string;
  /** Asks the other side to run tools: all go out before any answer is waited for. */
  want(calls: readonly { name: string; args: JsonObject }[]): Promise<Answer[]>;
  /** Asks whether a native tool may run. */
  question(tool: string, name: string, input: JsonObject): Promise<Decision>;
  /** Asks a person; null when nobody answers. */
  askUser(tool: string, questions: JsonObject[], timeoutMs?: number): Promise<Answers | null>;
  /** Waits; takes guidance that came meanwhile. */
  pause(ms: number): Promise<void>;
  /** Waits until interrupted. */
  forever(): Promise<never>;
}

/** The context and the ear that its owner feeds with what the other side says. */
export interface Play {
  context: ScriptContext;
  hear(incoming: Incoming): void;
  /** Tells about guidance that came too late. */
  leave(): Promise<void>;
}

export function scriptContext(prompt: Prompt, history: readonly string[], cwd: string, send: Send): Play {
  const stop = new AbortController();
  const waiting = new Map<string, (incoming: Incoming) => void>();
  const guidance: { id: string; text: string }[] = [];
  let messages = 0;
  let open: string | null = null;
  let written = 0;
  let tools = 0;
  let keys = 0;
  const before = history.join('').length + (prompt.system ?? '').length;
  let read = before + prompt.text.length;
  let cached = history.length > 0 ? before : 0;

  const alive = () => {
    if (stop.signal.aborted) throw new Interrupted();
  };
  const tell = async (frame: Outgoing) => {
    alive();
    await send(frame);
  };
  const until = <T>(begin: (resolve: (value: T) => void) => void): Promise<T> => {
    const waited = new Promise<T>((resolve, reject) => {
      const end = () => reject(new Interrupted());
      if (stop.signal.aborted) return end();
      stop.signal.addEventListener('abort', end, { once: true });
      begin((value) => {
        stop.signal.removeEventListener('abort', end);
        resolve(value);
      });
    });
    // Several may wait at once and only the first rejection is heard.
    waited.catch(() => {});
    return waited;
  };
  const message = () => {
    if (open === null) open = `m${++messages}`;
    return open;
  };
  const close = async () => {
    if (open === null) return;
    open = null;
    const spent = counted(read, cached, written);
    cached = read;
    read += written;
    written = 0;
    await send({ type: 'usage', ...spent });
  };
  const say: ScriptContext['say'] = async (text, more = {}) => {
    if (more.parent === undefined) written += text.length;
    await tell({ type: 'delta', message: message(), text, ...more });
  };
  const takeGuidance = async () => {
    for (let next = guidance.shift(); next; next = guidance.shift()) {
      await tell({ type: 'steered', id: next.id, taken: true });
      await say(`(Noted: ${next.text}) `);
    }
  };

  const context: ScriptContext = {
    prompt,
    history,
    cwd,
    signal: stop.signal,
    send: tell,
    say,
    message,
    close,
    tool: () => `t${++tools}`,
    async think(text) {
      written += text.length;
      await tell({ type: 'thinking', message: message(), text });
    },
    async want(calls) {
      const id = message();
      const answers = calls.map(async (call) => {
        const key = `k${++keys}`;
        const answer = until<Answer>((resolve) =>
          waiting.set(key, (heard) => {
            if (heard.type === 'tool_answer') resolve({ ok: heard.ok, text: heard.text });
          }),
        );
        await tell({ type: 'want_tool', key, message: id, ...call });
        return answer;
      });
      const all = await Promise.all(answers);
      await close();
      for (const answer of all) read += answer.text.length;
      await takeGuidance();
      return all;
    },
    async question(tool, name, input) {
      const key = `k${++keys}`;
      const decision = until<Decision>((resolve) =>
        waiting.set(key, (heard) => {
          if (heard.type === 'decision') resolve({ choice: heard.choice, message: heard.message });
        }),
      );
      await tell({ type: 'question', key, tool, name, input });
      return decision;
    },
    async askUser(tool, questions, timeoutMs) {
      const key = `k${++keys}`;
      const answers = until<Answers | null>((resolve) =>
        waiting.set(key, (heard) => {
          if (heard.type === 'user_answers') resolve(heard.answers);
        }),
      );
      const limit = timeoutMs === undefined ? {} : { timeout_ms: timeoutMs };
      await tell({ type: 'ask_user', key, tool, questions, ...limit });
      return answers;
    },
    async pause(ms) {
      await until<void>((resolve) => setTimeout(resolve, ms));
      await takeGuidance();
    },
    forever: () => until<never>(() => {}),
  };

  return {
    context,
    hear(incoming) {
      if (incoming.type === 'interrupt') stop.abort();
      else if (incoming.type === 'steer') guidance.push({ id: incoming.id, text: incoming.text });
      else if (incoming.type !== 'prompt') {
        waiting.get(incoming.key)?.(incoming);
        waiting.delete(incoming.key);
      }
    },
    async leave() {
      for (const late of guidance.splice(0)) await send({ type: 'steered', id: late.id, taken: false });
    },
  };
}
