/**
 * Which session a conversation belongs to that comes whole with each request, without an id. What was said is hashed: when
 * all of it but the newest message is what one of our sessions ends with, the session goes on and the agent gets the newest
 * message alone. A conversation that was edited, or goes on twice, does not match, and is told to a new session as text.
 */

import { createHash } from 'node:crypto';
import type { Said } from './said.js';

export interface Thread {
  session: string;
  /** Its last run, when the conversation was as the hash says. */
  run: string;
}

export interface Threads {
  /** Whoever takes a thread has it alone: a session goes on once from each point. */
  take(key: string): Thread | null;
  put(key: string, thread: Thread): void;
}

/** Conversations that are kept in mind; the longest unused is forgotten first. */
const MOST = 5000;

export function threads(most = MOST): Threads {
  const known = new Map<string, Thread>();
  return {
    take(key) {
      const found = known.get(key) ?? null;
      known.delete(key);
      return found;
    },
    put(key, thread) {
      known.delete(key);
      known.set(key, thread);
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** Clients trim and re-wrap what they send back. */
const normal = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/** @param whose what keeps conversations apart that say the same: caller, model, instructions, folder */
export function threadKey(whose: readonly (string | null)[], messages: readonly Said[]): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(whose));
  for (const { role, text, calls, callId, images } of messages) {
    const ids = calls.map(({ id }) => id);
    hash.update(JSON.stringify([role, normal(text), ids, callId, images.map(({ data }) => data)]));
  }
  return hash.digest('base64url');
}
