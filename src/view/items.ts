/** The list of items while it is being changed. */

import type { Item } from './item.js';
import type { TurnView } from './turn.js';

export type TurnDraft = { -readonly [Key in keyof TurnView]: TurnView[Key] } & {
  items: Item[];
  places: Map<string, number>;
};

export const placeOf = (draft: TurnDraft, key: string): number | undefined => draft.places.get(key);

export function itemOf(draft: TurnDraft, key: string): Item | undefined {
  const place = placeOf(draft, key);
  return place === undefined ? undefined : draft.items[place];
}

export function addItem(draft: TurnDraft, item: Item): void {
  draft.places.set(item.key, draft.items.length);
  draft.items.push(item);
}

/** Nothing happens when there is no such item. */
export function changeItem(draft: TurnDraft, key: string, change: (item: Item) => Item): void {
  const place = placeOf(draft, key);
  const item = place === undefined ? undefined : draft.items[place];
  if (place !== undefined && item !== undefined) draft.items[place] = change(item);
}
