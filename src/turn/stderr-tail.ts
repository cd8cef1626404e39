/** Keeps the beginning and the end of a runtime's stderr, for the message of a failure. */

const HEAD = 1024;
const TAIL = 3072;

export interface StderrTail {
  add(line: string): void;
  text(): string;
}

export function stderrTail(): StderrTail {
  let head = '';
  let tail = '';
  let cut = false;
  return {
    add(raw) {
      // A log laid out for a screen fills its lines with blanks (gptme 0.35).
      const line = raw.trimEnd();
      if (line === '') return;
      if (head.length < HEAD && tail === '') {
        head += `${line.slice(0, HEAD)}\n`;
        return;
      }
      tail += `${line.slice(-TAIL)}\n`;
      if (tail.length <= TAIL) return;
      tail = tail.slice(-TAIL);
      cut = true;
    },
    text: () => (head + (cut ? '…\n' : '') + tail).trim(),
  };
}
