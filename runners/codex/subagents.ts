/** Threads of subagents: codex reports their items, usage and end under their own thread ids. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Say } from '../../src/runner/action.js';
import { arr, num, str } from '../../src/text/json.js';

interface Child {
  /** The tool call that started it; unknown until that call is reported. */
  parent: string | undefined;
  summary: string;
  tokens: number | undefined;
  state: 'unnamed' | 'running' | 'finished';
}

export interface Subagents {
  /** Threads that a `spawnAgent` call started. */
  spawned(item: JsonObject): Say[];
  /** An item of the newer protocol that says what a subagent does (`subAgentActivity`). */
  activity(item: JsonObject): Say[];
  /** A thread whose turn belongs to ours. */
  known(threadId: string): boolean;
  add(threadId: string): void;
  parent(threadId: string): string | undefined;
  said(threadId: string, text: string): void;
  spent(threadId: string, tokens: number | undefined): void;
  turnCompleted(threadId: string, status: string | undefined): Say[];
  /** The turn is over, and they are with it. */
  stopAll(): Say[];
}

const SUMMARY = 500;

export function subagents(): Subagents {
  const children = new Map<string, Child>();
  const child = (id: string): Child => {
    const known = children.get(id);
    if (known) return known;
    const fresh: Child = { parent: undefined, summary: '', tokens: undefined, state: 'unnamed' };
    children.set(id, fresh);
    return fresh;
  };
  const start = (id: string, parent: string, more: { prompt?: string; description?: string }): Say[] => {
    const one = child(id);
    if (one.state !== 'unnamed') return [];
    one.parent = parent;
    one.state = 'running';
    return [{ type: 'subagent', phase: 'started', id, tool_use_id: parent, ...more }];
  };
  const finish = (id: string, status: 'completed' | 'failed' | 'stopped'): Say[] => {
    const one = child(id);
    if (one.state !== 'running' || one.parent === undefined) return [];
    one.state = 'finished';
    const summary = one.summary === '' ? {} : { summary: one.summary.slice(0, SUMMARY) };
    const usage = one.tokens === undefined ? {} : { usage: { total_tokens: one.tokens } };
    return [{ type: 'subagent', phase: 'finished', id, tool_use_id: one.parent, status, ...summary, ...usage }];
  };
  return {
    spawned(item) {
      const prompt = str(item, 'prompt');
      const parent = str(item, 'id') ?? '';
      const ids = (arr(item, 'receiverThreadIds') ?? []).filter((id) => typeof id === 'string');
      return ids.flatMap((id) => start(id, parent, prompt === undefined ? {} : { prompt }));
    },
    activity(item) {
      const thread = str(item, 'agentThreadId') ?? '';
      const id = str(item, 'id') ?? thread;
      const path = str(item, 'agentPath');
      switch (str(item, 'kind')) {
        case 'started': {
          const said = start(thread, id, path === undefined ? {} : { description: path });
          if (said.length === 0) return [];
          const input = path === undefined ? null : { agent: path };
          return [
            { type: 'tool_activity', phase: 'start', id, name: 'spawn_agent', kind: 'task', input },
            ...said,
            { type: 'tool_activity', phase: 'end', id, ok: true, output: '' },
          ];
        }
        case 'completed':
          return finish(thread, 'completed');
        case 'interrupted':
          return finish(thread, 'stopped');
        default:
          return [];
      }
    },
    known: (id) => children.has(id),
    add: (id) => void child(id),
    parent: (id) => children.get(id)?.parent,
    said: (id, text) => {
      child(id).summary = text;
    },
    spent: (id, tokens) => {
      child(id).tokens = tokens;
    },
    turnCompleted: (id, status) =>
      finish(id, status === 'completed' ? 'completed' : status === 'interrupted' ? 'stopped' : 'failed'),
    stopAll: () => [...children.keys()].flatMap((id) => finish(id, 'stopped')),
  };
}

/** Tokens of a whole thread, from a usage report. */
export function totalTokens(params: JsonObject): number | undefined {
  return num(params, 'tokenUsage', 'total', 'totalTokens');
}
