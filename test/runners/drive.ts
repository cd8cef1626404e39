/** Drives a conversation by hand: give it what it hears, read what it answers. For tests of one runner. */

import type { Action, Conversation, Heard } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';

/** A request with every default, for tests to change. */
export function request(changes: Partial<TurnRequest> = {}): TurnRequest {
  return {
    runtime: 'test',
    prompt: 'hello',
    system: null,
    model: null,
    effort: null,
    cwd: '/project',
    resume: null,
    access: 'scoped',
    sandbox: null,
    sandboxFallback: 'fail',
    allowBashPrefix: [],
    approvals: 'deny',
    toolsOn: false,
    tools: [],
    toolTimeoutMs: 120_000,
    maxTurns: null,
    budgetUsd: null,
    settings: [],
    mcpServers: [],
    outputSchema: null,
    ...changes,
  };
}

/** A Linux machine with the program at /bin/agent. */
export function machine(changes: Partial<Machine> = {}): Machine {
  return {
    program: { path: '/bin/agent', args: [], found: '/bin/agent', real: '/bin/agent', version: null, variant: null },
    platform: 'linux',
    uid0: false,
    home: '/home/user',
    envNames: new Set(),
    turnout: ['node', 'turnout.js'],
    ids: { session: '11111111-1111-4111-8111-111111111111', turn: 'turn-1', nonce: 'n0nce' },
    mcpBridge: null,
    ...changes,
  };
}

/** Feeds a list of things heard and returns all actions in order. */
export function hearAll(conversation: Conversation, heard: readonly Heard[]): Action[] {
  return heard.flatMap((one) => conversation.hear(one));
}

/** Native lines as things heard. */
export function lines(...texts: (string | object)[]): Heard[] {
  return texts.map((text) => ({ type: 'line', text: typeof text === 'string' ? text : JSON.stringify(text) }));
}

/** The text of what was said to the user, joined. */
export function saidText(actions: readonly Action[]): string {
  return actions
    .map((action) => (action.do === 'say' && action.event.type === 'assistant' ? action.event.text : ''))
    .join('');
}
