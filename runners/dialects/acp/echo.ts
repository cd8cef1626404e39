/**
 * An answer that was cut off and is said again from its beginning, without a mark: Gemini CLI (0.61) repeats it inside the
 * same message, OpenCode (1.18) as the next one. It is known by its text alone, so what is short may as well be meant.
 */

/** A shorter beginning may be said twice on purpose. */
const LEAST = 40;
/** A longer one is not compared any more. */
const MOST = 64 * 1024;

/** A message as far as it was said. */
interface Message {
  id: string;
  replaces: string | undefined;
}

export interface Piece {
  message: Message;
  text: string;
}

export interface Echo {
  /** @returns what can be said now: nothing while the text may be the repeated beginning */
  hear(message: Message, text: string): Piece[];
  /** @returns what was held back */
  flush(): Piece[];
  /** A tool came in between: what follows repeats nothing. */
  forget(): void;
}

/** @param freshId names the message that replaces one inside of which it began again */
export function echo(freshId: () => string): Echo {
  let before: { id: string; text: string } | null = null;
  let held: Piece | null = null;

  const pass = (message: Message, text: string): Piece[] => {
    const sofar: string = before?.id === message.id ? before.text + text : text;
    before = sofar.length > MOST ? { id: message.id, text: '' } : { id: message.id, text: sofar };
    return [{ message, text }];
  };
  const flush = (): Piece[] => {
    const piece = held;
    held = null;
    return piece === null ? [] : pass(piece.message, piece.text);
  };

  return {
    hear(message, text) {
      const earlier = held !== null && held.message !== message ? flush() : [];
      const all: string = (held?.text ?? '') + text;
      held = null;
      if (before === null || before.text.length < LEAST) return [...earlier, ...pass(message, all)];
      if (all.length < before.text.length && before.text.startsWith(all)) {
        held = { message, text: all };
        return earlier;
      }
      if (!all.startsWith(before.text)) return [...earlier, ...pass(message, all)];
      message.replaces = before.id;
      if (message.id === before.id) message.id = freshId();
      before = { id: message.id, text: all };
      return [...earlier, { message, text: all }];
    },
    flush,
    forget() {
      before = null;
    },
  };
}
