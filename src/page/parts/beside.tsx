/** A right pane whose width the person sets: for changes next to the conversation, for an event next to its moment. */

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { DiffFile } from '../../view/diff.js';
import { pane } from '../prefs.js';
import { DiffView } from './diff-view.js';
import { Icon } from './icon.js';
import { Scroll } from './scroll.js';

const LEAST = 20;
const MOST = 75;
const STEP = 5;

/** Below this width there is one column. */
const roomy = matchMedia('(min-width: 900px)');
export const room = signal(roomy.matches);
roomy.addEventListener('change', ({ matches }) => {
  room.value = matches;
});

/** The changes that stand beside the conversation. */
export const beside = signal<{ title: string; files: readonly DiffFile[] } | null>(null);

const within = (percent: number): number => Math.round(Math.max(LEAST, Math.min(MOST, percent)));

function Separator({ box }: { box: { current: HTMLElement | null } }) {
  const drag = (event: PointerEvent) => {
    const { left, width } = box.current?.getBoundingClientRect() ?? { left: 0, width: 0 };
    if (event.buttons === 1 && width > 0) pane.value = within(100 - ((event.clientX - left) / width) * 100);
  };
  return (
    <hr
      class="separator"
      aria-orientation="vertical"
      aria-label="Width of the right pane"
      aria-valuenow={pane.value}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        pane.value = within(pane.value + by);
      }}
    />
  );
}

/** @param side what stands at the right; null: there is no pane */
export function Split({ children, side }: { children: ComponentChildren; side: ComponentChildren | null }) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div class="split" ref={box}>
      {children}
      {side !== null && (
        <>
          <Separator box={box} />
          <div class="side" style={room.value ? { flexBasis: `${pane.value}%` } : {}}>
            {side}
          </div>
        </>
      )}
    </div>
  );
}

/** The changes that were opened, until they are closed. */
export function Changes() {
  if (beside.value === null) return null;
  const { title, files } = beside.value;
  return (
    <section class="changes" aria-label={title}>
      <header class="row">
        <h2 class="grow">{title}</h2>
        <button type="button" class="quiet" aria-label="Close the pane" onClick={() => (beside.value = null)}>
          <Icon name="cross" />
        </button>
      </header>
      <Scroll look="scroller" label={title}>
        <DiffView files={files} />
      </Scroll>
    </section>
  );
}
