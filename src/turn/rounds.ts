/** Counts rounds: one round is one model message that asks for tools. */

export interface Rounds {
  /** The runtime told which message asks; from then on ids alone count. */
  message(id: string): void;
  toolStart(): void;
  toolEnd(): void;
  count(): number;
}

export function rounds(): Rounds {
  const ids = new Set<string>();
  let told = false;
  let counted = 0;
  let fresh = true;
  return {
    message(id) {
      told = true;
      ids.add(id);
    },
    toolStart() {
      if (fresh) counted++;
      fresh = false;
    },
    toolEnd() {
      fresh = true;
    },
    count: () => (told ? ids.size : counted),
  };
}
