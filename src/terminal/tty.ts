/** A terminal that is read key by key, and given back as it was. */

import type { ReadStream, WriteStream } from 'node:tty';
import { hearKeys, type Press } from './keys.js';

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';
const SHOW_CURSOR = '\u001b[?25h';

export interface Tty {
  /** Hears keys. */
  open(): void;
  /** Gives the terminal back; may be called again. */
  close(): void;
  /** Stops this program until the shell continues it; not on Windows. */
  suspend(resumed: () => void): void;
}

export function tty(input: ReadStream, output: WriteStream, press: (press: Press) => void): Tty {
  let stop: (() => void) | null = null;
  const open = () => {
    if (stop !== null) return;
    input.setRawMode(true);
    output.write(PASTE_ON);
    stop = hearKeys(input, press);
    input.resume();
  };
  const close = () => {
    if (stop === null) return;
    stop();
    stop = null;
    output.write(PASTE_OFF + SHOW_CURSOR);
    input.setRawMode(false);
    input.pause();
  };
  return {
    open,
    close,
    suspend(resumed) {
      if (process.platform === 'win32') return;
      close();
      process.once('SIGCONT', () => {
        open();
        resumed();
      });
      process.kill(process.pid, 'SIGTSTP');
    },
  };
}
