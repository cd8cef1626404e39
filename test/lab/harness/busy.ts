import type { Bench } from './bench.js';
import type { TurnEvent } from './stream.js';
import type { Live } from './turn.js';

/** How long a program that shows no partial text has had its answer when it is ended. */
const UNSEEN_MS = 3000;

/** Acts once the answer has begun: at its first text, or a while after the model was asked where none is shown. */
export function whenBusy(bench: Bench, act: (live: Live) => void): (event: TurnEvent, live: Live) => void {
  let done = false;
  let asked = false;
  const go = (live: Live): void => {
    if (done) return;
    done = true;
    live.ask();
    act(live);
  };
  const look = (live: Live): void => {
    if (done) return;
    const next = asked ? () => go(live) : () => look(live);
    setTimeout(next, asked ? UNSEEN_MS : 200).unref();
    asked ||= bench.model.log.holding(live.marker).some((entry) => entry.scenario !== 'side');
  };
  return (event, live) => {
    if (event.type === 'assistant' || event.type === 'tool_activity') go(live);
    if (event.type === 'start') look(live);
  };
}
