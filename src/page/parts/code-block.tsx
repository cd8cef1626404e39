/** A block of code. Colours come later, with the highlighter, which is loaded for the first block. */

import { signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { copied, copyText } from './copy.js';
import { Icon } from './icon.js';
import { Scroll } from './scroll.js';
import { Text } from './text.js';

type Highlight = (text: string, language: string) => ComponentChild[] | null;

const highlight = signal<Highlight | null>(null);
let asked = false;
/** Longer blocks stay plain: colours would hold up the page. */
const MOST = 50_000;

function load(): void {
  if (asked) return;
  asked = true;
  import('./highlight.js').then(
    (found) => {
      highlight.value = found.highlighted;
    },
    // Without colours it still reads; the next page load tries again.
    () => {},
  );
}

export function CodeBlock({ text, language }: { text: string; language: string }) {
  if (language !== '') load();
  const code = text.replace(/\n$/, '');
  const shown = language === '' || code.length > MOST ? null : (highlight.value?.(code, language) ?? null);
  return (
    <figure class="code">
      <figcaption>
        <span>{language === '' ? 'text' : language.slice(0, 30)}</span>
        <button type="button" class="quiet" onClick={() => void copyText(code)}>
          <Icon name="copy" /> {copied.value === code ? 'Copied' : 'Copy'}
        </button>
      </figcaption>
      <Scroll look="code-body" label="Code">
        <pre>
          <code>{shown ?? <Text text={code} />}</code>
        </pre>
      </Scroll>
    </figure>
  );
}
