/** A terminal that tests can look at: tmux, with a server of its own for each test file. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.js';

export const hasTmux = runProgram('tmux', ['-V']).status === 0;

/** A person's terminal in a scratch home. */
export const terminalEnv = (home: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  XDG_STATE_HOME: home,
  LANG: 'C.UTF-8',
  TURNOUT_CONFINE: 'none',
});

/** Past the time in which keys that were typed before are dropped: the person has read the question. */
export const read = (): Promise<void> => new Promise((done) => setTimeout(done, 400));

export interface Screen {
  /** What is on the screen, without trailing blank lines. */
  text(): string;
  /** With everything above it; lines that the terminal broke are whole again. */
  whole(): string;
  /** Types text as it is. */
  type(text: string): void;
  /** Presses keys by the names of tmux, such as `Enter`, `C-c`. */
  press(...keys: string[]): void;
  /** Pastes a file as a terminal does. */
  paste(path: string): void;
  /** Copies what is written from now on to a file. */
  record(path: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves with the screen once it fits; rejects with what is seen after `ms` milliseconds. */
  until(fits: RegExp | ((text: string) => boolean), ms?: number): Promise<string>;
  close(): void;
}

export interface ScreenOptions {
  env: Readonly<Record<string, string>>;
  cwd: string;
  columns?: number;
  rows?: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** @param command a line for `sh`; the shell stays when it is over, so that the screen can be read */
export function screen(command: string, { env, cwd, columns = 80, rows = 24 }: ScreenOptions): Screen {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-tmux-'));
  const socket = join(folder, 's');
  const tmux = (...args: string[]) =>
    runProgram('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env: { ...process.env, TMUX: undefined }, cwd });
  const set = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const line = `env -i ${set.join(' ')} TERM=\${TERM} sh -c ${quoted(`${command}; echo "[exit $?]"; exec sh`)}`;
  tmux('-u', 'new-session', '-d', '-x', String(columns), '-y', String(rows), line);
  const capture = (...more: string[]) => tmux('capture-pane', '-p', ...more).stdout.trimEnd();
  const text = () => capture();
  return {
    text,
    whole: () => capture('-J', '-S', '-', '-E', '-'),
    type: (typed) => void tmux('send-keys', '-l', '--', typed),
    press: (...keys) => void tmux('send-keys', ...keys),
    paste(path) {
      tmux('load-buffer', path);
      tmux('paste-buffer', '-p');
    },
    record: (path) => void tmux('pipe-pane', `cat >> ${quoted(path)}`),
    resize: (x, y) => void tmux('resize-window', '-x', String(x), '-y', String(y)),
    async until(fits, ms = 20_000) {
      const is = (seen: string) => (fits instanceof RegExp ? fits.test(seen) : fits(seen));
      const end = Date.now() + ms;
      for (;;) {
        const seen = text();
        if (is(seen)) return seen;
        if (Date.now() > end) throw new Error(`${String(fits)} is not on the screen:\n${seen}`);
        await pause(50);
      }
    },
    close() {
      tmux('kill-server');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
