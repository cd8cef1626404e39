/** Events → text for people, in the place of the event writer. */

import type { Event } from '../contract/event.js';
import { type EventWriter, eventWriter, type Sink, type WriterHooks } from './event-writer.js';
import type { Side } from './status-line.js';
import type { Shown } from './text-view.js';

/** Only the text counts: it is put in beside the event. */
const CARRIER: Event = { v: 1, type: 'status', phase: 'initializing' };

/**
 * The answer goes to the sink first, then what stands beside it.
 * @param beside makes what stands beside the answer; given a way to write, it writes there, else where it likes
 * @param shared both lead to the same place, so all goes one way: two streams can overtake each other
 */
export function textWriter(
  sink: Sink,
  hooks: WriterHooks,
  view: (event: Event) => Shown,
  beside: (write: ((text: string) => void) | null) => Side,
  shared: boolean,
): EventWriter {
  let out = '';
  const inner = eventWriter(sink, hooks, () => out);
  const put = (text: string) => {
    out = text;
    if (text !== '') inner.write(CARRIER);
  };
  const side = beside(shared ? put : null);
  return {
    write(event) {
      const shown = view(event);
      if (shown.out !== '' || shown.lines.length > 0) side.clear();
      put(shown.out);
      for (const line of shown.lines) side.line(line);
      if (event.type === 'done') side.close();
      else side.live(shown.live);
    },
    get pending() {
      return inner.pending;
    },
    get broken() {
      return inner.broken;
    },
    drained: inner.drained,
    flush: inner.flush,
  };
}
