/** What scrolls has to be reached by keyboard, and to say what it is. */

import type { ComponentChildren } from 'preact';

export function Scroll({ label, look, children }: { label: string; look: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus
    <section class={look} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
