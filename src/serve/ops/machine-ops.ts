/** Ops that look at this machine: scan, models, check, test. */

import { UsageError } from '../../contract/error.js';
import type { ScanEntry } from '../../contract/scan.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { scan as scanRunners } from '../../discovery/scan.js';
import { viewOf } from '../../discovery/view.js';
import { isTestWord, TEST_PROMPT } from '../../inspect/test-runtime.js';
import { readConfig } from '../../registry/config.js';
import { byId, nearest } from '../../registry/registry.js';
import { fieldFault, flag, needText, text } from '../../request/fields.js';
import { readKeys } from '../../request/from-json.js';
import type { Runner } from '../../runner/runner.js';
import { emptyMemory, planExec } from '../../runs/asking.js';
import { RequestError } from '../../runs/request-error.js';
import { isObject, parseJson } from '../../text/json.js';
import type { Op, OpContext } from './op.js';

/** Through JSON, so that what is shown is what a scan prints. */
const plain = (value: unknown): Json => parseJson(JSON.stringify(value)) ?? null;

function theRunner({ core }: OpContext, name: string): Runner {
  const runner = byId(name, core.runners);
  if (runner) return runner;
  const near = nearest(name, core.runners);
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  throw new RequestError(`there is no runtime called ${name}.${hint}`, 1, 'no-runner');
}

async function entryOf(context: OpContext, runner: Runner): Promise<ScanEntry> {
  const { agents } = await scanRunners([runner], {
    places: context.core.places(),
    all: true,
    probe: flag(context.fields, 'probe'),
  });
  const [entry] = agents;
  if (!entry) throw new RequestError(`${runner.id} could not be looked for`, 1);
  return entry;
}

export const scan: Op = async ({ core, fields, reply }) => {
  const options = { all: flag(fields, 'all'), installed: flag(fields, 'installed'), probe: flag(fields, 'probe') };
  const { broken } = core;
  const found = await scanRunners(core.runners, { places: core.places(), broken, ...options });
  reply.result('scan', true, { agents: plain(found.agents), broken_runners: plain(found.broken_runners ?? []) });
  return 0;
};

/** One runtime's own list; without a runtime, which ones could be asked: asking starts the program. */
export const models: Op = async (context) => {
  const { core, fields, reply } = context;
  const named = text(fields, 'runtime');
  if (named === undefined) {
    const { agents } = await scanRunners(core.runners, { places: core.places(), all: true, installed: true });
    reply.result('models', true, { models: agents.map(({ id }) => ({ runtime: id, models: null })) });
    return 0;
  }
  const { models: listModels } = await import('../../inspect/list.js');
  const cwd = text(fields, 'cwd') ?? core.cwd;
  const { v: _v, ...found } = await listModels({ runtime: named, cwd, env: core.ambient, runners: core.runners });
  const shown = plain(found);
  reply.result('models', found.error === undefined, isObject(shown) ? shown : {});
  return found.error === undefined ? 0 : 1;
};

function diagnostic(code: string, severity: string, title: string, prose: string, command?: string | null): JsonObject {
  const made: JsonObject = { schema_version: 1, code, severity, title, prose, see_also: [] };
  if (!command) return made;
  const alternative: JsonObject = { label: command, diff: '', rationale: prose, confidence: 0.9 };
  return { ...made, fix: { kind: 'command', confidence: 0.9, alternatives: [alternative] } };
}

async function configFaults({ core }: OpContext): Promise<JsonObject[]> {
  try {
    await readConfig(core.places());
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [diagnostic('usage', 'error', 'A configuration file is not in order', error.message)];
  }
}

const SEVERITIES = { fail: 'error', warn: 'warning', info: 'info', skip: 'hint' } as const;

/** The doctor's checks of a runtime as findings; what passed is left out. */
async function faults({ core }: OpContext, runner: Runner): Promise<JsonObject[]> {
  const { runtimeChecks } = await import('../../inspect/doctor/runtime.js');
  const checks = await runtimeChecks(viewOf(core.places()), runner);
  return checks.flatMap(({ name, status, message, fix }) => {
    if (status === 'pass') return [];
    // Without its program no turn can run, whatever else is right.
    if (name === 'program')
      return [diagnostic('missing-binary', 'error', `${runner.id} can't be started`, message, fix)];
    if (name === 'support') return [diagnostic('unsupported', 'error', `${runner.id} can't be run`, message, fix)];
    return [diagnostic(name, SEVERITIES[status], `${runner.id}: ${name}`, message, fix)];
  });
}

/** What speaks against a turn of this runtime, without starting it. */
export const check: Op = async (context) => {
  const { fields, reply, memory } = context;
  const name = text(fields, 'runtime') ?? memory.runtime;
  if (name === null) throw fieldFault('runtime', 'missing', 'expected the id of a runtime');
  const runner = theRunner(context, name);
  memory.runtime = name;
  const found = [...(await configFaults(context)), ...(await faults(context, runner))];
  for (const one of found) reply.envelope(one);
  const ok = found.every(({ severity }) => severity !== 'error');
  const fixes = found.filter((one) => 'fix' in one).length;
  reply.result('check', ok, { runtime: runner.id, diagnostics_count: found.length, fix_count: fixes });
  return ok ? 0 : 1;
};

/** One small turn of the runtime. It may cost a little. */
export const test: Op = async (context) => {
  const { core, fields, given, reply, memory, caller } = context;
  const runner = theRunner(context, needText(fields, 'runtime'));
  memory.runtime = runner.id;
  const entry = await entryOf(context, runner);
  const tests: { name: string; ok: boolean; told: string }[] = [];
  tests.push({
    name: 'found',
    ok: entry.installed,
    told: entry.installed ? `${entry.binary ?? 'built in'}` : entry.install_hint,
  });
  if (entry.installed) {
    const { timeoutMs = 120_000, model, cwd } = readKeys(fields);
    const asked = { runtime: runner.id, prompt: TEST_PROMPT, timeoutMs, model, cwd };
    const plan = planExec(asked, { core, memory: emptyMemory(), session: null });
    const conversation = { kind: 'new' } as const;
    const { run, attendance } = await core.runs.start({ caller, plan, conversation, attended: true, given });
    const release = attendance === null ? () => {} : context.attach(run.run_id, attendance);
    // A caller that leaves cancels it, so it ends in any case.
    const ended = await core.runs.ended(run.run_id, caller);
    release();
    const told = ended.error ? `${ended.error.code}: ${ended.error.message}` : `exit ${ended.exit_code ?? 'unknown'}`;
    tests.push({ name: 'turn', ok: ended.exit_code === 0, told });
    tests.push({ name: 'answer', ok: isTestWord(ended.text), told: ended.text ?? 'no text' });
  }
  for (const { name, ok, told } of tests)
    reply.log(ok ? 'stdout' : 'stderr', `${ok ? 'ok' : 'failed'} ${name}: ${told}`);
  const passed = tests.filter(({ ok }) => ok).length;
  const failed = tests.length - passed;
  reply.result('test', failed === 0, { runtime: runner.id, passed, failed });
  return failed === 0 ? 0 : 1;
};
