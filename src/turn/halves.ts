/**
 * Keeps the first half of a character until its second half has come: a model's text may be cut between the two
 * surrogates, and each half alone would reach a host as U+FFFD.
 */

export interface Halves {
  /** @returns the text with what was kept of its message in front, and without a half at its end */
  join(key: string, text: string): string;
}

export function halves(): Halves {
  const kept = new Map<string, string>();
  return {
    join(key, text) {
      const whole = (kept.get(key) ?? '') + text;
      kept.delete(key);
      const last = whole.charCodeAt(whole.length - 1);
      if (!(last >= 0xd800 && last <= 0xdbff)) return whole;
      kept.set(key, whole.slice(-1));
      return whole.slice(0, -1);
    },
  };
}
