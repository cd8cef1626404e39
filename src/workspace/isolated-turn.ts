/** A turn in a private copy: the copy is made first, and what changed in it is reported before the result. */

import type { Event, PatchEvent, UsageEvent } from '../contract/event.js';
import { type ExecOptions, execTurn } from '../exec/exec-turn.js';
import { laterTurn } from '../exec/later-turn.js';
import { redact, secretValues } from '../text/redact.js';
import type { Turn } from '../turn/loop.js';
import { refusedEvents } from '../turn/refusal.js';
import { createFromRemote, createWorkspace, type Workspace } from './create.js';
import { WorkspaceError } from './failure.js';
import { takePatch } from './patch.js';
import { allRecords, type CopyKind, placesOf, WORKSPACE_VARIABLE, writeRecord } from './paths.js';
import { removeFiles } from './remove.js';

/** Files that the event lists; the patch holds all. */
const MOST_LISTED = 1000;
/** A turn that was ended by a limit or a cancel has 4 s from there to its exit; the last of them belongs to the writer. */
const HURRY_MS = 2800;
/** Given in any case: a small change is read in that time. */
const LEAST_MS = 300;

/** The copy in which a session was begun: a later turn of it goes on there. */
async function copyOf(session: string | null, env: NodeJS.ProcessEnv): Promise<Workspace | null> {
  if (session === null) return null;
  const all = await allRecords(env);
  const record = all.find((one) => one.sessions.includes(session) && (one.state === 'live' || one.state === 'kept'));
  if (record === undefined) return null;
  const prefix = record.repository.prefix.replace(/\/$/, '');
  const { tree } = placesOf(record.id, env);
  return { record, cwd: prefix === '' ? tree : `${tree}/${prefix}` };
}

function patchEvent(workspace: Workspace, taken: NonNullable<Awaited<ReturnType<typeof takePatch>>>): PatchEvent {
  return {
    v: 1,
    type: 'patch',
    workspace: workspace.record.id,
    base: workspace.record.base,
    files: taken.files.slice(0, MOST_LISTED),
    digest: taken.digest,
    path: taken.path,
    ...(taken.files.length > MOST_LISTED ? { truncated: true } : {}),
  };
}

const notice = (message: string): Event => ({
  v: 1,
  type: 'status',
  phase: 'notice',
  code: 'patch-missing',
  message,
});
const ends = (event: Event): boolean =>
  event.type === 'result' || (event.type === 'error' && event.code !== 'bad-frame');
const isHurried = (event: Event): boolean =>
  event.type === 'error' && (event.code === 'cancelled' || event.code === 'timeout' || event.code === 'budget');

/**
 * Events pass through until the turn's end begins; from there they wait for the patch. A usage report is kept back for one
 * event, since the last one belongs to the end.
 */
function holdingBack(emit: (event: Event) => void, patch: (hurried: boolean) => Promise<Event[]>) {
  let usage: UsageEvent | null = null;
  let waiting: Event[] | null = null;
  let settled: Promise<void> = Promise.resolve();
  const flushUsage = () => {
    if (usage) emit(usage);
    usage = null;
  };
  return {
    hear(event: Event) {
      if (waiting !== null) return void waiting.push(event);
      if (!ends(event)) {
        flushUsage();
        if (event.type === 'usage') usage = event;
        else emit(event);
        return;
      }
      const held: Event[] = [...(usage ? [usage] : []), event];
      waiting = held;
      settled = patch(isHurried(event)).then((events) => {
        waiting = null;
        usage = null;
        for (const one of [...events, ...held]) emit(one);
      });
    },
    settled: () => settled,
  };
}

/**
 * Begins a turn in a private copy. What is sent to it before the copy is ready is kept and delivered then.
 * @returns its handle; `done` never rejects, since every failure is an event
 */
export function isolatedTurn(options: ExecOptions, isolation: CopyKind): Turn {
  return laterTurn(({ started, cancelledAt }) => run(options, isolation, cancelledAt, started));
}

async function run(
  options: ExecOptions,
  isolation: CopyKind,
  cancelled: () => number | null,
  started: (turn: Turn) => void,
): Promise<number> {
  const { request, ambient } = options;
  let workspace: Workspace;
  try {
    if (cancelled() !== null) throw new WorkspaceError('state', 'The turn was cancelled before it started.');
    const kept = await copyOf(request.resume, ambient);
    const how = { env: ambient, now: Date.now() };
    workspace =
      kept ??
      (request.workspace === undefined
        ? await createWorkspace({ ...how, cwd: request.cwd, isolation })
        : await createFromRemote(request.workspace, how));
  } catch (error) {
    return refuse(options, error, cancelled() !== null);
  }
  const { record, cwd } = workspace;
  const read = async (hurried: boolean): Promise<Event[]> => {
    const left = HURRY_MS - (Date.now() - (cancelled() ?? Date.now()));
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, Math.max(LEAST_MS, left), 'late').unref());
    try {
      const taken = takePatch(record, ambient, Date.now());
      const patch = hurried ? await Promise.race([taken, late]) : await taken;
      if (patch === 'late')
        return [notice(`there was no time to read the change; see it with turnout workspace diff ${record.id}`)];
      return patch === null ? [] : [patchEvent(workspace, patch)];
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      record.note = error.message;
      const message = `the change in ${record.id} could not be taken as a patch: ${error.message}; its files are in ${cwd}`;
      return [notice(message)];
    }
  };
  const through = holdingBack(options.emit, read);
  const turn = execTurn({
    ...options,
    request: { ...request, cwd },
    // Several copies share one machine: names and ports can be made of it.
    env: { ...options.env, [WORKSPACE_VARIABLE]: record.id },
    emit(event) {
      if (event.type === 'session') record.sessions.push(event.session_id);
      through.hear(event.type === 'start' ? { ...event, workspace: record.id } : event);
    },
  });
  started(turn);
  const code = await turn.done;
  await through.settled();
  if (record.change === null && record.note === null && record.sessions.length === 0) {
    // Nothing to go on with and nothing to land.
    await removeFiles(record, ambient, Date.now());
    return code;
  }
  await writeRecord(record, ambient);
  return code;
}

function refuse(options: ExecOptions, error: unknown, cancelled: boolean): number {
  const { request } = options;
  const mask = (text: string) => redact(text, secretValues({ ...options.ambient, ...options.env }));
  const code = cancelled
    ? 'cancelled'
    : error instanceof WorkspaceError && error.reason !== 'git'
      ? 'unsupported'
      : 'runner-error';
  const message = mask(error instanceof Error ? error.message : String(error));
  const { runtime, cwd, access, model, resume } = request;
  let exit = 1;
  for (const event of refusedEvents({ runtime, cwd, access, model, resume, code, message })) {
    options.emit(event);
    if (event.type === 'done') exit = event.exit_code;
  }
  return exit;
}
