/** What is being written, kept per session until it is sent. */

import { type Signal, signal } from '@preact/signals';

export interface Draft {
  text: string;
  /** The same until it was accepted, so that sending it twice begins one turn. */
  key: string;
  runtime: string;
  model: string;
  access: string;
  cwd: string;
}

export interface Picture {
  media_type: string;
  data: string;
}

const drafts = new Map<string, Signal<Draft>>();

const fresh = (): Draft => ({ text: '', key: crypto.randomUUID(), runtime: '', model: '', access: 'scoped', cwd: '' });

export function draftOf(session: string): Signal<Draft> {
  const known = drafts.get(session);
  if (known) return known;
  const name = `turnout-draft:${session}`;
  const kept = sessionStorage.getItem(name);
  const draft = signal<Draft>(kept === null ? fresh() : { ...fresh(), ...(JSON.parse(kept) as Partial<Draft>) });
  draft.subscribe((now) => sessionStorage.setItem(name, JSON.stringify(now)));
  drafts.set(session, draft);
  return draft;
}

/** The text is gone; what was chosen holds for the next one. */
export function sent(draft: Signal<Draft>): void {
  draft.value = { ...draft.value, text: '', key: crypto.randomUUID() };
}

const asBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

export async function picturesOf(files: Iterable<File>): Promise<Picture[]> {
  const images = [...files].filter(({ type }) => /^image\/(?:png|jpeg|gif|webp)$/.test(type));
  return Promise.all(
    images.map(async (file) => ({ media_type: file.type, data: asBase64(new Uint8Array(await file.arrayBuffer())) })),
  );
}
