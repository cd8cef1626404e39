/** A conversation: its turns, what waits for an answer, and where to write. */

import { signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { call } from '../api.js';
import { firstLine, folder } from '../format.js';
import { type LiveRun, liveRun } from '../live-run.js';
import { isOver, type Run, type Session } from '../model.js';
import { Approval } from '../parts/approval.js';
import { beside, Changes, Split } from '../parts/beside.js';
import { Composer } from '../parts/composer.js';
import { Question } from '../parts/question.js';
import { Scroll } from '../parts/scroll.js';
import { Status } from '../parts/status.js';
import { Text } from '../parts/text.js';
import { Transcript } from '../parts/transcript.js';
import { newestFirst } from '../store.js';

/** Turns whose events are read; those before them show what was asked and answered. */
const READ = 20;

function Turn({ run }: { run: Run }) {
  const live: LiveRun = useMemo(() => liveRun(run.run_id), [run.run_id]);
  useEffect(() => () => live.stop(), [live]);
  if (live.failed.value !== null)
    return (
      <p class="error" role="alert">
        This turn can't be read: {live.failed.value}
      </p>
    );
  return (
    <Transcript
      run={run.run_id}
      prompt={run.prompt}
      view={live.view.value}
      running={!live.over.value && !isOver(run.status)}
    />
  );
}

/** Keeps the end in sight, unless the reader has scrolled up. */
function useEnd(): { end: RefObject<HTMLDivElement | null>; away: { value: boolean }; down(): void } {
  const end = useRef<HTMLDivElement>(null);
  const away = useSignal(false);
  useEffect(() => {
    const box = end.current?.closest<HTMLElement>('.scroller');
    if (!box) return;
    const near = () => box.scrollHeight - box.scrollTop - box.clientHeight < 80;
    const scrolled = () => {
      away.value = !near();
    };
    const grown = new ResizeObserver(() => {
      if (!away.value) box.scrollTop = box.scrollHeight;
    });
    if (box.firstElementChild) grown.observe(box.firstElementChild);
    box.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', scrolled);
    };
  }, []);
  const down = () => {
    away.value = false;
    end.current?.scrollIntoView({ block: 'end' });
  };
  return { end, away, down };
}

export function SessionView({ id }: { id: string }) {
  const about = useMemo(() => signal<{ session: Session; runs: Run[] } | null>(null), [id]);
  const failed = useSignal('');
  const { end, away, down } = useEnd();
  const cards = newestFirst.value.filter(({ session_id }) => session_id === id).toReversed();
  const newest = cards.at(-1) ?? null;
  useEffect(() => {
    call<{ session: Session; runs: Run[] }>('GET', `/sessions/${encodeURIComponent(id)}`).then(
      (found) => {
        about.value = found;
      },
      (error: unknown) => {
        failed.value = error instanceof Error ? error.message : String(error);
      },
    );
    // A turn that others began has a prompt that the list shows cut.
  }, [id, cards.length]);
  // What was opened belongs to this conversation.
  useEffect(
    () => () => {
      beside.value = null;
    },
    [id],
  );
  const turns = about.value?.runs ?? [];
  const now = new Map(cards.map((card) => [card.run_id, card]));
  const questions = cards.flatMap((run) => run.questions.map((question) => ({ run, question })));
  return (
    <div class="chat">
      <header class="chat-head">
        <h1>
          <Text text={firstLine(about.value?.session.title ?? newest?.prompt ?? 'Session')} joiners />
        </h1>
        <p class="small muted">
          {newest && <Status status={newest.status} />} {newest?.runtime} ·{' '}
          <span title={newest?.cwd}>{folder(newest?.cwd ?? '')}</span>
          {newest && (
            <>
              {' '}
              · <a href={`#/r/${encodeURIComponent(newest.run_id)}`}>Replay</a>
            </>
          )}
        </p>
      </header>
      <Split side={beside.value === null ? null : <Changes />}>
        <Scroll look="scroller" label="Conversation">
          <div class="column">
            {failed.value !== '' && (
              <p class="error" role="alert">
                {failed.value}
              </p>
            )}
            {turns.slice(-READ).map((run) => (
              <Turn key={run.run_id} run={{ ...run, status: now.get(run.run_id)?.status ?? run.status }} />
            ))}
            <div ref={end} />
          </div>
        </Scroll>
      </Split>
      <div class="dock">
        {away.value && (
          <button type="button" class="to-end" onClick={down}>
            To the end ↓
          </button>
        )}
        {questions.map(({ run, question }) => (
          <Approval key={`${run.run_id}:${question.id}`} run={run} question={question} />
        ))}
        {cards.flatMap((run) =>
          run.asked.map((asked) => <Question key={`${run.run_id}:${asked.id}`} run={run} asked={asked} />),
        )}
        <Composer session={id} running={newest} last={turns.at(-1)?.prompt ?? null} />
      </div>
    </div>
  );
}

export function NewSession() {
  return (
    <div class="chat">
      <header class="chat-head">
        <h1>New session</h1>
      </header>
      <div class="scroller">
        <div class="column empty">
          <p class="muted">Choose who should work, how much they may do, and where.</p>
        </div>
      </div>
      <div class="dock">
        <Composer session={null} running={null} last={null} />
      </div>
    </div>
  );
}
