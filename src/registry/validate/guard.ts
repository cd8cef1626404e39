/** A runner that is not ours: a fault of its code is told as its own, and what it answers is looked at. */

import type { Conversation } from '../../runner/action.js';
import { RunnerFault } from '../../runner/fault.js';
import type { Runner } from '../../runner/runner.js';
import { actionsFault, invocationFault } from './answers.js';

type Function = 'tools' | 'invoke' | 'converse' | 'hear' | 'sessions' | 'models';

const TOOL_TRANSPORTS: readonly unknown[] = ['native', 'mcp', 'prompt', 'none'];

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPromise(value: unknown): boolean {
  return isRecord(value) && 'then' in value;
}

/** @param from where it was loaded from, for people */
export function guarded(runner: Runner, from: string): Runner {
  const fault = (where: Function, what: string, cause?: unknown) =>
    new RunnerFault(`the runner ${runner.id} (${from}) failed in ${where}: ${what}`, { cause });
  const run = <T>(where: Function, work: () => T, wrong: (value: T) => string | null): T => {
    let value: T;
    try {
      value = work();
    } catch (cause) {
      throw fault(where, cause instanceof Error ? cause.message : String(cause), cause);
    }
    const what = isPromise(value) ? 'it gave a promise; a runner answers at once' : wrong(value);
    if (what !== null) throw fault(where, what);
    return value;
  };
  const converse: Runner['converse'] = (request, machine, living) => {
    const isTurn = (value: unknown) =>
      isRecord(value) && typeof Reflect.get(value, 'hear') === 'function' ? null : 'it gave no object with hear';
    const turn: Conversation = run('converse', () => runner.converse(request, machine, living), isTurn);
    return { hear: (heard) => run('hear', () => turn.hear(heard), actionsFault) };
  };
  const { models } = runner;
  return {
    ...runner,
    tools: (request, machine) =>
      run(
        'tools',
        () => runner.tools(request, machine),
        (value) => (TOOL_TRANSPORTS.includes(value) ? null : 'it is none of native, mcp, prompt, none'),
      ),
    invoke: (request, machine) => run('invoke', () => runner.invoke(request, machine), invocationFault),
    converse,
    ...(models === undefined
      ? {}
      : {
          models: {
            ...models,
            read: (lines, over) =>
              run(
                'models',
                () => models.read(lines, over),
                () => null,
              ),
          },
        }),
    ...(runner.sessions === undefined
      ? {}
      : {
          sessions: (cwd: string) =>
            run(
              'sessions',
              () => {
                const source = runner.sessions?.(cwd);
                if (source === undefined) throw new Error('it gave nothing');
                return source;
              },
              () => null,
            ),
        }),
  };
}
