/** What stands beside the answer: lines on stderr and, on a terminal, one line that says what is going on. */

import { shorten } from '../text/printable.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const PLAIN_FRAMES = ['|', '/', '-', '\\'];
const EVERY = 100;
const CLEAR = '\r\x1b[2K';

export interface Side {
  line(text: string): void;
  /** Shows what a person types. */
  echo(text: string): void;
  /** What is going on, null for nothing. */
  live(text: string | null): void;
  /** Takes the live line off the screen until the next `live`. */
  clear(): void;
  close(): void;
}

export interface SideOptions {
  write(text: string): void;
  /** Whether there is a screen for a live line; else there is none. */
  terminal: boolean;
  columns(): number;
  /** Whether the screen shows more than ASCII. */
  unicode: boolean;
  /** Milliseconds, monotonic. */
  now(): number;
}

export function side(options: SideOptions): Side {
  const began = options.now();
  const frames = options.unicode ? FRAMES : PLAIN_FRAMES;
  let text: string | null = null;
  let shown = false;
  let frame = 0;
  let timer: NodeJS.Timeout | null = null;

  const clear = () => {
    if (shown) options.write(CLEAR);
    shown = false;
  };
  const draw = () => {
    if (text === null) return;
    const elapsed = `${Math.floor((options.now() - began) / 1000)}s`;
    const mark = frames[frame % frames.length] ?? '';
    frame++;
    options.write(`${CLEAR}${shorten(`${mark} ${elapsed} ${text}`, Math.max(10, options.columns() - 1))}`);
    shown = true;
  };
  const stop = () => {
    if (timer) clearInterval(timer);
    timer = null;
  };

  return {
    line(line) {
      clear();
      options.write(`${line}\n`);
    },
    echo(typed) {
      clear();
      options.write(typed);
    },
    live(now) {
      text = now;
      if (!options.terminal) return;
      if (now === null) {
        stop();
        return clear();
      }
      timer ??= setInterval(draw, EVERY).unref();
      if (!shown) draw();
    },
    clear,
    close() {
      stop();
      clear();
      text = null;
    },
  };
}
