/** Runs one prompt on several runtimes at the same time, each in a private copy of the repository. */

import type { Event, PatchEvent } from '../contract/event.js';
import { ownArgv } from '../exec/own-argv.js';
import { runKeeper } from '../exec/run-history.js';
import { VERSION } from '../exec/version.js';
import { collector } from '../host/result.js';
import { commandShell } from '../process/system-program.js';
import type { ExecPlan } from '../request/from-argv.js';
import type { Runner } from '../runner/runner.js';
import type { Turn } from '../turn/loop.js';
import { beginTurn } from '../workspace/begin.js';
import { placesOf } from '../workspace/paths.js';
import type { Compared } from './compared.js';

export interface CompareOptions {
  plan: ExecPlan;
  runtimes: readonly string[];
  runners: readonly Runner[];
  ambient: NodeJS.ProcessEnv;
  /** A command line that is run in each copy when its turn has ended well; null for none. */
  check: string | null;
  history: boolean;
  note(message: string): void;
  /** Hears every event, with the number of its result. */
  hear(n: number, event: Event): void;
  /** A result is there; the others may still be running. */
  done(result: Compared): void;
}

export interface Running {
  /** In the order of the runtimes. Never rejects: failures are results. */
  results: Promise<Compared[]>;
  /** Ends all turns; called again it does not wait for the runtimes to go by themselves. */
  cancel(): void;
}

/** How long a check may take, in milliseconds. */
const CHECK_MS = 10 * 60_000;

function diffOf(patch: PatchEvent | null): Compared['diff'] {
  if (patch === null || patch.files.length === 0) return null;
  const sum = (of: 'added' | 'removed') => patch.files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return { files: patch.files, added: sum('added'), removed: sum('removed'), patch_path: patch.path };
}

async function checked(
  command: string,
  cwd: string,
  signal: AbortSignal,
  ambient: NodeJS.ProcessEnv,
): Promise<Compared['check']> {
  const { execa } = await import('execa');
  const ran = await execa(command, {
    cwd,
    shell: commandShell(ambient),
    reject: false,
    timeout: CHECK_MS,
    cancelSignal: signal,
    stdio: 'ignore',
  });
  return { exit_code: ran.exitCode ?? null };
}

export function compare(options: CompareOptions): Running {
  const { plan, ambient } = options;
  const { request } = plan;
  const turns: Turn[] = [];
  const leaving = new AbortController();

  async function one(runtime: string, n: number): Promise<Compared> {
    const collected = collector();
    const keeper = options.history
      ? runKeeper(
          { way: 'compare', cwd: request.cwd, prompt: request.prompt, runtime, model: request.model },
          ambient,
          options.note,
        )
      : null;
    const seen: { patch: PatchEvent | null; model: string | null; resets: string | null } = {
      patch: null,
      model: request.model,
      resets: null,
    };
    const turn = beginTurn({
      request: { ...request, runtime },
      limits: plan.limits,
      env: plan.env,
      ambient,
      allowRoot: plan.allowRoot,
      turnout: ownArgv(),
      version: VERSION,
      runners: options.runners,
      emit(event) {
        collected.hear(event);
        keeper?.hear(event);
        if (event.type === 'patch') seen.patch = event;
        if (event.type === 'start') seen.model = event.model ?? seen.model;
        if (event.type === 'error') seen.resets = event.resets_at ?? null;
        options.hear(n, event);
      },
    });
    turns.push(turn);
    await turn.done;
    const { ok, error, text, totals, durationMs, sessionId } = collected.result();
    const { cost_usd, ...usage } = totals;
    const { patch, model, resets } = seen;
    const workspace = patch?.workspace ?? null;
    const wantsCheck = ok && options.check !== null && workspace !== null && !leaving.signal.aborted;
    const check = wantsCheck
      ? await checked(options.check ?? '', placesOf(workspace, ambient).tree, leaving.signal, ambient)
      : null;
    const result: Compared = {
      ...{ n, runtime, model },
      status: ok ? 'ok' : error?.code === 'cancelled' ? 'cancelled' : 'error',
      error:
        ok || error === null
          ? null
          : { code: error.code, message: error.message, hint: error.hint ?? null, resets_at: resets },
      output: text,
      duration_ms: durationMs,
      usage,
      cost_usd,
      session_id: sessionId,
      history_id: keeper?.id ?? null,
      diff: diffOf(patch),
      workspace,
      check,
    };
    options.done(result);
    return result;
  }

  return {
    results: Promise.all(options.runtimes.map((runtime, index) => one(runtime, index + 1))),
    cancel() {
      leaving.abort();
      for (const turn of turns) turn.cancel();
    },
  };
}
