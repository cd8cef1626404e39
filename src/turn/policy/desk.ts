/** A policy at work in one turn: what it decides, what a person once answered for ever, and who is told. */

import type { Policy, PolicyDecision } from '../../contract/policy.js';
import type { Question, Say } from '../../runner/action.js';
import { str } from '../../text/json.js';
import { type Around, type Call, decide } from './decide.js';

/** By what a call was decided; `program`: it ran without a question. */
export type DecidedBy = 'rule' | 'default' | 'answer' | 'person' | 'mode' | 'program';

/** One line of the audit log. */
export interface Decided extends Call {
  decision: 'allow' | 'deny';
  by: DecidedBy;
  /** From 0, with `by: 'rule'`. */
  rule: number | null;
}

/** An answer that a person gave for ever. */
export interface LastingAnswer {
  runtime: string;
  name: string;
  kind: Call['kind'];
  /** The very command, path, or the like; what it covers is the same again and nothing else. */
  what: string;
  decision: 'allow' | 'deny';
}

/** Where a desk keeps things: files of the person's own, by the room that runs the turn. */
export interface DeskFiles {
  answers: readonly LastingAnswer[];
  keep(answer: LastingAnswer): void;
  log(decided: Decided): void;
}

type Asked = Pick<Question, 'name' | 'kind' | 'input' | 'toolUseId'>;

export interface PolicyDesk {
  /** @returns what is decided without a person; `ask` where one must be asked; null where the mode decides */
  rule(call: Asked): { decision: PolicyDecision | null; why: string; by: DecidedBy; rule: number | null };
  /** For ever. */
  keep(call: Asked, decision: 'allow' | 'deny'): void;
  tell(call: Asked, how: Pick<Decided, 'decision' | 'by' | 'rule'>): void;
  /** Hears of a call as the program reports it. @returns why the turn must end: it did unasked what the policy does not allow */
  reported(event: Say): string | null;
}

/** What an answer for ever is about. */
export function whatOf({ input, name }: Pick<Call, 'input' | 'name'>): string {
  const own = input ?? {};
  return (
    str(own, 'command') ??
    str(own, 'file_path') ??
    str(own, 'path') ??
    str(own, 'url') ??
    `${name} ${JSON.stringify(own)}`
  );
}

export function policyDesk(policy: Policy, around: Around, runtime: string, files: DeskFiles): PolicyDesk {
  const answers = [...files.answers];
  const callOf = ({ name, kind, input }: Asked): Call => ({ runtime, name, kind, input });
  const alike = (call: Call): string => `${call.kind} ${whatOf(call)}`;
  /** Ids of calls that were asked about, and what they were where the question names no id. */
  const questions = new Set<string>();
  const open = new Map<string, Call>();
  const desk: PolicyDesk = {
    rule(asked) {
      const call = callOf(asked);
      const { decision, rule, part } = decide(policy, call, around);
      const of = part === undefined ? '' : `, by its part \`${part}\``;
      const by: DecidedBy = rule === null ? 'default' : 'rule';
      const named = rule === null ? `the policy's default${of}` : `rule ${rule + 1} of the policy${of}`;
      if (decision !== 'ask') return { decision, why: named, by, rule };
      const what = whatOf(call);
      const before = answers.findLast(
        (one) => one.runtime === runtime && one.kind === call.kind && one.name === call.name && one.what === what,
      );
      if (before === undefined) return { decision, why: named, by, rule };
      return { decision: before.decision, why: 'an answer that was given for ever', by: 'answer', rule: null };
    },
    keep(call, decision) {
      const answer = { runtime, name: call.name, kind: call.kind, what: whatOf(call), decision };
      answers.push(answer);
      files.keep(answer);
    },
    tell(asked, how) {
      const call = callOf(asked);
      questions.add(asked.toolUseId ?? alike(call));
      files.log({ ...call, ...how });
    },
    reported(event) {
      if (event.type !== 'tool_activity') return null;
      if (event.phase === 'start') {
        open.set(event.id, callOf(event));
        return null;
      }
      const call = open.get(event.id);
      open.delete(event.id);
      if (call === undefined || event.denied === true || !event.ok) return null;
      if (questions.has(event.id) || questions.has(alike(call))) return null;
      const { decision, why } = desk.rule(call);
      files.log({ ...call, decision: 'allow', by: 'program', rule: null });
      if (decision === null || decision === 'allow') return null;
      const asks = decision === 'ask' ? 'wants a question about' : 'forbids';
      return `${runtime} did without a question what ${why} ${asks}: ${call.kind} ${whatOf(call).slice(0, 200)}`;
    },
  };
  return desk;
}
