/** What was typed in earlier chats, for the arrow keys and Ctrl-R: one JSON string a line, for its owner alone. */

import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../process/make-folder.js';
import { stateDir } from '../process/state-dir.js';
import { parseJson } from '../text/json.js';

const KEPT = 1000;
/** A long paste is no text that somebody looks for. */
const LONGEST = 4000;

export interface PastPrompts {
  /** Oldest first. */
  all(): readonly string[];
  add(text: string): void;
}

/** @param lost hears why they can't be kept */
export function pastPrompts(env: NodeJS.ProcessEnv, lost: (message: string) => void): PastPrompts {
  const file = join(stateDir(env), 'chat-prompts.jsonl');
  const read = (): string[] => {
    try {
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.map((line) => parseJson(line)).filter((one) => typeof one === 'string');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) lost(String(error));
      return [];
    }
  };
  let all = read();
  return {
    all: () => all,
    add(text) {
      if (text === all.at(-1) || text.length > LONGEST) return;
      all = [...all, text].slice(-KEPT);
      try {
        makeFolder(stateDir(env), 0o700);
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
        if (all.length < KEPT) return;
        const scratch = `${file}.${process.pid}`;
        writeFileSync(scratch, all.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 });
        renameSync(scratch, file);
      } catch (error) {
        lost(`prompts are not kept: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}
