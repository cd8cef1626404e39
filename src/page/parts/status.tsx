/** A state: a dot and a word, never the colour alone. */

import type { Status as RunStatus } from '../model.js';
import { statusWord } from '../model.js';

export function Status({ status, short = false }: { status: RunStatus; short?: boolean }) {
  return (
    <span class={`status status-${status}`}>
      <span class="dot" aria-hidden="true" />
      <span class={short ? 'sr' : ''}>{statusWord(status)}</span>
    </span>
  );
}

/** Two letters in a tinted square. */
export function Glyph({ runtime }: { runtime: string }) {
  const tint = [...runtime].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % 6;
  return (
    <span class={`glyph tint-${tint}`} title={runtime} aria-hidden="true">
      {runtime.slice(0, 2)}
    </span>
  );
}
