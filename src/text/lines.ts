/** Lines over bytes: split on LF alone, so a lone CR or U+2028 inside a JSON line stays where it is. */

const LF = 10;
const CR = 13;
const FIRST_BLOCK = 4096;
/** A long line is kept in blocks of this size: one buffer that grows would for a moment be there twice. */
const BLOCK = 1024 * 1024;
/** Bytes of a dropped line that are told. */
const HEAD = 1024;
/** A block that grew past this is given back after its line. */
const KEEP_BLOCK = 256 * 1024;

export interface LineSplitterOptions {
  /** Longest line in bytes, without its newline. */
  max: number;
  /** A whole line: without LF, without one CR before it, without a BOM at the start of the stream. */
  onLine(text: string): void;
  /**
   * A line over `max` ended (or the stream did): how many bytes of it were not delivered, and, of one that is dropped
   * whole, how it began.
   */
  onDropped?(bytes: number, head: string): void;
  /** A line was not UTF-8, and is not delivered. Without it, invalid bytes become U+FFFD. */
  onInvalid?(): void;
  /** `drop` (default): nothing of an over-long line is delivered. `cut`: its first `max` bytes are. */
  long?: 'drop' | 'cut';
}

export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** The stream ended: delivers a last line that has no newline. */
  end(): void;
}

/** Splits a byte stream into decoded lines in linear time. */
export function lineSplitter(options: LineSplitterOptions): LineSplitter {
  const { max, onLine } = options;
  const utf8 = { ignoreBOM: true, fatal: options.onInvalid !== undefined };
  const decoder = new TextDecoder('utf-8', utf8);
  /** Full blocks of the line whose newline has not come yet, and the one being filled. */
  let full: Uint8Array[] = [];
  let block = new Uint8Array(0);
  let filled = 0;
  /** Bytes kept of that line. */
  let used = 0;
  /** Bytes of the current over-long line that were thrown away; null while the line is short enough. */
  let lost: number | null = null;
  /** How that line began. */
  let head = '';
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
    if (part.length <= room) return append(part);
    append(part.subarray(0, room));
    lost = part.length - room;
    if (options.long === 'cut') return;
    lost += used;
    head = new TextDecoder().decode((full[0] ?? block.subarray(0, filled)).subarray(0, HEAD));
    forget();
  }

  function append(part: Uint8Array): void {
    used += part.length;
    for (let from = 0; from < part.length; ) {
      if (filled === block.length) makeRoom(part.length - from);
      const some = part.subarray(from, from + block.length - filled);
      block.set(some, filled);
      filled += some.length;
      from += some.length;
    }
  }

  function makeRoom(wanted: number): void {
    if (block.length >= BLOCK) {
      full.push(block);
      block = new Uint8Array(BLOCK);
      filled = 0;
      return;
    }
    const bigger = new Uint8Array(Math.min(BLOCK, Math.max(FIRST_BLOCK, 2 * block.length, filled + wanted)));
    bigger.set(block);
    block = bigger;
  }

  function forget(): void {
    if (block.length > KEEP_BLOCK || full.length > 0) block = new Uint8Array(0);
    full = [];
    filled = 0;
    used = 0;
  }

  /** @param open whether an incomplete last character is left out */
  function kept(open: boolean): string {
    const last = block.subarray(0, filled);
    if (full.length === 0 && !open) return decoder.decode(last);
    // An open end stays in the decoder, which is thrown away with it.
    const pieces = new TextDecoder('utf-8', utf8);
    const texts = full.map((one) => pieces.decode(one, { stream: true }));
    return [...texts, pieces.decode(last, { stream: open })].join('');
  }

  /** @returns undefined when the bytes are not UTF-8 and somebody wants to know */
  function decoded(decode: () => string): string | undefined {
    try {
      return decode();
    } catch {
      return undefined;
    }
  }

  /** The line kept so far is complete. */
  function flush(): void {
    const wanted = lost === null || options.long === 'cut';
    const text = wanted ? decoded(() => kept(lost !== null)) : undefined;
    const dropped = lost;
    lost = null;
    forget();
    if (text === undefined) first = false;
    else deliver(text);
    if (wanted && text === undefined) options.onInvalid?.();
    if (dropped !== null) options.onDropped?.(dropped, head);
    head = '';
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
        // Many short lines: one decode and one split cost far less than a decode for each.
        const start = from;
        const many = last - from <= max ? decoded(() => decoder.decode(chunk.subarray(start, last))) : undefined;
        if (many !== undefined) {
          for (const line of many.split('\n')) deliver(line);
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
