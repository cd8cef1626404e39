/** A run at any moment of it: a slider over its events, and the events themselves. */

import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { advance, emptyTurn, type Heard, type TurnView } from '../../view/turn.js';
import { call } from '../api.js';
import { liveRun } from '../live-run.js';
import type { Run } from '../model.js';
import { Split } from '../parts/beside.js';
import { copied, copyText } from '../parts/copy.js';
import { Icon } from '../parts/icon.js';
import { Scroll } from '../parts/scroll.js';
import { Text } from '../parts/text.js';
import { Transcript } from '../parts/transcript.js';

/** Events between two states that are kept, so that going back is as quick as going on. */
const EVERY = 500;
const STEP_MS = 120;

/** @returns the view after so many events */
function timeline(log: readonly Heard[]): (count: number) => TurnView {
  const kept: TurnView[] = [emptyTurn];
  return (count) => {
    let at = Math.min(Math.floor(count / EVERY), kept.length - 1);
    let view = kept[at] ?? emptyTurn;
    for (; (at + 1) * EVERY <= count; at++) {
      view = advance(view, log.slice(at * EVERY, (at + 1) * EVERY));
      kept[at + 1] = view;
    }
    return advance(view, log.slice(at * EVERY, count));
  };
}

const typeOf = (heard: Heard | undefined): string => (heard && 'event' in heard ? heard.event.type : 'gap');
const MARKS: ReadonlySet<string> = new Set(['tool_activity', 'tool_call', 'permission_request', 'error', 'plan']);

export function Replay({ id }: { id: string }) {
  const live = useMemo(() => liveRun(id), [id]);
  const run = useMemo(() => signal<Run | null>(null), [id]);
  const at = useSignal<number | null>(null);
  const playing = useSignal(0);
  const view = useMemo(() => timeline(live.log), [live]);
  useEffect(() => () => live.stop(), [live]);
  useEffect(() => {
    call<{ run: Run }>('GET', `/runs/${encodeURIComponent(id)}`).then(
      (found) => {
        run.value = found.run;
      },
      () => {},
    );
  }, [id]);
  const count = live.view.value.seq === 0 ? 0 : live.log.length;
  const here = Math.min(at.value ?? count, count);
  useEffect(() => {
    if (playing.value === 0) return;
    const timer = setInterval(() => {
      const next = (at.value ?? 0) + 1;
      at.value = next;
      if (next >= count) playing.value = 0;
    }, STEP_MS / playing.value);
    return () => clearInterval(timer);
  }, [playing.value, count]);
  const jump = () => {
    const next = live.log.findIndex((heard, index) => index >= here && MARKS.has(typeOf(heard)));
    at.value = next < 0 ? count : next + 1;
  };
  const event = live.log[here - 1];
  const raw = event === undefined ? '' : JSON.stringify('event' in event ? event.event : event, null, 2);
  const asLines = () => live.log.map((one) => ('event' in one ? `${JSON.stringify(one.event)}\n` : '')).join('');
  return (
    <div class="chat">
      <header class="chat-head">
        <h1>Replay</h1>
        <p class="small muted">
          {run.value && <a href={`#/s/${encodeURIComponent(run.value.session_id)}`}>Back to the session</a>} · {id}
        </p>
      </header>
      <Split
        side={
          <Scroll look="raw" label="Event">
            <p class="row">
              <strong>{typeOf(event)}</strong>
              <button type="button" class="quiet" onClick={() => void copyText(asLines())}>
                <Icon name="copy" /> {copied.value === null ? 'Copy all events' : 'Copied'}
              </button>
            </p>
            <pre>
              <Text text={raw} />
            </pre>
          </Scroll>
        }
      >
        <Scroll look="scroller" label="Conversation">
          <div class="column">
            <Transcript run={id} prompt={run.value?.prompt ?? ''} view={view(here)} running={here < count} />
          </div>
        </Scroll>
      </Split>
      <div class="dock scrubber">
        <button
          type="button"
          aria-label={playing.value > 0 ? 'Pause' : 'Play'}
          onClick={() => {
            if (here >= count) at.value = 0;
            playing.value = playing.value > 0 ? 0 : 1;
          }}
        >
          <Icon name={playing.value > 0 ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          aria-label="Four times as fast"
          aria-pressed={playing.value === 4}
          onClick={() => (playing.value = 4)}
        >
          ×4
        </button>
        <input
          type="range"
          min={0}
          max={count}
          value={here}
          aria-label="Event"
          onInput={(event) => {
            at.value = Number(event.currentTarget.value);
          }}
        />
        <button type="button" onClick={jump}>
          Next mark
        </button>
        <span class="numbers small muted">
          {here} / {count}
        </span>
      </div>
    </div>
  );
}
