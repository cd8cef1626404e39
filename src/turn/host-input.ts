/** What a host sends into a running turn. */

import type { Frame } from '../contract/frame.js';
import type { Heard } from '../runner/action.js';
import type { Runner } from '../runner/runner.js';
import { resultText } from './frames.js';
import type { Parts } from './parts.js';
import type { Tap } from './world.js';

export interface Hosted {
  frame(frame: Frame): void;
  badFrame(message: string, id: string | null): void;
  stdinClosed(): void;
}

export function hosted(options: {
  runner: Runner;
  parts: Parts;
  tap: Tap | undefined;
  over(): boolean;
  /** Whether the turn is on its way out, so that guidance comes too late. */
  late(): boolean;
  hear(heard: Heard): void;
  cancel(): void;
  /** Tells the host what was wrong with its line. */
  complain(message: string): void;
}): Hosted {
  const { parts } = options;
  const badFrame = (message: string, id: string | null) => {
    if (options.over()) return;
    options.complain(message);
    if (id !== null) parts.calls.settle(id, false, 'ERROR: bad tool_result frame');
  };
  return {
    frame(frame) {
      if (options.over()) return;
      if (frame.type !== 'cancel')
        options.tap?.({ k: 'frame', frame: frame.type === 'question_result' ? parts.inquiries.safe(frame) : frame });
      switch (frame.type) {
        case 'cancel':
          return options.cancel();
        case 'tool_result': {
          const text = resultText(frame.result);
          const settled = parts.calls.settle(frame.id, frame.ok, frame.ok ? text : `ERROR: ${text}`);
          if (!settled) badFrame(`tool_result for ${frame.id}: no such call is open`, null);
          return;
        }
        case 'permission_result':
          if (parts.permissions.decide(frame)) return;
          return badFrame(`permission_result for ${frame.id}: no such question is open`, null);
        case 'question_result': {
          const fault = parts.inquiries.settle(frame);
          return fault === null ? undefined : badFrame(fault, null);
        }
        case 'steer':
          if (!options.runner.steer || options.late()) return parts.say.steered(frame.id, false);
          return options.hear({ type: 'steer', id: frame.id, text: frame.text });
        default: {
          const never: never = frame;
          throw new Error(`unknown frame ${JSON.stringify(never)}`);
        }
      }
    },
    badFrame(message, id) {
      options.tap?.({ k: 'bad-frame', message, id });
      badFrame(message, id);
    },
    stdinClosed() {
      options.tap?.({ k: 'stdin-closed' });
      parts.calls.close('ERROR: caller closed stdin');
      parts.permissions.close('ERROR: caller closed stdin');
      parts.inquiries.close();
    },
  };
}
