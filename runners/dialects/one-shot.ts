/** Programs that get their prompt at the start, print, and exit: they take no request while they run, signals alone end them. */

import type { Action, Conversation, Heard, Outcome } from '../../src/runner/action.js';

export type Exit = Extract<Heard, { type: 'exit' }>;

/** Ends the turn, once: later calls and whatever is heard afterwards have no effect. */
export type Finish = (outcome: Outcome) => Action[];

export interface OneShot {
  /** As people know the program. */
  title: string;
  /** Lines of stderr that are kept for the exit; 20 when absent. */
  keep?: number;
  /** For stdin, which is closed behind it; null where the prompt went another way. */
  stdin: string | null;
  /** What else happens at the start. */
  spawned?(): Action[];
  line(text: string): Action[];
  /** A line of stderr that says something at once. */
  stderr?(text: string): Action[];
  /** What was held back and is due before a stop ends the turn. */
  release?(): Action[];
  /** @param stderr its last lines */
  exit(heard: Exit, stderr: readonly string[]): Action[];
}

const LAST_LINES = 20;

/** @param make gets the way to end the turn, and the last lines of stderr as they are at any time */
export function oneShot(make: (finish: Finish, stderr: readonly string[]) => OneShot): Conversation {
  const stderr: string[] = [];
  let ended = false;
  const program = make((outcome) => {
    if (ended) return [];
    ended = true;
    return [{ do: 'finish', outcome }];
  }, stderr);
  const { title, keep = LAST_LINES, stdin } = program;
  const stopped: Outcome = { ok: false, code: 'cancelled', message: `${title} is ended.` };
  return {
    hear(heard: Heard) {
      if (ended) return [];
      switch (heard.type) {
        case 'spawned': {
          const feed: Action[] = stdin === null ? [] : [{ do: 'feed', text: stdin }, { do: 'end-stdin' }];
          return [...(program.spawned?.() ?? []), ...feed];
        }
        case 'line':
          return program.line(heard.text);
        case 'stderr':
          stderr.push(heard.text);
          if (stderr.length > keep) stderr.shift();
          return program.stderr?.(heard.text) ?? [];
        case 'stop': {
          const released = program.release?.() ?? [];
          ended = true;
          return [...released, { do: 'finish', outcome: stopped }];
        }
        case 'exit':
          return program.exit(heard, stderr);
        case 'woken':
        case 'mcp':
        case 'answer':
        case 'decision':
        case 'answers':
        case 'steer':
          return [];
        default: {
          const never: never = heard;
          return never;
        }
      }
    },
  };
}
