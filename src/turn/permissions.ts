/** Answers a runtime's permission questions: by the mode, or by the host when it wants to be asked. */

import type { PermissionRequestEvent } from '../contract/event.js';
import type { PermissionResultFrame } from '../contract/frame.js';
import { CHOICES, type Choice, type ToolKind } from '../contract/vocabulary.js';
import type { Question } from '../runner/action.js';
import { str } from '../text/json.js';
import { clampInput } from './clamp.js';
import { type JudgeContext, judge, writtenPaths } from './judge.js';
import type { PolicyDesk } from './policy/desk.js';
import { type Shell, wordsFor } from './shell-words.js';

type Answer = (choice: Choice, message: string) => void;

export interface Permissions {
  ask(key: string, question: Question, answer: Answer): void;
  /** @returns false when no such question is open */
  decide(frame: PermissionResultFrame): boolean;
  withdraw(key: string): void;
  /** Denies everything that is open and what will still be asked. */
  close(why: string): void;
  open(): number;
}

/** What an `allow_session` covers: the tool's name, for a shell the program too. Null: nothing but itself. */
export function scopeOf(question: Pick<Question, 'name' | 'kind' | 'input'>, shell: Shell = 'posix'): string | null {
  if (question.kind !== 'shell') return question.name;
  const program = wordsFor(str(question.input ?? {}, 'command') ?? '', shell)?.[0];
  return program === undefined ? null : `${question.name} ${program}`;
}

/** What may leave files behind. */
const CHANGES: ReadonlySet<ToolKind> = new Set(['shell', 'edit', 'write', 'patch', 'task', 'mcp', 'other']);

/** An `allow_session` for writing is no word on files that make other programs run commands. */
function isSteering(question: Question, context: JudgeContext): boolean {
  return (writtenPaths(question.kind, question.input) ?? []).some((path) => context.steers(path));
}

export function permissions(options: {
  context: JudgeContext;
  /** Whether the host is asked about what the mode does not allow. */
  asksHost: boolean;
  /** What the caller's policy says; the mode decides alone when absent. */
  policy?: PolicyDesk | undefined;
  emit(event: PermissionRequestEvent): void;
}): Permissions {
  const { context, asksHost, policy, emit } = options;
  const waiting = new Map<string, { key: string; question: Question; answer: Answer }>();
  const allowed = new Set<string>();
  let next = 1;
  let closed: string | null = null;
  /** The host let something run that may have written files. */
  let touched = false;
  return {
    ask(key, question, answer) {
      const verdict = judge(question.name, question.kind, question.input, { ...context, touched });
      const ruling = policy?.rule(question) ?? null;
      const by = (decision: 'allow' | 'deny', how: 'ruling' | 'mode') =>
        policy?.tell(question, {
          decision,
          by: how === 'mode' ? 'mode' : (ruling?.by ?? 'mode'),
          rule: how === 'mode' ? null : (ruling?.rule ?? null),
        });
      if (ruling?.decision === 'deny') {
        by('deny', 'ruling');
        return answer('deny', `Denied by ${ruling.why}.`);
      }
      // A policy widens no mode that is a guarantee.
      const isLeave = ruling?.decision === 'allow' && (verdict.allow || context.mode === 'scoped');
      if (isLeave || (verdict.allow && ruling?.decision !== 'ask')) {
        by('allow', isLeave ? 'ruling' : 'mode');
        return answer('allow_once', '');
      }
      const scope = scopeOf(question, context.shell);
      if (scope !== null && allowed.has(scope) && !isSteering(question, context)) {
        policy?.tell(question, { decision: 'allow', by: 'person', rule: null });
        return answer('allow_once', '');
      }
      if (!asksHost) {
        by('deny', verdict.allow ? 'ruling' : 'mode');
        const why = verdict.allow ? `${ruling?.why ?? 'the policy'} asks a person, and there is none` : verdict.why;
        return answer('deny', `Denied: ${why} (access mode ${context.mode}).`);
      }
      if (closed !== null) return answer('deny', closed);
      const id = `pr_${next++}`;
      waiting.set(id, { key, question, answer });
      emit({
        v: 1,
        type: 'permission_request',
        id,
        ...(question.toolUseId === undefined ? {} : { tool_use_id: question.toolUseId }),
        name: question.name,
        kind: question.kind,
        input: clampInput(question.input),
        choices: [...CHOICES],
      });
    },
    decide(frame) {
      const open = waiting.get(frame.id);
      if (!open) return false;
      waiting.delete(frame.id);
      const scope = scopeOf(open.question, context.shell);
      if (frame.choice !== 'deny' && CHANGES.has(open.question.kind)) touched = true;
      if (frame.choice === 'allow_session' && scope !== null) allowed.add(scope);
      policy?.tell(open.question, { decision: frame.choice === 'deny' ? 'deny' : 'allow', by: 'person', rule: null });
      if (frame.always === true) policy?.keep(open.question, frame.choice === 'deny' ? 'deny' : 'allow');
      // A vendor's "always" is never passed on: the rest of this turn is remembered here.
      const choice = frame.choice === 'allow_session' ? 'allow_once' : frame.choice;
      open.answer(choice, frame.message ?? (choice === 'deny' ? 'The user denied this.' : ''));
      return true;
    },
    withdraw(key) {
      for (const [id, open] of waiting) if (open.key === key) waiting.delete(id);
    },
    close(why) {
      closed = why;
      const all = [...waiting.values()];
      waiting.clear();
      for (const open of all) open.answer('deny', why);
    },
    open: () => waiting.size,
  };
}
