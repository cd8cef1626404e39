/** A question of an agent: who asks, what exactly, and the answers there are. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PermissionRequestEvent } from '../../contract/event.js';
import type { Choice } from '../../contract/vocabulary.js';
import { filesOfTool } from '../../view/diff.js';
import { call } from '../api.js';
import type { Card } from '../model.js';
import { DiffView } from './diff-view.js';
import { Scroll } from './scroll.js';
import { Text } from './text.js';
import { When } from './when.js';

/** What is clicked this soon after a card came was meant for what was there before. */
export const SETTLE_MS = 500;
const WORDS: Readonly<Record<Choice, string>> = {
  deny: 'Deny',
  allow_once: 'Allow once',
  allow_session: 'Allow for this turn',
};
/** Deny comes first, also for the tab key. */
const ORDER: readonly Choice[] = ['deny', 'allow_once', 'allow_session'];

function Asked({ question }: { question: PermissionRequestEvent }) {
  const files = filesOfTool(question.kind, question.input);
  if (files.length > 0) return <DiffView files={files} />;
  const command = question.input?.['command'];
  const exactly = typeof command === 'string' ? command : JSON.stringify(question.input, null, 2);
  return (
    <Scroll look="io" label="Exactly">
      <pre>
        <Text text={exactly} />
      </pre>
    </Scroll>
  );
}

export function Approval({
  run,
  question,
  where = false,
}: {
  run: Card;
  question: PermissionRequestEvent;
  where?: boolean;
}) {
  const box = useRef<HTMLElement>(null);
  const settled = useSignal(false);
  const sent = useSignal<Choice | null>(null);
  const failed = useSignal('');
  useEffect(() => {
    settled.value = false;
    const timer = setTimeout(() => {
      settled.value = true;
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [question.id]);
  const answer = async (choice: Choice) => {
    if (sent.value !== null || !settled.value) return;
    sent.value = choice;
    failed.value = '';
    try {
      await call('POST', `/runs/${encodeURIComponent(run.run_id)}`, { type: 'approve', choice, request: question.id });
    } catch (error) {
      sent.value = null;
      failed.value = error instanceof Error ? error.message : String(error);
    }
  };
  const keyed = (event: KeyboardEvent) => {
    // Only when the card itself has the focus: typing elsewhere must not allow anything.
    if (event.target !== box.current) return;
    if (event.key === 'd') void answer('deny');
    if (event.key === 'a' && question.choices.includes('allow_once')) void answer('allow_once');
  };
  return (
    <section
      class="approval"
      data-settled={settled.value}
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keys work once it is reached
      tabIndex={0}
      aria-label={`${run.runtime} asks for permission`}
      onKeyDown={keyed}
    >
      <p class="approval-head">
        <strong>{run.runtime}</strong> asks to use <strong>{question.name}</strong>
        <span class="muted small">
          {' '}
          · access {run.access} does not allow it by itself · asked <When at={run.updated_at} ago />
          {where && (
            <>
              {' '}
              · <a href={`#/s/${encodeURIComponent(run.session_id)}`}>open</a>
            </>
          )}
        </span>
      </p>
      <Asked question={question} />
      {failed.value !== '' && (
        <p class="error" role="alert">
          {failed.value}
        </p>
      )}
      <div class="row end">
        {ORDER.filter((choice) => question.choices.includes(choice)).map((choice) => (
          <button
            type="button"
            key={choice}
            class={choice === 'deny' ? '' : 'primary'}
            disabled={sent.value !== null}
            onClick={() => void answer(choice)}
          >
            {sent.value === choice ? 'Sent' : WORDS[choice]}
          </button>
        ))}
      </div>
    </section>
  );
}
