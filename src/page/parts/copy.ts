/** Copying, and the word that it was done. */

import { signal } from '@preact/signals';

/** What was copied last, for a moment. */
export const copied = signal<string | null>(null);

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  copied.value = text;
  setTimeout(() => {
    if (copied.value === text) copied.value = null;
  }, 1500);
}
