/** `turnout compare`: flags → turns beside each other → one of them landed. */

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { compare } from '../compare/compare.js';
import type { Compared, Comparison } from '../compare/compared.js';
import { TurnoutError, UsageError } from '../contract/error.js';
import { ownCwd } from '../discovery/places.js';
import { knownRunners } from '../exec/known-runners.js';
import { inRepository } from '../exec/repository.js';
import { firstLine } from '../exec/stdin-frames.js';
import { comparedText, comparisonTable } from '../output/compare-text.js';
import { side } from '../output/status-line.js';
import { landedText } from '../output/workspace-text.js';
import { byId, nearest } from '../registry/registry.js';
import { runtimesOf } from '../request/runtimes.js';
import type { Runner } from '../runner/runner.js';
import { painter } from '../terminal/paint.js';
import { harmless } from '../text/printable.js';
import { landWorkspace } from '../workspace/land.js';
import { removeFiles } from '../workspace/remove.js';
import { type ReadFlags, readArgv } from './argv.js';
import { wantsColours } from './colours.js';
import { COMPARE_FLAGS } from './compare-flags.js';
import { fail } from './failure.js';
import { tellBroken } from './own-runners.js';
import { print } from './print.js';
import { type RunSurroundings, readFlags, readWords, settingsAt, stdinHasInput } from './run.js';
import { pickWorkspace, reporting } from './workspace-reading.js';

const HELP = 'turnout compare --help';
const say = (message: string) => void process.stderr.write(`turnout: ${message}\n`);

/** @throws UsageError */
function runtimesIn(flags: ReadFlags, runners: readonly Runner[]): string[] {
  const runtimes = runtimesOf(flags.one('runtime') ?? '').filter((id) => id !== '');
  if (runtimes.length < 2) {
    throw new UsageError('compare needs two or more runtimes: --runtime claude,codex', { hint: 'turnout agent scan' });
  }
  for (const id of runtimes) {
    if (id === 'auto' || byId(id, runners)) continue;
    const [guess] = nearest(id, runners);
    throw new UsageError(
      `unknown runtime ${JSON.stringify(id)}${guess === undefined ? '' : `; did you mean ${guess}?`}`,
      {
        hint: 'turnout agent scan',
      },
    );
  }
  return runtimes;
}

/** @returns null to ask, 0 for none @throws UsageError */
function pickOf(flags: ReadFlags, most: number): number | null {
  const given = flags.one('pick');
  if (given === undefined) return null;
  if (given === 'none') return 0;
  const n = Number(given);
  if (!Number.isInteger(n) || n < 1 || n > most) {
    throw new UsageError(`--pick: expected none or a number from 1 to ${most}, not ${JSON.stringify(given)}`, {
      hint: HELP,
    });
  }
  return n;
}

/** Copies need a repository; without one, nothing may be written. @throws UsageError */
function isolationFor(cwd: string, access: string): { isolate: 'clone' | 'none'; access: string } {
  if (inRepository(cwd)) return { isolate: 'clone', access };
  if (access === 'read' || access === 'none') return { isolate: 'none', access };
  throw new UsageError(
    `${cwd} is not in a git repository, so there are no private copies; --access read compares answers alone`,
    {
      hint: HELP,
    },
  );
}

const surroundings = (): RunSurroundings => ({
  ...{ cwd: ownCwd(), env: process.env, stdin: () => process.stdin, note: say, settings: settingsAt },
  firstLine: (limits) => firstLine(process.stdin, limits),
  stdinIsTerminal: process.stdin.isTTY === true,
  stdinIsPiped: stdinHasInput(),
});

/** @param argv what stands after `compare` */
export async function runCompare(argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json') || argv.includes('--stream');
  try {
    process.exit(await compareAll(argv));
  } catch (error) {
    if (!(error instanceof TurnoutError)) throw error;
    await fail(error, json);
    process.exit();
  }
}

async function compareAll(argv: readonly string[]): Promise<number> {
  const flags = readArgv(argv, COMPARE_FLAGS, 'turnout compare', { words: true });
  const around = surroundings();
  const places = { env: process.env, home: homedir(), platform: process.platform, cwd: around.cwd };
  const known = await knownRunners({ files: flags.all('runner'), places });
  const runtimes = runtimesIn(flags, known.runners);
  const pick = pickOf(flags, runtimes.length);
  const [first = ''] = runtimes;
  const {
    plan: read,
    history,
    noColor,
  } = await readFlags(withRuntime(flags, first), around, () => readWords(flags, around));
  const configured = (await settingsAt(read.request.cwd)).text('access', undefined);
  const { isolate, access } = isolationFor(read.request.cwd, flags.one('access') ?? configured ?? 'edit');
  const plan = await planWith(read, isolate, access);
  tellBroken(known);
  const [json, stream] = [flags.has('json'), flags.has('stream')];
  const quiet = json || stream;
  const { stdout, stderr } = process;
  const paint = painter(!noColor && wantsColours(stdout));
  const waiting = new Set(runtimes.map((_, index) => index + 1));
  const progress = side({
    write: (text) => void stderr.write(text),
    terminal: stderr.isTTY === true && !quiet,
    columns: () => stderr.columns || 80,
    unicode: true,
    now: () => performance.now(),
  });
  const live = () =>
    progress.live(waiting.size === 0 ? null : [...waiting].map((n) => `${n} ${runtimes[n - 1]}`).join(', '));
  let writing = Promise.resolve();
  const write = (text: string) => {
    writing = writing.then(async () => {
      progress.clear();
      await print(text);
      live();
    });
  };
  const running = compare({
    ...{ plan, runtimes, history, runners: known.runners, ambient: process.env, note: say },
    check: flags.one('check') ?? null,
    hear: (n, event) => {
      if (stream) write(`${JSON.stringify({ ...event, n })}\n`);
    },
    done(result) {
      waiting.delete(result.n);
      if (quiet) return;
      write(comparedText(result, (text) => paint('bold', text)));
    },
  });
  live();
  let cancelled = false;
  const cancel = () => {
    cancelled = true;
    running.cancel();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, cancel);
  const results = await running.results;
  if (!quiet) write(comparisonTable(results, flags.has('check')));
  await writing;
  progress.close();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, cancel);

  const chosen = cancelled || quiet ? (pick ?? 0) : (pick ?? (await askWhich(results)));
  const result = results.find(({ n }) => n === chosen) ?? null;
  const landed = result === null ? null : await land(result);
  if (landed !== null && !quiet) await print(landed);
  if (json) {
    const whole: Comparison = {
      v: 1,
      prompt: plan.request.prompt,
      results,
      picked: result?.n ?? null,
      landed: landed !== null,
    };
    await print(`${JSON.stringify(whole)}\n`);
  }
  if (!quiet && results.some(({ n, diff }) => diff !== null && n !== chosen)) {
    await print('The other copies are kept for 14 days: turnout workspace list\n');
  }
  if (cancelled) return 130;
  return results.some(({ status }) => status === 'ok') ? 0 : 1;
}

/** One runtime is read, and the others get the same request; `--json` is not the one of exec. */
function withRuntime(flags: ReadFlags, runtime: string): ReadFlags {
  return {
    ...flags,
    has: (name) => name !== 'json' && flags.has(name),
    one: (name) => (name === 'runtime' ? runtime : flags.one(name)),
  };
}

type Plan = Awaited<ReturnType<typeof readFlags>>['plan'];

async function planWith(plan: Plan, isolate: 'clone' | 'none', access: string): Promise<Plan> {
  const { ACCESS_MODES } = await import('../contract/vocabulary.js');
  const mode = ACCESS_MODES.find((one) => one === access) ?? plan.request.access;
  return { ...plan, request: { ...plan.request, isolate, access: mode } };
}

/** @throws {TurnoutError} it can't be merged with what the folder holds now */
async function land(result: Compared): Promise<string> {
  if (result.workspace === null || result.diff === null) throw new UsageError(`result ${result.n} changed no file`);
  const record = await pickWorkspace(result.workspace);
  const landed = await reporting(() => landWorkspace(record, { form: 'apply', env: process.env, now: Date.now() }));
  await reporting(() => removeFiles(record, process.env, Date.now()));
  return landedText(landed);
}

/** @returns the number to land, 0 for none */
async function askWhich(results: readonly Compared[]): Promise<number> {
  const changed = results.filter(({ diff }) => diff !== null);
  if (changed.length === 0 || !process.stdin.isTTY || !process.stderr.isTTY) return 0;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const numbers = changed.map(({ n }) => n);
  try {
    for (;;) {
      const typed = await lines.question(
        `Land one? ${numbers.join(', ')}; d and a number shows its diff; n lands none: `,
      );
      const [, diff, digits] = /^\s*(d?)\s*(\d+)\s*$/i.exec(typed) ?? [];
      if (/^\s*(n|no|none)?\s*$/i.test(typed)) return 0;
      const found = changed.find(({ n }) => n === Number(digits));
      if (!found) continue;
      if (diff === '') return found.n;
      process.stderr.write(`${harmless(await readFile(found.diff?.patch_path ?? '', 'utf8'))}\n`);
    }
  } catch (error) {
    // Ctrl-C or Ctrl-D at the question: nothing is landed.
    if (error instanceof Error && (error.name === 'AbortError' || 'code' in error)) return 0;
    throw error;
  } finally {
    lines.close();
  }
}
