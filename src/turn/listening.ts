/** What a runtime prints, on its way to the conversation: signs of life, lines that nobody can read, complaints. */

import type { TurnErrorCode } from '../contract/error.js';
import type { Heard } from '../runner/action.js';
import type { Runner } from '../runner/runner.js';
import { nativeLines } from '../text/native-lines.js';
import { asksForLogin } from './login-prompt.js';
import type { Parts } from './parts.js';
import type { ChildHandlers, Tap } from './world.js';

export interface Listening {
  handlers: ChildHandlers;
  /** A line that the conversation could not read: an object inside of it is heard by itself, else it is counted. */
  unread(line: string): void;
}

export function listening(turn: {
  runner: Runner;
  of: Parts;
  tap: Tap | undefined;
  /** A sign of life came. */
  alive(): void;
  hear(heard: Heard): void;
  fail(code: TurnErrorCode, message: string): void;
  /** Whether the runtime gave its end mark. */
  finished(): boolean;
}): Listening {
  const { runner, of, tap } = turn;
  return {
    handlers: {
      line(text) {
        turn.alive();
        tap?.({ k: 'out', line: text });
        turn.hear({ type: 'line', text });
      },
      dropped(bytes) {
        turn.alive();
        tap?.({ k: 'dropped', bytes });
        of.unread.add(`(a line of ${bytes} bytes, which was dropped)`);
        const message = `${runner.id} printed a line of ${bytes} bytes, which was dropped`;
        of.say.say({ type: 'notice', code: 'line-dropped', message });
      },
      stderr(text) {
        turn.alive();
        tap?.({ k: 'err', line: text });
        if (!runner.chatter?.test(text)) of.stderr.add(text);
        turn.hear({ type: 'stderr', text });
        if (!turn.finished() && of.silent() && asksForLogin(text)) turn.fail('auth', `${runner.id}: ${text.trim()}`);
      },
      closed() {
        if (!turn.finished()) turn.fail('runner-error', `${runner.id} closed its output before it finished its answer`);
      },
      exit: () => {},
    },
    unread(line) {
      const inside = nativeLines(line);
      if (inside[0] !== line) {
        for (const text of inside) turn.hear({ type: 'line', text });
        return;
      }
      if (line.trim() === '') return;
      tap?.({ k: 'unread', line });
      of.unread.add(line);
    },
  };
}
