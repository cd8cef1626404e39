import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Said } from '../harness/bench.js';
import { describe } from '../harness/bench.js';
import { KEYS, TEXT } from '../model/texts.js';
import { programs } from '../programs.js';
import { programOf } from '../recipes/recipe.js';
import type { Scenario } from './scenario.js';

/** One JSON value on stdout, whatever else was said on stderr. */
function json(bench: Bench, said: Said): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(said.stdout);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    bench.check(
      'json',
      false,
      `exit ${said.code}, stdout ${said.stdout.slice(0, 200)}, stderr ${said.stderr.slice(0, 200)}`,
    );
    return {};
  }
}

export const commandScenarios: readonly Scenario[] = [
  {
    name: 'scan',
    title: 'agent scan finds it and knows its version without running it',
    named: true,
    needs: 'agent-scan',
    async run(bench) {
      const said = await bench.command(['agent', 'scan', '--json']);
      const agents = json(bench, said).agents;
      const entry = Array.isArray(agents) ? agents.find((agent) => agent.id === bench.recipe.runtime) : undefined;
      bench.check('found', entry?.installed === true, `entry: ${JSON.stringify(entry)?.slice(0, 300)}`);
      const version = programs.find((program) => program.id === programOf(bench.recipe))?.version;
      bench.check(
        'version',
        entry?.version === version,
        `version is ${JSON.stringify(entry?.version)}, installed is ${version}`,
      );
    },
  },
  {
    name: 'test',
    title: 'agent test answers whether it works',
    named: true,
    needs: 'agent-test-json',
    async run(bench) {
      const named = bench.recipe.model === null ? [] : [`--model=${bench.recipe.model}`];
      const good = json(bench, await bench.command(['agent', 'test', bench.runtime, '--json', ...named]));
      bench.check(
        'works',
        good.status === 'ok_unexpected' && good.reply === TEXT,
        `result: ${JSON.stringify(good)?.slice(0, 300)}`,
      );
      const theirs = bench.recipe.vendorModel ?? bench.recipe.model;
      const asked = theirs === null ? [] : [`--model=${theirs}`];
      const out = await bench.command(['agent', 'test', bench.runtime, '--json', ...asked], {
        loggedOut: true,
      });
      const bad = json(bench, out);
      bench.check(
        'logged-out',
        bad.status === 'auth' && out.code === 1,
        `exit ${out.code}, result: ${JSON.stringify(bad)?.slice(0, 300)}`,
      );
    },
  },
  {
    name: 'models',
    title: 'agent models lists what it can run, or says that it can not list',
    named: true,
    needs: 'agent-models',
    async run(bench) {
      const said = await bench.command(['agent', 'models', '--runtime', bench.runtime, '--json']);
      const answer = json(bench, said);
      const shape = answer.v === 1 && typeof answer.supported === 'boolean' && Array.isArray(answer.models);
      bench.check(
        'shape',
        said.code === 0 && shape,
        `exit ${said.code}, answer: ${JSON.stringify(answer)?.slice(0, 300)}`,
      );
    },
  },
  {
    name: 'sessions',
    title: 'agent sessions lists the session of a turn, or says that it can not list',
    named: true,
    async run(bench) {
      const outcome = await bench.turn('text');
      bench.check('exit', outcome.code === 0, describe(outcome));
      const id = outcome.first('session')?.session_id;
      const cwd = String(outcome.first('start')?.cwd ?? '.');
      const said = await bench.command([
        ...['agent', 'sessions', '--runtime', bench.recipe.runtime],
        ...['--cwd', cwd, '--json'],
      ]);
      const answer = json(bench, said);
      const { sessions } = answer;
      const listed = Array.isArray(sessions) && sessions.some((one) => one.id === id && one.cwd === cwd);
      bench.check(
        'listed',
        said.code === 0 && (answer.supported === false || listed),
        `exit ${said.code}, session ${String(id)}, answer: ${JSON.stringify(answer).slice(0, 400)}`,
      );
    },
  },
  {
    name: 'record',
    title: 'A recorded turn is replayed without the program, and holds no key',
    needs: 'exec-record',
    async run(bench) {
      const path = join(bench.folder, 'turn.ndjson');
      const outcome = await bench.turn('shell echo recorded', {
        flags: ['--access', 'full', '--allow-root', '--record', path],
      });
      bench.check('exit', outcome.code === 0, describe(outcome));
      const replayed = await bench.command(['agent', 'replay', path]);
      bench.check('replay', replayed.code === 0, `exit ${replayed.code}: ${replayed.stderr.slice(-300)}`);
      const text = readFileSync(path, 'utf8');
      bench.check('keys', !Object.values(KEYS).some((key) => text.includes(key)), 'a key is in the recording');
      const mode = statSync(path).mode & 0o777;
      bench.check('mode', process.platform === 'win32' || mode === 0o600, `mode ${mode.toString(8)}`);
    },
  },
];
