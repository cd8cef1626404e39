/** Files of a policy that belong to the person: answers given for ever, and the log of every decision. */

import { appendFileSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { TOOL_KINDS } from '../../contract/vocabulary.js';
import { makeFolder } from '../../process/make-folder.js';
import { stateDir } from '../../process/state-dir.js';
import { num, parseObject, str } from '../../text/json.js';
import { type Decided, type DeskFiles, type LastingAnswer, whatOf } from '../../turn/policy/desk.js';

const answersFile = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'policy-answers.ndjson');
const logFile = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'policy.log');

/** Longer commands and paths are cut in the log. */
const MOST_CHARS = 4096;

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** @throws when the file is there and can't be read: a refusal in it must not be lost */
function readAnswers(env: NodeJS.ProcessEnv): LastingAnswer[] {
  return linesOf(answersFile(env)).flatMap((line) => {
    const one = parseObject(line) ?? {};
    const [runtime, name, what, decision] = ['runtime', 'name', 'what', 'decision'].map((key) => str(one, key));
    const kind = TOOL_KINDS.find((known) => known === one['kind']);
    if (runtime === undefined || name === undefined || what === undefined || kind === undefined) return [];
    return decision === 'allow' || decision === 'deny' ? [{ runtime, name, kind, what, decision }] : [];
  });
}

/** One decision as it is kept. */
export interface LoggedDecision {
  ts: string;
  turn: string;
  runtime: string;
  cwd: string;
  kind: string;
  name: string;
  what: string;
  decision: string;
  by: string;
  /** From 1; null where no rule decided. */
  rule: number | null;
}

/** @returns the newest, oldest first @throws when the log is there and can't be read */
export function readLog(env: NodeJS.ProcessEnv, last: number): LoggedDecision[] {
  return linesOf(logFile(env))
    .slice(-last)
    .flatMap((line) => {
      const one = parseObject(line);
      if (one === undefined) return [];
      const text = (key: string): string => str(one, key) ?? '';
      const [ts, turn, runtime, cwd, kind] = [text('ts'), text('turn'), text('runtime'), text('cwd'), text('kind')];
      const [name, what, decision, by] = [text('name'), text('what'), text('decision'), text('by')];
      return [{ ts, turn, runtime, cwd, kind, name, what, decision, by, rule: num(one, 'rule') ?? null }];
    });
}

export interface FilesOptions {
  env: NodeJS.ProcessEnv;
  turn: string;
  cwd: string;
  mask(text: string): string;
  notice(message: string): void;
}

/** @throws as {@link readAnswers} */
export function deskFiles({ env, turn, cwd, mask, notice }: FilesOptions): DeskFiles {
  let failed = false;
  const append = (path: string, line: object, what: string): void => {
    try {
      makeFolder(dirname(path), 0o700);
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      if (!failed) notice(`${what} could not be written: ${error instanceof Error ? error.message : String(error)}`);
      failed = true;
    }
  };
  return {
    answers: readAnswers(env),
    keep(answer) {
      append(
        answersFile(env),
        { ts: new Date().toISOString(), by: userInfo().username, ...answer },
        'an answer for ever',
      );
    },
    log({ input, name, kind, runtime, decision, by, rule }: Decided) {
      const what = mask(whatOf({ input, name })).slice(0, MOST_CHARS);
      const line = { ts: new Date().toISOString(), turn, runtime, cwd, kind, name, what, decision, by };
      append(logFile(env), { ...line, rule: rule === null ? null : rule + 1 }, 'a decision of the policy');
    },
  };
}
