/** A turn shown to people on this process's stdout and stderr. */

import { fstatSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type Side, side } from '../output/status-line.js';
import { textView } from '../output/text-view.js';
import { textWriter } from '../output/text-writer.js';
import { wantsColours } from './colours.js';
import type { RunOptions } from './run-plan.js';

/** Windows terminals and the Linux console differ in what they can draw; what calls itself UTF-8 can. */
function drawsUnicode(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32') return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined;
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}

/** Whether both lead to the same screen, pipe or file (`2>&1`). */
function sameTarget(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    return out.dev === err.dev && out.ino === err.ino;
  } catch {
    return false;
  }
}

export interface TextOutput extends Required<Pick<RunOptions, 'writer' | 'onCancel'>> {
  /** Shows a line beside the answer. */
  line(text: string): void;
  /** Shows what the person types. */
  echo(text: string): void;
  colours: boolean;
}

/**
 * @param options.quiet the answer and errors alone
 * @param options.asks somebody else shows permission questions and reads the answers
 */
export function textOutput(options: { quiet: boolean; noColor: boolean; asks?: boolean }): TextOutput {
  const { stdout, stderr, env } = process;
  const screen = stderr.isTTY === true && env['TERM'] !== 'dumb';
  let beside: Side | null = null;
  let asked = 0;
  const colours = !options.noColor && wantsColours(stderr);
  return {
    colours,
    line: (text) => beside?.line(text),
    echo: (text) => beside?.echo(text),
    writer(sink, hooks) {
      const shared = sameTarget();
      const view = textView({
        colours,
        quiet: options.quiet,
        asks: options.asks === true,
        terminal: stdout.isTTY === true,
        shared,
        times: screen,
      });
      const make = (write: ((text: string) => void) | null) => {
        beside = side({
          write: write ?? ((text) => void stderr.write(text)),
          terminal: screen && !options.quiet,
          columns: () => stderr.columns || 80,
          unicode: drawsUnicode(env),
          now: () => performance.now(),
        });
        return beside;
      };
      return textWriter(sink, hooks, view, make, shared);
    },
    onCancel() {
      asked += 1;
      if (asked === 1 && screen) beside?.line('\nending the turn; Ctrl-C once more waits no longer');
    },
  };
}
