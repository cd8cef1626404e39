/** A conversation as any of the APIs sends it, once read. */

import type { Picture } from './images.js';

export interface CallSaid {
  id: string;
  name: string;
  /** JSON, as the client sent it. */
  arguments: string;
}

export interface Said {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  images: readonly Picture[];
  /** Of the assistant. */
  calls: readonly CallSaid[];
  /** Of a tool: the call that it answers. */
  callId: string | null;
  /** Of a tool: it failed, in an API that can say so. */
  failed?: true;
}

/** The messages behind the last answer: what is asked now. */
export function tailOf(messages: readonly Said[]): { before: readonly Said[]; tail: readonly Said[] } {
  let start = messages.length;
  while (start > 0 && messages[start - 1]?.role !== 'assistant') start -= 1;
  return { before: messages.slice(0, start), tail: messages.slice(start) };
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

/** Tool calls and their answers as text, for an agent that has not made them itself. */
function spoken({ role, text, calls, callId, failed }: Said): string {
  if (role === 'tool') return `${failed ? 'Failure' : 'Result'} of the tool call ${callId ?? ''}:\n${text}`;
  return joined([
    text,
    ...calls.map(({ id, name, arguments: args }) => `Called the tool ${name} (${id}) with ${args}`),
  ]);
}

/** What was said before, as a transcript. */
export function asHistory(messages: readonly Said[]): { role: 'user' | 'assistant'; text: string }[] {
  return messages
    .map((one) => ({ role: one.role === 'assistant' ? one.role : ('user' as const), text: spoken(one) }))
    .filter(({ text }) => text !== '');
}

/** What is asked now, as one prompt. */
export const asPrompt = (tail: readonly Said[]): string => joined(tail.map(spoken));
