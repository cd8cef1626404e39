/** What was said with one runtime, as text in front of the first prompt of another one. */

export interface Said {
  /** `user`, or the runtime. */
  who: string;
  text: string;
}

/** Characters of the conversation that are handed over: the newest, since they count most. */
const MOST = 120_000;

export function withHandOver(said: readonly Said[], prompt: string): string {
  const parts: string[] = [];
  let length = 0;
  for (const { who, text } of said.toReversed()) {
    if (text.trim() === '') continue;
    const part = `${who}: ${text.trim()}`;
    length += part.length;
    if (length > MOST && parts.length > 0) {
      parts.push('[the beginning is left out]');
      break;
    }
    parts.push(part.length > MOST ? `${part.slice(0, MOST)}…` : part);
  }
  const talk = parts.toReversed().join('\n\n');
  return `You continue a conversation that the user had with another coding agent in this folder. What was said:\n\n<conversation>\n${talk}\n</conversation>\n\n${prompt}`;
}
