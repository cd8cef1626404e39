/** Code with the colours of a terminal. The library is loaded when the first code with a language comes. */

import type { Library } from './highlight-library.mjs';
import type { Paint, Style } from './paint.js';

const STYLES: Readonly<Record<string, Style>> = {
  keyword: 'magenta',
  built_in: 'cyan',
  type: 'cyan',
  literal: 'yellow',
  number: 'yellow',
  string: 'green',
  regexp: 'green',
  comment: 'dim',
  doctag: 'dim',
  title: 'blue',
  attr: 'cyan',
  attribute: 'cyan',
  variable: 'cyan',
  property: 'cyan',
  meta: 'dim',
  name: 'blue',
  tag: 'blue',
  addition: 'green',
  deletion: 'red',
  section: 'bold',
  symbol: 'yellow',
};

/** Longer code stays plain: it is coloured again with each line that comes. */
const MOST = 20_000;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };

/** The markup of the library → colours. Each line by itself, so that a line can be printed alone. */
function coloured(html: string, paint: Paint): string {
  const open: (Style | null)[] = [];
  let out = '';
  for (const [, text, tag, name] of html.matchAll(/([^<]*)(?:<(\/?)span(?: class="hljs-(\w+)[^"]*")?>)?/g)) {
    const style = open.findLast((one) => one !== null);
    const plain = (text ?? '').replace(/&(lt|gt|amp|quot|#x27);/g, (_, entity) => ENTITIES[entity] ?? '');
    out += style
      ? plain
          .split('\n')
          .map((line) => paint(style, line))
          .join('\n')
      : plain;
    if (tag === '/') open.pop();
    else if (tag === '') open.push(STYLES[name ?? ''] ?? null);
  }
  return out;
}

export type Highlighter = (code: string, language: string) => string;

/** @param loaded is called when colours are to be had from now on */
export function highlighter(paint: Paint, colours: boolean): Highlighter {
  let library: Library | null = null;
  let asked = false;
  return (code, language) => {
    const name = language.split(/\s/)[0] ?? '';
    if (!colours || name === '' || code.length > MOST) return code;
    if (!asked) {
      asked = true;
      // The first lines may be plain; nobody waits for colours.
      void import('./highlight-library.mjs').then(({ default: found }) => {
        library = found;
      });
    }
    if (library === null || !library.getLanguage(name)) return code;
    return coloured(library.highlight(code, { language: name, ignoreIllegals: true }).value, paint);
  };
}
