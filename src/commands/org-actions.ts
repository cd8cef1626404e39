/** The actions of `turnout org`: on runs that are under way in other processes, and the begin of a run. */

import { UsageError } from '../contract/error.js';
import { OWNER } from '../contract/principal.js';
import type { Choice, JsonObject } from '../contract/vocabulary.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { type Core, createCore } from '../runs/core.js';
import { openOrgs } from '../runs/org/open.js';
import { orgRunId } from '../runs/org/series.js';
import { isOver } from '../runs/records.js';
import { recover } from '../runs/recover.js';
import { needOrg, OrgError } from '../serve/org/project.js';
import { openQuestion, questionsOf } from '../serve/org/questions.js';
import { lostRuns } from '../serve/org/status.js';
import type { Asked } from './org-reads.js';

const CALLER = { principal: OWNER, surface: 'org' };
/** Milliseconds that a run may take to end: twice what a turn is allowed. */
const STOP_MS = 8000;

type Action = (asked: Asked) => Promise<JsonObject>;

/** Commands go through the store to the process that works on the run. */
async function withCore<T>(work: (core: Core) => Promise<T>): Promise<T> {
  const store = await openOrgs(process.env, 'org', (line) => process.stderr.write(`turnout: ${line}\n`));
  try {
    await recover(store, Date.now());
    const { env: ambient } = process;
    return await work(
      createCore({ store, runners: [], ambient, cwd: process.cwd(), turnout: ownArgv(), version: VERSION }),
    );
  } finally {
    store.close();
  }
}

const CHOICES: Readonly<Record<string, Choice>> = {
  allow: 'allow_once',
  yes: 'allow_once',
  allow_once: 'allow_once',
  allow_session: 'allow_session',
  deny: 'deny',
  no: 'deny',
};

/** @param said what is answered; null: it is the third word */
const answering =
  (said: Choice | null): Action =>
  async ({ project, words: [name, id, ...rest] }) => {
    const org = await needOrg(project, name);
    if (id === undefined) throw new UsageError('which question? org questions lists them');
    const { store } = project;
    if (store === null) throw new OrgError(`no runs found for org ${org.name}`);
    const question = openQuestion(await questionsOf({ ...project, store }, org, lostRuns(store)), id);
    const [text = '', ...more] = rest;
    const choice = said ?? CHOICES[text];
    if (choice === undefined)
      throw new OrgError('the question is whether a tool may be used: answer allow, allow_session or deny');
    const message = (said === null ? more : rest).join(' ');
    await withCore((core) =>
      core.runs.send(
        question.run.run_id,
        { type: 'approve', choice, request: question.request, ...(message === '' ? {} : { message }) },
        CALLER,
      ),
    );
    return { v: 1, org: org.name, questionId: id, answer: choice };
  };

const stop: Action = async ({ project, words: [name] }) => {
  const org = await needOrg(project, name);
  const lost = lostRuns(project.store);
  const live = org.runs.filter(({ status, run_id }) => !isOver(status) && !lost.has(run_id));
  if (live.length === 0) throw new OrgError(`org '${org.name}' is not running`);
  await withCore(async ({ runs }) => {
    const over = AbortSignal.timeout(STOP_MS);
    await Promise.all(
      live.map(async ({ run_id }) => {
        await runs.send(run_id, { type: 'cancel' }, CALLER);
        const { status } = await runs.ended(run_id, CALLER, over);
        if (!isOver(status)) throw new OrgError(`org '${org.name}' does not end`);
      }),
    );
  });
  return { v: 1, org: org.name, stopped: live.map(orgRunId) };
};

export const ACTIONS: Readonly<Record<string, Action>> = {
  stop,
  answer: answering(null),
  approve: answering('allow_once'),
  deny: answering('deny'),
  'gate-approve': answering('allow_once'),
  'gate-reject': answering('deny'),
};

/** What the original has and we have not. */
export const MISSING: ReadonlySet<string> = new Set([
  ...['create', 'delete', 'edit', 'pause', 'resume', 'reload', 'restart', 'sign', 'unsign', 'mark-complete', 'message'],
  ...['chat', 'export', 'import', 'serve', 'schedule', 'unschedule', 'init', 'keygen', 'federation', 'learn'],
]);

export interface Begun {
  /** What `agent exec` is called with. */
  argv: string[];
  plan: JsonObject;
}

/** The run that `org run` begins: a turn of the first role. @throws {OrgError} it can't be begun */
export async function runOf({ project, words: [name], flags }: Asked): Promise<Begun> {
  const org = await needOrg(project, name);
  const { definition } = org;
  if (definition === null) throw new OrgError(`org '${org.name}' is not defined in turnout.config.json`);
  if (typeof definition === 'string') throw new OrgError(`org '${org.name}' is invalid: ${definition}`);
  const [role] = definition.roles;
  if (!role) throw new OrgError(`org '${org.name}' has no role`);
  const prompt = [definition.goal, flags.one('task') ?? ''].filter((text) => text.trim() !== '').join('\n\n');
  if (prompt === '') throw new OrgError(`org '${org.name}' has no goal: say what is to be done with --task`);
  const { id, runtime, model, access } = role;
  const argv = ['--runtime', runtime, '--prompt', prompt, '--org', org.name, '--role', id, '--cwd', project.folder];
  if (model !== undefined) argv.push('--model', model);
  if (access !== undefined) argv.push('--access', access);
  return { argv, plan: { v: 1, org: org.name, role: id, runtime, prompt } };
}
