/** The reads of `turnout org`: each answers with one JSON document. */

import { UsageError } from '../contract/error.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { orgRunId } from '../runs/org/series.js';
import { costsOf, eventsOf, type Kept, reportOf } from '../serve/org/figures.js';
import { needOrg, type Org, OrgError, orgsOf, type Project } from '../serve/org/project.js';
import { asGate, asQuestion, questionsOf } from '../serve/org/questions.js';
import { listed, lostRuns, needRun, statusOf } from '../serve/org/status.js';
import type { ReadFlags } from './argv.js';
import type { OrgFlag } from './org-flags.js';

export interface Asked {
  project: Project;
  /** What stands behind the subcommand. */
  words: readonly string[];
  flags: ReadFlags<OrgFlag>;
}

type Read = (asked: Asked) => Promise<JsonObject>;

/** The project with its store. @throws {OrgError} nothing was ever kept */
function kept({ folder, store }: Project, org: Org): Kept {
  if (store === null) throw new OrgError(`no runs found for org ${org.name}`);
  return { folder, store };
}

/** A read of one run. */
const ofRun =
  (answer: (project: Kept, org: Org, run: ReturnType<typeof needRun>) => Promise<JsonObject>): Read =>
  async ({ project, words, flags }) => {
    const org = await needOrg(project, words[0]);
    const run = needRun(org, flags.one('run'));
    return answer(kept(project, org), org, run);
  };

/** A list of what was asked; empty where nothing was ever kept. */
const ofQuestions =
  (shown: typeof asGate, some: (one: { open: boolean; decision: string | null }, all: boolean) => boolean): Read =>
  async ({ project, words, flags }) => {
    const org = await needOrg(project, words[0]);
    const { store } = project;
    const all = store === null ? [] : await questionsOf({ ...project, store }, org, lostRuns(store));
    const items = all.filter((one) => some(one, flags.has('all'))).map(shown);
    return { v: 1, org: org.name, items };
  };
const openOnes = ({ open }: { open: boolean }, all: boolean): boolean => open || all;

/** What there is nothing of, truthfully. */
const empty: Read = async ({ project, words }) => ({ v: 1, org: (await needOrg(project, words[0])).name, items: [] });

export const READS: Readonly<Record<string, Read>> = {
  async list({ project }) {
    const lost = lostRuns(project.store);
    return { v: 1, items: (await orgsOf(project)).map((org) => listed(org, lost)) };
  },
  async status({ project, words: [name] }): Promise<JsonObject> {
    const { store } = project;
    const lost = lostRuns(store);
    if (name !== undefined) return { v: 1, ...statusOf(await needOrg(project, name), store, lost) };
    return { v: 1, items: (await orgsOf(project)).map((org) => statusOf(org, store, lost)) };
  },
  async logs(asked) {
    if (asked.flags.has('follow')) throw new OrgError('logs does not follow: use org events --ndjson --follow');
    return ofRun(async (project, org, run) => {
      const items = await eventsOf(project, org, run);
      return { v: 1, org: org.name, run: orgRunId(run), items };
    })(asked);
  },
  async report(asked) {
    if (!asked.flags.has('all')) return ofRun(reportOf)(asked);
    const org = await needOrg(asked.project, asked.words[0]);
    const items: JsonObject[] = [];
    for (const run of org.runs) {
      const { v: _v, org: _org, ...item } = await reportOf(kept(asked.project, org), org, run);
      items.push(item);
    }
    return { v: 1, org: org.name, items };
  },
  costs: ofRun(costsOf),
  questions: ofQuestions(asQuestion, openOnes),
  gates: ofQuestions(asGate, openOnes),
  approvals: ofQuestions(asGate, openOnes),
  decisions: ofQuestions(asGate, ({ decision }) => decision !== null),
  flow: empty,
  async memory(asked) {
    const [, what] = asked.words;
    if (what !== undefined && what !== 'stats') throw new UsageError(`unknown subcommand "org memory NAME ${what}"`);
    return empty(asked);
  },
  async validate({ project, words }) {
    const { name, definition } = await needOrg(project, words[0]);
    if (typeof definition === 'string') throw new OrgError(`org '${name}' is invalid: ${definition}`);
    return { v: 1, org: name, valid: true, defined: definition !== null };
  },
};
