/** `turnout run`: one turn for a person at a terminal. */

import { fstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../contract/error.js';
import { LIMITS } from '../contract/limits.js';
import { ownCwd } from '../discovery/places.js';
import { keepSession, type LastSession, lastSession } from '../exec/last-session.js';
import { firstLine } from '../exec/stdin-frames.js';
import { isPipe } from '../process/file-kind.js';
import type { Settings } from '../registry/settings/defaults.js';
import { type ExecPlan, planOf, type ReadPrompt, type Surroundings } from '../request/from-argv.js';
import { readInputFile, readInputStream } from '../request/input-file.js';
import { place } from '../request/place.js';
import { asFlags } from '../request/spelling.js';
import { type ReadFlags, readArgv } from './argv.js';
import { askingTerminal, askPerson } from './asking-terminal.js';
import { keepPlan } from './keep-plan.js';
import { APPROVERS, HOST_FLAGS, RUN_FLAGS } from './run-flags.js';
import { refuse, runPlan } from './run-plan.js';
import { type Piped, withPiped } from './run-stdin.js';
import { textOutput } from './text-output.js';

export interface RunPlan {
  plan: ExecPlan;
  quiet: boolean;
  noColor: boolean;
  /** Whether the person is asked for permission: always, never, or as the terminal allows. */
  approvals: 'ask' | 'deny' | null;
  /** Whether the run is kept for `turnout history`. */
  history: boolean;
}

export interface RunSurroundings extends Surroundings, Piped {
  /** Whether stdin is a terminal, so that nothing waits there. */
  stdinIsTerminal: boolean;
  /** What the configuration files say for a folder. @throws UsageError */
  settings(cwd: string): Promise<Settings>;
}

type Flags = ReadFlags;

/** @throws UsageError */
function approvalsOf(flags: Flags): RunPlan['approvals'] {
  const given = flags.one('approvals');
  if (given === undefined || given === 'ask' || given === 'deny') return given ?? null;
  throw new UsageError(`--approvals: expected one of ${APPROVERS.join(', ')}, not ${JSON.stringify(given)}`, {
    hint: 'turnout run --help',
  });
}

/** The words of the command line; a pipe is added to them, stands in for them, or goes where `-` stands. */
export async function readWords(flags: Flags, around: RunSurroundings): Promise<ReadPrompt> {
  const given = flags.one('prompt');
  const path = flags.one('prompt-file');
  const { words } = flags;
  if ([given !== undefined, path !== undefined, words.length > 0].filter(Boolean).length > 1) {
    throw new UsageError('the prompt is given twice: as words and by a flag');
  }
  const piped = place(asFlags, ['prompt']);
  const stdin = () => readInputStream(around.stdin(), piped, LIMITS.promptFile);
  if (path !== undefined) {
    if (path === '-') return { text: await stdin(), fromStdin: true };
    const text = await readInputFile(path, around.cwd, place(asFlags, ['promptFile']), LIMITS.promptFile);
    return { text: await withPiped(text, around, piped, LIMITS.promptFile), fromStdin: true };
  }
  const said = given === undefined ? words : [given];
  if (said.length === 0 && around.stdinIsTerminal) {
    throw new UsageError('what should be done? Give a prompt: turnout run "explain this project"', {
      hint: 'turnout run --help',
    });
  }
  const asks = said.length === 0 || (given === undefined && said.includes('-'));
  const text = said.filter((word) => word !== '-' || given !== undefined).join(' ');
  if (!asks && text.trim() === '') throw new UsageError('the prompt is empty');
  // Nothing else is read from stdin here: people send no frames.
  return {
    text: asks
      ? [text, await stdin()].filter((part) => part.trim() !== '').join('\n\n')
      : await withPiped(text, around, piped, LIMITS.promptFile),
    fromStdin: true,
  };
}

function sessionOf(flags: Flags, around: RunSurroundings): LastSession | null {
  if (!flags.has('continue')) return null;
  if (flags.has('resume')) throw new UsageError('give --continue or --resume, not both');
  const cwd = resolve(around.cwd, flags.one('cwd') ?? '.');
  const runtime = flags.one('runtime') ?? null;
  const last = lastSession(cwd, runtime, around.env);
  if (last) return last;
  const which = runtime === null ? '' : ` of ${runtime}`;
  throw new UsageError(`there is no session${which} to continue in ${cwd}; start one with: turnout run "…"`);
}

/** @throws UsageError */
export async function readRun(argv: readonly string[], around: RunSurroundings): Promise<RunPlan> {
  const flags = readArgv(argv, RUN_FLAGS, 'turnout run', { words: true });
  return readFlags(flags, around, () => readWords(flags, around));
}

/**
 * The flags of run, and of what is like it, with what was said last and what the configuration says.
 * @param prompt reads the prompt, last of all
 * @throws UsageError
 */
export async function readFlags(
  flags: Flags,
  around: RunSurroundings,
  prompt: () => Promise<ReadPrompt>,
): Promise<RunPlan> {
  const host = HOST_FLAGS.find((name) => flags.has(name));
  if (host) throw new UsageError(`--${host} is for programs`, { hint: 'turnout agent exec --help' });
  const last = sessionOf(flags, around);
  const settings = await around.settings(resolve(around.cwd, flags.one('cwd') ?? '.'));
  for (const note of settings.notes) around.note(note);
  const runtime = flags.one('runtime') ?? last?.runtime;
  const instead = (name: string): string | undefined => {
    if (name === 'resume') return last?.session;
    return name === 'runtime' ? (runtime ?? settings.text(name, undefined) ?? 'auto') : settings.text(name, runtime);
  };
  const approvals = approvalsOf(flags);
  // Those of exec say who of two programs answers.
  const given = (name: string): string | undefined => (name === 'approvals' ? undefined : flags.one(name));
  const asked: Flags = {
    ...flags,
    has: (name) => (name !== 'approvals' && flags.has(name)) || instead(name) !== undefined,
    one: (name) => given(name) ?? instead(name),
  };
  const plan = await planOf(asked, around, prompt);
  return { plan, quiet: flags.has('quiet'), noColor: flags.has('no-color'), approvals, history: settings.history };
}

/** Of this machine. @throws UsageError */
export async function settingsAt(cwd: string): Promise<Settings> {
  const { readSettings } = await import('../registry/settings/defaults.js');
  return readSettings({ env: process.env, home: homedir(), platform: process.platform, cwd });
}

/** A pipe, a socket or a file; a terminal and /dev/null hold nothing. */
export function stdinHasInput(): boolean {
  try {
    const stat = fstatSync(0);
    return isPipe(stat) || stat.isSocket() || stat.isFile();
  } catch {
    return false;
  }
}

/** @param argv what stands after `run` */
export async function runRun(argv: readonly string[]): Promise<void> {
  let read: RunPlan;
  try {
    read = await readRun(argv, {
      cwd: ownCwd(),
      env: process.env,
      stdin: () => process.stdin,
      firstLine: (limits) => firstLine(process.stdin, limits),
      stdinIsTerminal: process.stdin.isTTY === true,
      stdinIsPiped: stdinHasInput(),
      settings: settingsAt,
      note: (message) => process.stderr.write(`turnout: ${message}\n`),
    });
  } catch (error) {
    if (error instanceof UsageError) return refuse(error, false);
    throw error;
  }
  const { plan, quiet, noColor, approvals, history } = read;
  const terminal = plan.format !== 'json' && approvals !== 'deny' ? askingTerminal() : null;
  if (terminal === null && approvals === 'ask') {
    return refuse(new UsageError('--approvals ask needs a terminal to ask at', { hint: 'turnout run --help' }), false);
  }
  const text = textOutput({ quiet: quiet || plan.format === 'text', noColor, asks: terminal !== null });
  const output = plan.format === 'json' ? (await import('./json-output.js')).jsonOutput() : text;
  const asking = terminal && (await askPerson(terminal, text));
  let runtime = plan.request.runtime;
  const keeper = history ? await keepPlan(plan, 'run') : null;
  return runPlan(plan, {
    ...output,
    ...(asking ? { adapt: asking.adapt, attach: asking.attach } : {}),
    json: false,
    onEvent(event) {
      asking?.hear(event);
      keeper?.hear(event);
      if (event.type === 'start') runtime = event.runtime;
      if (event.type === 'session')
        keepSession({ cwd: plan.request.cwd, runtime, session: event.session_id }, process.env);
    },
  });
}
