import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgramLater } from '../../run-program.js';
import { installedBin } from '../install.js';
import type { LoggedRequest } from '../model/request-log.js';
import type { ModelServer } from '../model/server.js';
import { binVariable, programOf, type Recipe } from '../recipes/recipe.js';
import { joined, type TurnEvent } from './stream.js';
import { type Live, runTurn, type Turn, type TurnOptions } from './turn.js';

export interface Asking {
  flags?: readonly string[];
  stdin?: TurnOptions['stdin'];
  /** Folder below the scenario's own; scenarios that resume use the same twice. */
  cwd?: string;
  /** Without a login, in a home of its own. */
  loggedOut?: boolean;
  /** More text after the order, before the mark. */
  rest?: string;
  onEvent?: (event: TurnEvent, live: Live) => void;
  watchdogMs?: number;
  /** The scenario ends our program itself, so that the stream can't be whole. */
  cutShort?: boolean;
  model?: string | null;
  /** Ambient variables besides the recipe's. */
  env?: Record<string, string>;
}

export interface Outcome extends Turn {
  prompt: string;
  marker: string;
  /** What the main agent said. */
  text: string;
  /** The requests that carried this turn's prompt, without those for titles and the like. */
  requests: LoggedRequest[];
  of(type: string): TurnEvent[];
  first(type: string): TurnEvent | undefined;
}

export interface Bench {
  recipe: Recipe;
  /** The value for `--runtime`. */
  runtime: string;
  root: string;
  model: ModelServer;
  /** Scratch folder of this scenario; exists. */
  folder: string;
  /** Runs one turn whose prompt orders `scenario` of the model. Form and leftovers are checked for every turn. */
  turn(scenario: string, asking?: Asking): Promise<Outcome>;
  /** Runs another command of ours in the same surroundings. */
  command(argv: readonly string[], options?: { loggedOut?: boolean }): Promise<Said>;
  /** The variables of a user who is logged in, or of one who is not, for what a scenario starts itself. */
  env(loggedOut?: boolean): Record<string, string>;
  /** Writes a file into the scenario's folder and returns its path. */
  write(name: string, content: string): string;
  /** Records a check by name. A failed one can be excused only by a limit that the recipe declares. */
  check(name: string, ok: boolean, message: string): void;
  failures: Failure[];
}

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Failure {
  check: string;
  message: string;
}

export interface Surroundings {
  root: string;
  model: ModelServer;
  recipe: Recipe;
  /** Per runtime: holds its home and one folder per scenario. */
  scratch: string;
  /** Whether each turn is also recorded there. */
  record: boolean;
  /** Where output is kept for a look after the run. */
  kept: string;
}

const passedOn = ['PATH', 'LANG', 'SystemRoot', 'PATHEXT', 'COMSPEC'];

/** A new user's environment: nobody's keys, nobody's home. */
function cleanEnvironment(home: string): Record<string, string> {
  const env: Record<string, string> = { HOME: home, USERPROFILE: home, LANG: 'C.UTF-8' };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Files that are there stay: the program may have added to them, and a resumed session needs what it wrote. */
function prepareHome(home: string, files: Record<string, string>): void {
  mkdirSync(home, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    if (existsSync(join(home, path))) continue;
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
}

/** Runs a command to its end, or for a minute and a half at most. */
async function runCommand(
  script: string,
  argv: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Said> {
  const { status, stdout, stderr } = await runProgramLater(process.execPath, [script, ...argv], {
    cwd,
    env,
    timeout: 90_000,
  });
  return { code: status, stdout, stderr };
}

/** In the environment of every process that this run started. */
export const markOfThisRun = `lab-${process.pid}`;

let turns = 0;

/** One scenario's workplace on one runtime. */
export function bench(around: Surroundings, scenario: string): Bench {
  const { recipe, model, root } = around;
  const failures: Failure[] = [];
  const folder = join(around.scratch, scenario);
  mkdirSync(folder, { recursive: true });
  const check = (name: string, ok: boolean, message: string): void => {
    if (!ok) failures.push({ check: `${scenario}.${name}`, message });
  };

  const bin = installedBin(programOf(recipe));
  const runtime = recipe.asCommand ? `acp:${bin ?? ''}` : recipe.runtime;
  /** Home and variables of a user who is logged in, or of one who is not. */
  const surroundings = (loggedOut: boolean, extra: Record<string, string> = {}): Record<string, string> => {
    const home = join(around.scratch, loggedOut ? 'home-logged-out' : 'home');
    const point = { url: model.url, home };
    const setup = loggedOut ? recipe.noLogin(point) : recipe.setup(point);
    prepareHome(home, setup.files);
    const named = bin && !recipe.asCommand ? { [binVariable(recipe.runtime)]: bin } : {};
    return { ...cleanEnvironment(home), ...setup.env, ...extra, ...named };
  };

  const command: Bench['command'] = async (argv, options = {}) => {
    const env = surroundings(options.loggedOut === true);
    const said = await runCommand(join(root, 'bin', 'turnout.js'), argv, folder, env);
    if (said.code === 2 && said.stderr.includes('"unknown command'))
      throw new NotUnderstood(said.stderr.trim().slice(0, 300));
    return said;
  };

  const turn = async (order: string, asking: Asking = {}): Promise<Outcome> => {
    turns += 1;
    const marker = `${markOfThisRun}-${turns}-end`;
    const modelName = asking.model === undefined ? recipe.model : asking.model;
    const own = asking.flags?.includes('--record') === true;
    const recording = around.record && !own ? ['--record', join(around.kept, `${scenario}-${turns}.ndjson`)] : [];
    const prompt = `SCENARIO:${order}\n${asking.rest ?? ''}(${marker})`;
    const result = await runTurn({
      prompt,
      root,
      marker,
      flags: [
        ...['--runtime', runtime, ...(modelName === null ? [] : ['--model', modelName])],
        ...(asking.flags ?? []),
        ...recording,
      ],
      cwd: join(folder, asking.cwd ?? 'work'),
      env: surroundings(asking.loggedOut === true, asking.env),
      folder: around.kept,
      name: `${scenario}-${turns}`,
      ...(asking.stdin ? { stdin: asking.stdin } : {}),
      ...(asking.onEvent ? { onEvent: asking.onEvent } : {}),
      ...(asking.watchdogMs ? { watchdogMs: asking.watchdogMs } : {}),
    });
    if (result.events.length === 0 && result.code === 2 && result.stderr.includes('"code":"usage"')) {
      throw new NotUnderstood(result.stderr.trim().slice(0, 300));
    }
    check('watchdog', !result.timedOut, `still running after ${Math.round(result.wallMs / 1000)} s, killed`);
    if (!asking.cutShort && !result.timedOut)
      check('stream', result.violations.length === 0, result.violations.slice(0, 5).join('; '));
    check(
      'leftovers',
      result.leftovers.length === 0,
      `left running: ${result.leftovers.map((left) => left.command).join(' | ')}`,
    );
    return {
      ...result,
      prompt,
      marker,
      text: joined(result.events),
      requests: model.log.holding(marker).filter((entry) => entry.asked !== null && entry.scenario !== 'side'),
      of: (type) => result.events.filter((event) => event.type === type),
      first: (type) => result.events.find((event) => event.type === type),
    };
  };
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  return {
    recipe,
    runtime,
    root,
    model,
    folder,
    turn,
    command,
    env: (loggedOut = false) => surroundings(loggedOut),
    write,
    check,
    failures,
  };
}

/** The call itself was refused: a flag that is not there yet, or a mistake of the scenario. Nothing else can be judged. */
export class NotUnderstood extends Error {}

/** What an outcome looks like in a message: enough to see why it is not the expected one. */
export function describe(outcome: Outcome): string {
  const error = outcome.events.findLast((event) => event.type === 'error');
  const end = error
    ? `error ${error.code}: ${String(error.message).slice(0, 200)}`
    : outcome.events
        .map((event) => event.type)
        .slice(-3)
        .join(' ');
  const stderr = outcome.events.length === 0 ? ` stderr: ${outcome.stderr.slice(-300)}` : '';
  return `exit ${outcome.code} after ${outcome.wallMs} ms, ${end}${stderr}`;
}
