/** The turns that a person ran from the command line, for `turnout history`: one JSON object a line, newest last. */

import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../contract/event.js';
import { collector } from '../host/result.js';
import type { HistoryRow } from '../output/history-text.js';
import { makeFolder } from '../process/make-folder.js';
import { randomHex } from '../process/random.js';
import { stateDir } from '../process/state-dir.js';
import { num, obj, parseJson, str } from '../text/json.js';

export const WAYS = ['run', 'chat', 'exec', 'compare'] as const;
/** The command that ran the turn. */
export type Way = (typeof WAYS)[number];

/** `prompt` and `output` are cut to {@link PROMPT_CHARS} and {@link OUTPUT_CHARS} characters. */
export interface KeptRun extends HistoryRow {
  way: Way;
  stop_reason: string;
}

const PROMPT_CHARS = 2000;
const OUTPUT_CHARS = 16_000;
/** Bytes at which the older half of the file is forgotten. */
const MOST_BYTES = 8 * 1024 * 1024;

const fileOf = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'history.jsonl');
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

function readRun(line: string): KeptRun | null {
  const read = parseJson(line);
  const text = (name: string) => str(read, name);
  const [id, began_at, cwd, runtime, prompt] = ['id', 'began_at', 'cwd', 'runtime', 'prompt'].map(text);
  const way = WAYS.find((one) => one === text('way'));
  const [exit_code, duration_ms, stop_reason] = [num(read, 'exit_code'), num(read, 'duration_ms'), text('stop_reason')];
  if (!id || !began_at || cwd === undefined || !runtime || prompt === undefined || !way) return null;
  if (exit_code === undefined || duration_ms === undefined || stop_reason === undefined) return null;
  const usage = obj(read, 'usage');
  return {
    ...{ id, way, began_at, cwd, runtime, prompt, exit_code, duration_ms, stop_reason },
    model: text('model') ?? null,
    session_id: text('session_id') ?? null,
    output: text('output') ?? null,
    error: text('error') ?? null,
    usage: {
      input_tokens: num(usage, 'input_tokens') ?? null,
      output_tokens: num(usage, 'output_tokens') ?? null,
      cached_tokens: num(usage, 'cached_tokens') ?? null,
      cost_usd: num(usage, 'cost_usd') ?? null,
    },
  };
}

/** Newest first. @throws what reading the file throws, but for a file that is not there */
export function keptRuns(env: NodeJS.ProcessEnv): KeptRun[] {
  let text: string;
  try {
    text = readFileSync(fileOf(env), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const runs = text.split('\n').flatMap((line) => (line === '' ? [] : (readRun(line) ?? [])));
  return runs.reverse();
}

/** Removes all of it. */
export function forgetRuns(env: NodeJS.ProcessEnv): void {
  const runs = keptRuns(env);
  if (runs.length > 0) writeFileSync(fileOf(env), '', { mode: 0o600 });
}

/** @throws what writing the file throws */
export function keepRun(run: KeptRun, env: NodeJS.ProcessEnv): void {
  makeFolder(stateDir(env), 0o700);
  const file = fileOf(env);
  // One write, appended: turns that end at the same time don't tear each other's lines.
  appendFileSync(file, `${JSON.stringify(run)}\n`, { mode: 0o600 });
  if (statSync(file).size <= MOST_BYTES) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const scratch = `${file}.${process.pid}`;
  writeFileSync(scratch, lines.slice(Math.floor(lines.length / 2)).join('\n'), { mode: 0o600 });
  renameSync(scratch, file);
}

export interface RunKeeper {
  /** Of the turn in the history. */
  id: string;
  hear(event: Event): void;
}

/** Hears the events of one turn and keeps it when it is done. @param lost hears why it could not be kept */
export function runKeeper(
  about: { way: Way; cwd: string; prompt: string; runtime: string; model: string | null },
  env: NodeJS.ProcessEnv,
  lost: (message: string) => void,
): RunKeeper {
  const began_at = new Date().toISOString();
  const collected = collector();
  const id = randomHex(4);
  let { runtime, model } = about;
  return {
    id,
    hear(event) {
      collected.hear(event);
      if (event.type === 'start') {
        runtime = event.runtime;
        model = event.model ?? model;
      }
      if (event.type === 'status' && event.fallback) runtime = event.fallback.to;
      if (event.type !== 'done') return;
      const { text, sessionId, error } = collected.result();
      const { exit_code, stop_reason, duration_ms } = event;
      const usage = event.totals ?? { input_tokens: null, output_tokens: null, cached_tokens: null, cost_usd: null };
      try {
        keepRun(
          {
            ...{ id, way: about.way, began_at, cwd: about.cwd, runtime, model, session_id: sessionId },
            prompt: cut(about.prompt, PROMPT_CHARS),
            output: text === null ? null : cut(text, OUTPUT_CHARS),
            ...{ exit_code, stop_reason, error: error?.code ?? null, duration_ms, usage },
          },
          env,
        );
      } catch (cause) {
        lost(`this turn was not kept for turnout history: ${cause instanceof Error ? cause.message : String(cause)}`);
      }
    },
  };
}
