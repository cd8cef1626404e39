/** Runs a program to its end for its output and its exit code, through execa. */

import { execa, execaSync, type Options } from 'execa';

export interface ProgramOptions {
  cwd?: string;
  /** The whole environment; ours when absent. */
  env?: Readonly<Record<string, string | undefined>>;
  input?: string;
  /** Milliseconds. */
  timeout?: number;
  /** `ignore` drops what it prints, `inherit` shows it; kept when absent. */
  stdio?: 'ignore' | 'inherit';
}

export interface ProgramEnd {
  /** The exit code; null when a signal ended it or it did not start. */
  status: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Why it did not start. */
  error?: Error;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const MOST_OUTPUT = 256 * 1024 * 1024;

interface Ran {
  exitCode?: number;
  signal?: string;
  stdout?: unknown;
  stderr?: unknown;
}

function asked({ env, input, stdio, ...rest }: ProgramOptions) {
  return {
    ...rest,
    ...(env === undefined ? {} : { env: { ...env }, extendEnv: false }),
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    ...(stdio === undefined ? {} : { stdout: stdio, stderr: stdio }),
    reject: false,
    stripFinalNewline: false,
    maxBuffer: MOST_OUTPUT,
  } satisfies Options;
}

function endOf(command: string, ran: Ran): ProgramEnd {
  const { exitCode, signal } = ran;
  const end = { status: exitCode ?? null, signal: signal ?? null, stdout: text(ran.stdout), stderr: text(ran.stderr) };
  // A program that ran has an exit code or a signal.
  if (exitCode !== undefined || signal !== undefined) return end;
  return { ...end, error: ran instanceof Error ? ran : new Error(`${command} did not start`) };
}

/** Never throws: how it ended is in the answer. */
export function runProgram(command: string, args: readonly string[] = [], options: ProgramOptions = {}): ProgramEnd {
  return endOf(command, execaSync(command, [...args], asked(options)));
}

/** The same without holding up this process; past `timeout` it is killed. */
export async function runProgramLater(
  command: string,
  args: readonly string[] = [],
  options: ProgramOptions = {},
): Promise<ProgramEnd> {
  return endOf(command, await execa(command, [...args], { ...asked(options), killSignal: 'SIGKILL' }));
}

/** @returns what it printed on stdout @throws when it ends with another exit code than 0 */
export function outputOf(command: string, args: readonly string[] = [], options: ProgramOptions = {}): string {
  const ran = runProgram(command, args, options);
  if (ran.status === 0) return ran.stdout;
  const how = ran.error?.message ?? (ran.signal === null ? `exit code ${ran.status}` : ran.signal);
  throw new Error(`${command} ${args.join(' ')}: ${how}\n${ran.stderr}`);
}
