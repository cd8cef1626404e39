/** `org questions`, `org gates` and `org decisions`: what agents asked permission for, and what they were told. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { orgRunId } from '../../runs/org/series.js';
import { isOver, type RunRecord } from '../../runs/records.js';
import { num, obj, str } from '../../text/json.js';
import { eventsOf, type Kept } from './figures.js';
import { type Org, OrgError } from './project.js';

export interface Question {
  /** Names it among all of the org. */
  id: string;
  run: RunRecord;
  /** As its run calls it. */
  request: string;
  role: string;
  tool: string;
  text: string;
  at: number;
  /** null: not yet. */
  decision: string | null;
  answeredAt: number | null;
  open: boolean;
}

/** Of all runs of the org, oldest first. @param lost ids of runs whose process is gone */
export async function questionsOf(project: Kept, org: Org, lost: ReadonlySet<string>): Promise<Question[]> {
  const found: Question[] = [];
  for (const run of [...org.runs].reverse()) found.push(...(await ofRun(project, org, run, lost)));
  return found;
}

async function ofRun(project: Kept, org: Org, run: RunRecord, lost: ReadonlySet<string>): Promise<Question[]> {
  const asked = new Map<string, Question>();
  const waits = !isOver(run.status) && !lost.has(run.run_id) && run.status === 'waiting_for_approval';
  for (const event of await eventsOf(project, org, run)) {
    const request = str(obj(event, 'data'), 'id');
    if (event['type'] !== 'gate' || request === undefined) continue;
    const at = num(event, 'ts') ?? 0;
    const before = asked.get(request);
    if (event['reason'] === 'permission') {
      asked.set(request, {
        id: `${orgRunId(run)}.${request}`,
        run,
        request,
        role: str(event, 'from') ?? '',
        tool: str(event, 'tool') ?? '',
        text: str(event, 'msg') ?? '',
        at,
        decision: null,
        answeredAt: null,
        open: waits,
      });
    } else if (before) {
      Object.assign(before, { decision: str(obj(event, 'data'), 'decision') ?? null, answeredAt: at, open: false });
    }
  }
  return [...asked.values()];
}

export const asQuestion = ({ id, role, text, at, decision, answeredAt }: Question): JsonObject => ({
  questionId: id,
  role,
  question: text,
  ts: at,
  answer: decision,
  answeredAt,
});

export const asGate = ({ id, role, tool, text, at, decision, open }: Question): JsonObject => ({
  id,
  name: tool,
  description: text,
  roleId: role,
  status: decision === 'allow' ? 'approved' : decision === 'deny' ? 'rejected' : open ? 'pending' : 'expired',
  createdAt: at,
});

/** @throws {OrgError} no such question is open */
export function openQuestion(questions: readonly Question[], id: string | undefined): Question {
  const found = questions.find((one) => one.id === id);
  if (!found) throw new OrgError(`no question ${JSON.stringify(id ?? '')} was asked`);
  if (!found.open) throw new OrgError(`the question ${found.id} is no longer open`);
  return found;
}
