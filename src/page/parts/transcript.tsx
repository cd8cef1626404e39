/** A turn from its prompt to its end. Long ones begin with their last part. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { addKnown } from '../../text/json.js';
import type { TurnView } from '../../view/turn.js';
import { blocks } from '../blocks.js';
import { cost, duration, tokens } from '../format.js';
import { Item } from './item.js';
import { RunShown } from './patch.js';
import { Text } from './text.js';
import { Reads } from './tool.js';

/** Blocks in the document at first, and how many more come when somebody scrolls up to them. */
const SHOWN = 200;

function Earlier({ more, count }: { more(): void; count: number }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!button.current) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && more(), {
      rootMargin: '200px',
    });
    seen.observe(button.current);
    return () => seen.disconnect();
  });
  return (
    <button type="button" class="earlier" ref={button} onClick={more}>
      Show {Math.min(count, SHOWN)} of {count} earlier
    </button>
  );
}

function Ending({ view }: { view: TurnView }) {
  if (!view.ending) return null;
  const { stopReason, durationMs } = view.ending;
  const { input_tokens, output_tokens, cost_usd } = view.totals;
  const used = addKnown(input_tokens, output_tokens);
  return (
    <p class="ending small muted">
      {stopReason.replaceAll('_', ' ')} · {duration(durationMs)} · {tokens(used)} tokens · {cost(cost_usd)}
      {cost_usd === null ? ' cost' : ''}
    </p>
  );
}

function Prompt({ text }: { text: string }) {
  return (
    <div class="prompt">
      <Text text={text} joiners />
    </div>
  );
}

interface Props {
  run: string;
  prompt: string;
  view: TurnView;
  running: boolean;
}

export function Transcript({ run, prompt, view, running }: Props) {
  const shown = useSignal(SHOWN);
  const all = blocks(view.items);
  const hidden = Math.max(0, all.length - shown.value);
  return (
    <article class="turn" aria-busy={running} aria-label="Turn">
      <Prompt text={prompt} />
      {hidden > 0 && <Earlier count={hidden} more={() => (shown.value += SHOWN)} />}
      <RunShown.Provider value={run}>
        {all.slice(hidden).map((block) => (
          <div class="block" key={block.key}>
            {'item' in block ? <Item item={block.item} /> : <Reads items={block.reads} />}
          </div>
        ))}
      </RunShown.Provider>
      {running && <span class="caret" aria-hidden="true" />}
      <Ending view={view} />
    </article>
  );
}
