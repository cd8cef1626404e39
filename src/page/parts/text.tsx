/** Text of others: what could not be seen, or would reorder the rest, is shown as its number. */

import { ansi } from '../ansi.js';
import { visible } from '../visible.js';

export function Text({ text, joiners = false }: { text: string; joiners?: boolean }) {
  return (
    <>
      {visible(text, joiners).map((piece, index) =>
        piece.mark ? (
          <mark key={index} class="hidden-char" title="a character that is not visible">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

/** What a program printed, with its colours. */
export function TerminalText({ text }: { text: string }) {
  return (
    <>
      {ansi(text).map(({ text: part, look }, index) =>
        look === '' ? (
          <Text key={index} text={part} />
        ) : (
          <span
            key={index}
            class={look
              .split(' ')
              .map((one) => `ansi-${one}`)
              .join(' ')}
          >
            <Text text={part} />
          </span>
        ),
      )}
    </>
  );
}
