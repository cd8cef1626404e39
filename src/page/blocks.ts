/** Items of a turn → what is drawn: reads in a row become one. Pure. */

import type { Item, ToolItem } from '../view/item.js';

export type Block = { key: string; item: Item } | { key: string; reads: readonly ToolItem[] };

const isRead = (item: Item): item is ToolItem => item.kind === 'tool' && item.tool === 'read' && item.state === 'ok';

export function blocks(items: readonly Item[]): Block[] {
  const made: Block[] = [];
  let reads: ToolItem[] = [];
  const flush = () => {
    const [first] = reads;
    if (first && reads.length > 1) made.push({ key: `reads:${first.key}`, reads });
    else if (first) made.push({ key: first.key, item: first });
    reads = [];
  };
  for (const item of items) {
    if (isRead(item)) reads.push(item);
    else {
      flush();
      made.push({ key: item.key, item });
    }
  }
  flush();
  return made;
}
