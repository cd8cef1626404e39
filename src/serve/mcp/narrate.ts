/** What a run does, as progress messages: tools at once, text as it grows, and a sign of life when nothing is said. */

import type { AssistantEvent, Event, ToolActivityEvent } from '../../contract/event.js';
import { toolLabel } from '../../view/tool-label.js';

/**
 * Milliseconds between two messages about the same growing text, and of silence before a sign of life. OpenCode 1.18 gives
 * up after 5 s unless progress is told.
 */
const PACE = 300;
const QUIET = 2000;
/** Characters of the end of a text that are shown. */
const SHOWN = 2000;

export interface Narrator {
  hear(event: Event): void;
  end(): void;
}

const tail = (text: string): string =>
  text.length <= SHOWN ? text : `…${text.slice(-SHOWN).replace(/^[\udc00-\udfff]/, '')}`;

/** @param tell sends one message */
export function narrator(cwd: string, tell: (message: string) => void): Narrator {
  let message = '';
  let text = '';
  /** What it was last seen doing. */
  let doing = 'starting';
  let due: NodeJS.Timeout | undefined;
  let quiet: NodeJS.Timeout | undefined;
  const begun = Date.now();

  function say(what: string): void {
    tell(what);
    clearTimeout(quiet);
    quiet = setTimeout(() => say(`${doing} (${Math.round((Date.now() - begun) / 1000)} s)`), QUIET);
    quiet.unref();
  }
  function flush(): void {
    if (due === undefined) return;
    clearTimeout(due);
    due = undefined;
    say(tail(text));
  }
  function assistant(event: AssistantEvent): void {
    if (event.parent_tool_use_id !== undefined) return;
    const id = event.message_id;
    if (id !== message) flush();
    text = (id === message ? text : '') + event.text;
    message = id;
    doing = 'writing';
    due ??= setTimeout(flush, PACE);
  }
  function tool(event: ToolActivityEvent): void {
    if (event.phase === 'end') return;
    flush();
    doing = toolLabel(event, cwd);
    say(doing);
  }
  say(doing);
  return {
    hear(event) {
      switch (event.type) {
        case 'assistant':
          return assistant(event);
        case 'thinking':
          doing = 'thinking';
          return;
        case 'tool_activity':
          return tool(event);
        case 'permission_request':
          flush();
          return say(`asks for permission: ${event.name}`);
        case 'question':
          flush();
          return say(`asks: ${event.questions.map(({ question }) => question).join(' ') || event.title || event.url}`);
        case 'status':
          flush();
          return say(event.message ?? event.phase);
        default:
          return;
      }
    },
    end() {
      clearTimeout(due);
      clearTimeout(quiet);
    },
  };
}
