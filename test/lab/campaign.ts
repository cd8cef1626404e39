import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, bench, markOfThisRun, NotUnderstood } from './harness/bench.js';
import { canLook, killAll, processesWith } from './harness/processes.js';
import { installedBin } from './install.js';
import { inOrder, type Section, updateTable } from './matrix.js';
import { type ModelServer, startModel } from './model/server.js';
import { askOurBuild, type OurBuild } from './our-build.js';
import { labFolder } from './paths.js';
import { programs } from './programs.js';
import { recipes } from './recipes/generated.js';
import { nameOf, programOf, type Recipe } from './recipes/recipe.js';
import { scenarios } from './scenarios/index.js';
import type { Scenario } from './scenarios/scenario.js';
import { excuse, judge } from './verdict.js';

export interface RunOptions {
  root: string;
  runtimes: readonly string[];
  only: readonly string[];
  /** Every program that has a recipe; without it and without names, those that a plain `install` puts there. */
  all: boolean;
  smoke: boolean;
  /** Only the rows that every program is asked for. */
  core: boolean;
  /** Keep a recording of every turn beside what it said. */
  record: boolean;
  /** Leave the table in the documentation alone. */
  dry: boolean;
  /** Hears how each row went. */
  onRow?(row: { scenario: string; outcome: string }): void;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function wantedScenarios(options: RunOptions): readonly Scenario[] {
  if (options.only.length > 0) return scenarios.filter((scenario) => options.only.includes(scenario.name));
  if (options.core) return scenarios.filter((scenario) => scenario.core);
  return options.smoke ? scenarios.filter((scenario) => scenario.smoke) : scenarios;
}

/** A scenario that throws is a failed one; the lab itself must get to its last line. */
async function runScenario(scenario: Scenario, work: Bench): Promise<void> {
  try {
    await scenario.run(work);
  } catch (error) {
    if (error instanceof NotUnderstood) work.check('usage', false, error.message);
    else work.check('lab', false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

async function runRuntime(
  recipe: Recipe,
  options: RunOptions,
  build: OurBuild,
  model: ModelServer,
  scratch: string,
  counts: Counts,
  seen: Section[],
): Promise<Section> {
  const name = nameOf(recipe);
  const wanted = wantedScenarios(options).filter(
    ({ only, named }) => (only === undefined || only.includes(name)) && !(named && recipe.asCommand),
  );
  const version = programs.find((program) => program.id === programOf(recipe))?.version ?? '';
  const section: Section = { runtime: name, version, rows: [] };
  seen.push(section);
  if (!build.runtimes.has(recipe.runtime)) {
    counts.skipped += wanted.length;
    console.log(`SKIPPED ${name}: this build has no runner for ${recipe.runtime}`);
    return section;
  }
  if (!recipe.builtin && installedBin(programOf(recipe)) === undefined) {
    counts.skipped += wanted.length;
    console.log(`SKIPPED ${name}: not installed; run: npm run lab -- install ${programOf(recipe)}`);
    return section;
  }
  const kept = join(keptFolder(), name);
  // A new user's first turn may set the program up for half a minute; no row is about that.
  if (wanted.length > 0 && wanted[0]?.name !== 'text') {
    const around = { root: options.root, model, recipe, scratch: join(scratch, name), kept, record: false };
    await bench(around, 'warm-up').turn('text');
  }
  for (const scenario of wanted) {
    const lacking = scenario.programs?.find((id) => installedBin(id) === undefined);
    if (lacking !== undefined) {
      counts.skipped += 1;
      console.log(`SKIPPED ${name} ${scenario.name}: run: npm run lab -- install ${lacking}`);
      continue;
    }
    const around = { root: options.root, model, recipe, scratch: join(scratch, name), kept, record: options.record };
    const work = bench(around, scenario.name);
    const started = performance.now();
    await runScenario(scenario, work);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const refused = work.failures.some((failure) => failure.check.endsWith('.usage'));
    if (refused && scenario.needs !== undefined && !build.capabilities.has(scenario.needs)) {
      counts.skipped += 1;
      console.log(`SKIPPED ${name} ${scenario.name}: this build has no ${scenario.needs} yet`);
      continue;
    }
    const row = judge(scenario, work.failures, recipe);
    section.rows.push(row);
    options.onRow?.({ scenario: scenario.name, outcome: row.outcome });
    counts[row.outcome === 'FAIL' ? 'failed' : 'passed'] += 1;
    console.log(
      `${row.outcome.padEnd(5)} ${name} ${scenario.name} (${seconds} s)${row.outcome === 'limit' ? `: ${row.note}` : ''}`,
    );
    for (const failure of work.failures) {
      if (excuse(failure, recipe) === undefined) console.log(`      ${failure.check}: ${failure.message}`);
    }
  }
  return section;
}

/** Two programs at once: each has its own home, and more would only measure the machine. */
async function inLanes<T>(jobs: readonly (() => Promise<T>)[], lanes: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < jobs.length) {
      const at = next++;
      const job = jobs[at];
      if (job !== undefined) results[at] = await job();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

function chosenRecipes(options: RunOptions): readonly Recipe[] | undefined {
  const unknown = options.runtimes.filter((id) => !recipes.some((recipe) => nameOf(recipe) === id));
  const strange = options.only.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (strange.length > 0) {
    console.error(`no row ${strange.join(', ')}. Known: ${scenarios.map((scenario) => scenario.name).join(', ')}`);
    return undefined;
  }
  if (unknown.length > 0) {
    console.error(`no recipe for ${unknown.join(', ')}. Known: ${recipes.map(nameOf).join(', ')}`);
    return undefined;
  }
  if (options.runtimes.length > 0) return recipes.filter((recipe) => options.runtimes.includes(nameOf(recipe)));
  const first = (recipe: Recipe): boolean =>
    programs.some((program) => program.id === programOf(recipe) && program.first === true);
  return options.all ? recipes : recipes.filter(first);
}

/** What this run said and heard; a folder of its own, since two labs may run at once. */
export function keptFolder(): string {
  return join(labFolder(), 'runs', String(process.pid));
}

/** A lab that was killed left its scratch folder; its number is free again or another program's. */
function dropAbandonedScratch(): void {
  const all = join(labFolder(), 'scratch');
  mkdirSync(all, { recursive: true });
  for (const pid of readdirSync(all)) {
    try {
      process.kill(Number(pid), 0);
    } catch {
      rmSync(join(all, pid), { recursive: true, force: true });
    }
  }
}

/** The last few runs are kept for a look; a run of everything is some 20 MB. */
function dropOldRuns(): void {
  const runs = join(labFolder(), 'runs');
  mkdirSync(runs, { recursive: true });
  const byAge = readdirSync(runs)
    .map((name) => ({ path: join(runs, name), at: statSync(join(runs, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path, at } of byAge.slice(5)) {
    if (Date.now() - at > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

/** `run`: every chosen runtime through every chosen scenario. Exit code 1 when one failed. */
export async function run(options: RunOptions): Promise<number> {
  const chosen = chosenRecipes(options);
  if (chosen === undefined) return 2;
  const build = askOurBuild(options.root);
  dropAbandonedScratch();
  dropOldRuns();
  mkdirSync(keptFolder(), { recursive: true });
  const scratch = join(labFolder(), 'scratch', String(process.pid));
  const model = await startModel({ logFile: join(keptFolder(), 'requests.ndjson') });
  if (!canLook) console.log('no /proc here: left-over processes are not looked for');
  const seen: Section[] = [];
  const keep = (): void => {
    if (!options.dry) updateTable(options.root, seen, scenarios, false);
  };
  const stop = (): void => {
    keep();
    killAll(processesWith(`${markOfThisRun}-`));
    rmSync(scratch, { recursive: true, force: true });
    process.exit(130);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    // Written after every program, and when the run is ended from outside: what was seen is kept.
    const jobs = chosen.map((recipe) => async () => {
      const section = await runRuntime(recipe, options, build, model, scratch, counts, seen);
      keep();
      return section;
    });
    const sections = await inLanes(jobs, 2);
    console.log(`\n${updateTable(options.root, sections, scenarios, true)}\n`);
    const good = inOrder(sections, scenarios);
    console.log(`core rows in order: ${good.length} of ${sections.length} programs (${good.join(', ')})`);
  } finally {
    await model.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  if (counts.failed > 0) console.log(`what was said and heard: ${keptFolder()}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 ? 0 : 1;
}
