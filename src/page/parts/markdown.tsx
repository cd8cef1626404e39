/** Markdown → elements, without a string of HTML anywhere: what an agent writes can't become markup. */

import MarkdownIt from 'markdown-it';
import { type ComponentChild, h } from 'preact';
import { CodeBlock } from './code-block.js';
import { still } from './still.js';
import { Text } from './text.js';

const parser = new MarkdownIt({ html: false, linkify: true, breaks: false });
parser.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url.trim());

type Token = ReturnType<typeof parser.parse>[number];
interface Open {
  token: Token | null;
  children: ComponentChild[];
}

/** The tags that markdown can make; anything else is left out. */
const TAGS = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td strong em s a'.split(' '));

function link(token: Token, children: ComponentChild[]): ComponentChild {
  const href = String(token.attrGet('href') ?? '');
  return (
    <a href={href} title={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}

function element(token: Token, children: ComponentChild[]): ComponentChild {
  if (token.tag === 'a') return link(token, children);
  if (!TAGS.has(token.tag)) return children;
  // Headings of an answer stand below those of the page.
  const heading = /^h([1-6])$/.exec(token.tag);
  if (heading) return h(`h${Math.min(6, Number(heading[1]) + 2)}`, null, children);
  if (token.tag === 'table') return <div class="scroll">{h('table', null, children)}</div>;
  return h(token.tag, token.tag === 'ol' ? { start: Number(token.attrGet('start') ?? 1) } : null, children);
}

function leaf(token: Token): ComponentChild {
  switch (token.type) {
    case 'text':
      return <Text text={token.content} joiners />;
    case 'code_inline':
      return (
        <code>
          <Text text={token.content} />
        </code>
      );
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'image':
      // Never loaded: the address alone would tell another server that it was read.
      return <span class="muted">[image: {token.content}]</span>;
    case 'fence':
    case 'code_block':
      return <CodeBlock text={token.content} language={token.info.trim().split(/\s+/)[0] ?? ''} />;
    case 'hr':
      return <hr />;
    default:
      return token.content;
  }
}

function tree(tokens: readonly Token[]): ComponentChild[] {
  const root: Open = { token: null, children: [] };
  const open: Open[] = [root];
  const top = () => open.at(-1) ?? root;
  for (const token of tokens) {
    // A tight list has paragraphs that are not drawn.
    if (token.hidden) continue;
    if (token.type === 'inline') top().children.push(...tree(token.children ?? []));
    else if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) top().children.push(leaf(token));
    else {
      const done = open.length > 1 ? open.pop() : undefined;
      if (done?.token) top().children.push(element(done.token, done.children));
    }
  }
  return root.children;
}

export const Markdown = still(({ text }: { text: string }) => <div class="prose">{tree(parser.parse(text, {}))}</div>);
