/** Comments on lines of a diff, until they are sent. */

import { signal } from '@preact/signals';

export interface LineComment {
  path: string;
  line: number;
  text: string;
}

export const comments = signal<readonly LineComment[]>([]);

export function addComment(comment: LineComment): void {
  comments.value = [...comments.value, comment];
}

/** As the agent reads them. */
export function withComments(text: string, given: readonly LineComment[]): string {
  const lines = given.map(({ path, line, text: said }) => `${path}:${line}: ${said}`);
  return [text.trim(), lines.join('\n')].filter((part) => part !== '').join('\n\n');
}
