/** A terminal client at work: what a person sees of it, and what they type. */

import { spawn } from 'node:child_process';
import { parseJson } from '../../../src/text/json.js';
import { lineSplitter } from '../../../src/text/lines.js';

export interface Screen {
  type(text: string): void;
  /** Resolves when the screen shows that. @throws {Error} it does not in time; with the screen */
  sees(what: RegExp, ms?: number): Promise<void>;
  /** Everything that was ever on it, one screen after another. */
  all(): string;
  /** Ends the program if it has not. @returns its exit code */
  end(): Promise<number | null>;
}

/** Generous, since the client itself takes seconds to start on a busy machine. */
const PATIENCE_MS = 40_000;

export function openScreen(argv: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Screen {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const screens: string[] = [''];
  let heard = () => {};
  const lines = lineSplitter({
    max: 1024 * 1024,
    onLine(line) {
      const shown = parseJson(line);
      if (Array.isArray(shown)) screens.push(shown.join('\n'));
      heard();
    },
  });
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  void ended.then(() => heard());
  return {
    type: (text) => void child.stdin.write(`${JSON.stringify(text)}\n`),
    async sees(what, ms = PATIENCE_MS) {
      for (const until = Date.now() + ms; !what.test(screens.at(-1) ?? ''); ) {
        const left = until - Date.now();
        if (left <= 0 || child.exitCode !== null)
          throw new Error(`the screen never showed ${what}:\n${screens.at(-1) ?? ''}`);
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          heard = resolve;
          timer = setTimeout(resolve, left);
        });
        clearTimeout(timer);
      }
    },
    all: () => screens.join('\n'),
    async end() {
      child.stdin.end();
      return ended;
    },
  };
}
