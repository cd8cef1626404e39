/** Lines over bytes: split on LF alone, so a lone CR or U+2028 inside a JSON line stays where it is. */

const LF = 10;
const CR = 13;
const FIRST_CARRY = 4096;
/** A carry buffer that grew past this is given back after its line. */
const KEEP_CARRY = 256 * 1024;

export interface LineSplitterOptions {
  /** Longest line in bytes, without its newline. */
  max: number;
  /** A whole line: without LF, without one CR before it, without a BOM at the start of the stream. */
  onLine(text: string): void;
  /** A line over `max` ended (or the stream did): how many bytes of it were not delivered. */
  onDropped?(bytes: number): void;
  /** `drop` (default): nothing of an over-long line is delivered. `cut`: its first `max` bytes are. */
  long?: 'drop' | 'cut';
}

export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** The stream ended: delivers a last line that has no newline. */
  end(): void;
}

/** Splits a byte stream into decoded lines in linear time; invalid UTF-8 becomes U+FFFD. */
export function lineSplitter(options: LineSplitterOptions): LineSplitter {
  const { max, onLine } = options;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let carry = new Uint8Array(0);
  let used = 0;
  /** Bytes of the current over-long line that were thrown away; null while the line is short enough. */
  let lost: number | null = null;
  let first = true;

  function deliver(text: string): void {
    let from = 0;
    let to = text.length;
    if (first) {
      first = false;
      if (text.charCodeAt(0) === 0xfeff) from = 1;
    }
    if (to > from && text.charCodeAt(to - 1) === CR) to--;
    onLine(from === 0 && to === text.length ? text : text.slice(from, to));
  }

  /** Keeps the beginning of a line whose newline has not come yet. */
  function keep(part: Uint8Array): void {
    if (lost !== null) {
      lost += part.length;
      return;
    }
    const room = max - used;
    const kept = part.length > room ? part.subarray(0, room) : part;
    if (used + kept.length > carry.length) {
      const bigger = new Uint8Array(Math.min(max, Math.max(FIRST_CARRY, 2 * carry.length, used + kept.length)));
      bigger.set(carry.subarray(0, used));
      carry = bigger;
    }
    carry.set(kept, used);
    used += kept.length;
    if (kept.length < part.length) lost = part.length - kept.length;
  }

  /** The line kept so far is complete. */
  function flush(): void {
    if (lost === null) {
      deliver(decoder.decode(carry.subarray(0, used)));
    } else if (options.long === 'cut') {
      // `stream` holds back an incomplete last character; this decoder is thrown away with it.
      deliver(new TextDecoder('utf-8', { ignoreBOM: true }).decode(carry.subarray(0, used), { stream: true }));
      options.onDropped?.(lost);
    } else {
      first = false;
      options.onDropped?.(used + lost);
    }
    used = 0;
    lost = null;
    if (carry.length > KEEP_CARRY) carry = new Uint8Array(0);
  }

  return {
    push(chunk) {
      let from = 0;
      if (used > 0 || lost !== null) {
        const newline = chunk.indexOf(LF);
        if (newline < 0) return keep(chunk);
        keep(chunk.subarray(0, newline));
        flush();
        from = newline + 1;
      }
      const last = chunk.lastIndexOf(LF);
      if (last >= from) {
        if (last - from <= max) {
          // Many short lines: one decode and one split cost far less than a decode for each.
          for (const line of decoder.decode(chunk.subarray(from, last)).split('\n')) deliver(line);
        } else {
          for (let newline = chunk.indexOf(LF, from); newline >= 0; newline = chunk.indexOf(LF, from)) {
            keep(chunk.subarray(from, newline));
            flush();
            from = newline + 1;
          }
        }
        from = last + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end() {
      if (used > 0 || lost !== null) flush();
    },
  };
}
