import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { killAll, processesWith } from '../harness/processes.js';
import { installedBin } from '../install.js';
import { NO_TOOL, TEXT } from '../model/texts.js';
import { programOf } from '../recipes/recipe.js';
import type { Scenario } from './scenario.js';

const flags = ['--access', 'full', '--allow-root'];

/** The answer to the prompt, and nothing else, is the result. */
function expectOwnAnswer(bench: Bench, outcome: Outcome): void {
  bench.check('exit', outcome.code === 0, describe(outcome));
  const result = outcome.first('result');
  bench.check('text', result?.text === TEXT, `the result is ${JSON.stringify(result?.text)?.slice(0, 200)}`);
  bench.check('once', outcome.of('result').length === 1, `${outcome.of('result').length} results`);
}

/**
 * A session as a user leaves it behind who closes the terminal: a command is running in the background. Through us there is
 * no such thing, since nothing outlives a turn.
 *
 * @returns the session's id, or null
 */
async function killedInTheBackground(bench: Bench): Promise<string | null> {
  const bin = installedBin(programOf(bench.recipe));
  if (bin === undefined) return null;
  const cwd = join(bench.folder, 'work');
  mkdirSync(cwd, { recursive: true });
  const mark = `background-of-${process.pid}`;
  const child = spawn(bin, ['-p', '--verbose', '--output-format', 'stream-json', '--allowed-tools', 'Bash'], {
    cwd,
    env: { ...bench.env(), LAB_MARK: mark },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const watchdog = setTimeout(() => child.kill('SIGKILL'), 60_000);
  child.stdin.end(`SCENARIO:meanwhile sleep 300\n(${mark})`);
  let session: string | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    session ??= /"session_id":"([0-9a-f-]+)"/.exec(line)?.[1] ?? null;
    if (line.includes('"type":"result"')) child.kill('SIGKILL');
  }
  clearTimeout(watchdog);
  killAll(processesWith(mark));
  return session;
}

/** What ends beside the prompt, in the same session or another one of the same process. */
export const foreignEndScenarios: readonly Scenario[] = [
  {
    name: 'foreign-end',
    title: 'A background command or a subagent that ends while the turn runs does not end it',
    only: ['claude', 'codex', 'gemini', 'opencode'],
    async run(bench) {
      const outcome = await bench.turn('meanwhile sleep 1; echo background-is-over', { flags });
      bench.check('offered', !outcome.text.includes(NO_TOOL), 'nothing that runs beside the answer was offered');
      expectOwnAnswer(bench, outcome);
    },
  },
  {
    name: 'resume-after-background',
    title: 'A background command that died with its session does not answer for the next prompt',
    only: ['claude'],
    async run(bench) {
      const session = await killedInTheBackground(bench);
      bench.check('session', session !== null, 'the program by itself began no session');
      if (session === null) return;
      const again = await bench.turn('text', { flags: [...flags, '--resume', session], cwd: 'work' });
      expectOwnAnswer(bench, again);
      const told = again.of('status').some((event) => /a turn of its own/.test(String(event.message)));
      bench.check('told', told, 'the turn about the lost command was not named: did it come at all?');
    },
  },
];
