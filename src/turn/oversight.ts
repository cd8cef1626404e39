/** What is looked at whenever a turn goes on: budgets, rounds, servers that must be ready, tools that must have been read. */

import type { TurnErrorCode } from '../contract/error.js';
import type { NoticeCode } from '../contract/vocabulary.js';
import type { Say } from '../runner/action.js';
import { budgets } from './budgets.js';
import type { Stop } from './ending.js';
import type { TurnInput } from './input.js';
import type { Parts } from './parts.js';
import { isWork, requiredServers } from './required-servers.js';

export interface Oversight {
  /** Says what the conversation says, as far as the turn may still go on. */
  say(event: Say): void;
  /** A caller's tool call has begun. */
  called(): void;
  /** The usage has grown. */
  spent(): void;
  rounds(): void;
}

export function oversight(turn: {
  input: Pick<TurnInput, 'runner' | 'admitted' | 'tools' | 'policy'>;
  of: Parts;
  stopping(): boolean;
  stop(how: Stop): void;
  fail(code: TurnErrorCode, message: string): void;
  notice(code: NoticeCode, message: string): void;
}): Oversight {
  const { input, of } = turn;
  const { runner, tools, policy } = input;
  const { request } = input.admitted;
  const budget = budgets(request);
  const required = requiredServers(request);
  let bridgeNoticeSent = false;

  const spent = () => {
    const message = turn.stopping() ? null : budget.passed(of.ledger.totals());
    if (message !== null) turn.stop({ kind: 'budget', message });
  };
  const called = () => {
    budget.called();
    spent();
  };
  const rounds = () => {
    if (request.maxTurns === null || turn.stopping() || of.say.rounds.count() <= request.maxTurns) return;
    turn.stop({ kind: 'max_turns' });
  };
  const demand = (missing: string | null) => {
    if (missing !== null && !turn.stopping()) turn.fail('mcp-failed', missing);
  };
  /** An agent that speaks before it asked for the caller's tools will not have them. */
  const bridge = () => {
    if (bridgeNoticeSent || tools === null || tools.toolbox.names().length === 0) return;
    bridgeNoticeSent = true;
    if (tools.listed() !== false) return;
    turn.notice('tools-not-listed', `${runner.id} did not ask for the caller's tools; it may not offer them`);
  };

  return {
    say(event) {
      if (isWork(event)) demand(required.began());
      const isEnd = event.type === 'tool_activity' && event.phase === 'end';
      // A call that the end of the turn cuts short has not failed by itself.
      const isCut = isEnd && turn.stopping() && !event.ok && !event.denied;
      of.say.say(isCut ? { ...event, cancelled: true } : event);
      const broken = turn.stopping() ? null : (policy?.reported(event) ?? null);
      if (broken !== null) turn.fail('unsafe', broken);
      if (event.type === 'ready') demand(required.ready(event.mcpServers));
      if (event.type === 'tool_activity' && event.phase === 'start') called();
      rounds();
      if (event.type === 'assistant') bridge();
    },
    called,
    spent,
    rounds,
  };
}
