/** Markdown inside of a line, as text with weights and colours. */

import type { MarkedToken, Token } from 'marked';
import type { Paint } from './paint.js';

/** Entities of HTML, which the lexer leaves in texts. */
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", nbsp: ' ' };

const plain = (text: string): string => text.replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name) => ENTITIES[name] ?? '');

/** The tokens of the lexer without those of extensions, of which we have none. */
export const known = (token: Token): MarkedToken => token as MarkedToken;

function link(href: string, text: string, shown: string, paint: Paint): string {
  const same = href === text || href === `mailto:${text}`;
  return same ? paint('underline', shown) : `${paint('underline', shown)} ${paint('dim', `(${href})`)}`;
}

/** @returns text that may hold line breaks of the source */
export function inline(tokens: readonly Token[], paint: Paint): string {
  return tokens.map((token) => one(known(token), paint)).join('');
}

function one(token: MarkedToken, paint: Paint): string {
  switch (token.type) {
    case 'strong':
      return paint('bold', inline(token.tokens, paint));
    case 'em':
      return paint('italic', inline(token.tokens, paint));
    case 'del':
      return paint('strikethrough', inline(token.tokens, paint));
    case 'codespan':
      return paint('cyan', token.text);
    case 'link':
      return link(token.href, token.text, inline(token.tokens, paint), paint);
    case 'image':
      return link(token.href, '', token.text === '' ? 'image' : token.text, paint);
    case 'br':
      return '\n';
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inline(token.tokens, paint) : plain(token.text);
    default:
      return plain(token.raw);
  }
}
