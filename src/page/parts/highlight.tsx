/** Colours for code: highlight.js, whose tokens become elements. A chunk of its own. */

import type { Emitter, HLJSOptions } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { ComponentChild } from 'preact';
import { Text } from './text.js';

interface Node {
  scope: string;
  children: (Node | string)[];
}

/** Keeps the tokens as a tree, where highlight.js would write HTML. */
class Tree implements Emitter {
  root: Node = { scope: '', children: [] };
  private open: Node[] = [this.root];
  private get top(): Node {
    return this.open.at(-1) ?? this.root;
  }
  addText(text: string): void {
    if (text !== '') this.top.children.push(text);
  }
  startScope(scope: string): void {
    const node: Node = { scope, children: [] };
    this.top.children.push(node);
    this.open.push(node);
  }
  endScope(): void {
    if (this.open.length > 1) this.open.pop();
  }
  __addSublanguage(emitter: Emitter, name: string): void {
    if (emitter instanceof Tree) this.top.children.push({ scope: name, children: emitter.root.children });
  }
  finalize(): void {}
  toHTML(): string {
    return '';
  }
}

const options: Partial<HLJSOptions> = { __emitter: Tree };
hljs.configure(options);
const LANGUAGES = { bash, css, diff, go, java, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(['js', 'jsx', 'javascript', 'tsx', 'ts'], { languageName: 'typescript' });

const drawn = (nodes: readonly (Node | string)[]): ComponentChild[] =>
  nodes.map((node, index) =>
    typeof node === 'string' ? (
      <Text key={index} text={node} />
    ) : (
      <span key={index} class={`hl-${node.scope.split('.')[0]}`}>
        {drawn(node.children)}
      </span>
    ),
  );

/** @returns null for a language that it does not know */
export function highlighted(code: string, language: string): ComponentChild[] | null {
  if (!hljs.getLanguage(language)) return null;
  const { _emitter: tree } = hljs.highlight(code, { language, ignoreIllegals: true });
  return tree instanceof Tree ? drawn(tree.root.children) : null;
}
