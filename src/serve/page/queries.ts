/** What the page asks about runs and sessions, and what it sends to a run. */

import { open } from 'node:fs/promises';
import { UsageError } from '../../contract/error.js';
import type { PatchEvent } from '../../contract/event.js';
import { CHOICES, type Json } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Caller } from '../../runs/ports.js';
import type { Command, RunRecord, SessionRecord } from '../../runs/records.js';
import { SPENT_BY, spent } from '../../runs/spent.js';
import { readAnswers } from '../../text/answers.js';
import { at, str } from '../../text/json.js';
import type { Exchange } from '../listen/surface.js';

const DAY = 24 * 60 * 60 * 1000;
const SESSIONS = 100;
/** Runs that figures are summed over. */
const MOST_RUNS = 100_000;
/** Bytes of a patch that are shown. */
const MOST_PATCH = 4 * 1024 * 1024;

const runId = ({ params }: Exchange): string => params['run_id'] ?? '';

function shownRun({ principal: _principal, metadata: _metadata, ...run }: RunRecord): object {
  return run;
}

function shownSession(session: SessionRecord): object {
  const { session_id, runtime, cwd, title, parent, created_at, updated_at } = session;
  return { session_id, runtime, cwd, title, parent, created_at, updated_at };
}

export async function aboutRun(core: Core, exchange: Exchange, caller: Caller): Promise<object> {
  const { run, questions, asked } = await core.runs.get(runId(exchange), caller);
  return { run: shownRun(run), questions, asked };
}

export async function newestSessions(core: Core, caller: Caller): Promise<object> {
  const found = await core.sessions.list({ limit: SESSIONS }, caller);
  return { sessions: found.map(shownSession) };
}

export async function aboutSession(core: Core, exchange: Exchange, caller: Caller): Promise<object> {
  const id = exchange.params['id'] ?? '';
  const session = await core.sessions.get(id, caller);
  if (!session) throw new CoreError('not-found', `there is no session ${id}`);
  const runs = await core.sessions.runs(id, caller);
  return { session: shownSession(session), runs: runs.map(shownRun) };
}

function asCommand(body: Json): Command {
  const type = str(body, 'type');
  if (type === 'cancel') return { type };
  if (type === 'steer') {
    const text = str(body, 'text');
    if (text === undefined || text.trim() === '') throw new UsageError('text: expected what the agent is to be told');
    return { type, text };
  }
  if (type === 'approve') {
    const choice = CHOICES.find((one) => one === str(body, 'choice'));
    const request = str(body, 'request');
    if (choice === undefined) throw new UsageError(`choice: expected ${CHOICES.join(', ')}`);
    // Never the oldest one: a person answers what they saw.
    if (request === undefined) throw new UsageError('request: expected the id of the question');
    const message = str(body, 'message');
    return { type, choice, request, ...(message === undefined ? {} : { message }) };
  }
  if (type === 'answer') {
    const answers = readAnswers(at(body, 'answers'));
    const question = str(body, 'question');
    if (typeof answers === 'string') throw new UsageError(`answers: ${answers}`);
    if (question === undefined) throw new UsageError('question: expected the id of the question');
    return { type, answers, question };
  }
  throw new UsageError('type: expected cancel, steer, approve or answer');
}

export async function command(core: Core, exchange: Exchange, caller: Caller): Promise<object> {
  const { id, did } = await core.runs.send(runId(exchange), asCommand(exchange.json()), caller);
  return { id, did };
}

async function beginning(path: string): Promise<{ text: string; cut: boolean }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, MOST_PATCH));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), cut: size > MOST_PATCH };
  } finally {
    await file.close();
  }
}

/** The patch of a turn that worked in a private copy. */
export async function patchText(core: Core, exchange: Exchange, caller: Caller): Promise<object> {
  let patch: PatchEvent | null = null;
  for await (const one of core.log.follow(runId(exchange), { after: 0, follow: false }, caller))
    if ('entry' in one && one.entry.event.type === 'patch') patch = one.entry.event;
  if (patch === null) throw new CoreError('not-found', 'this run made no patch');
  try {
    return await beginning(patch.path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new CoreError('not-found', 'the patch is gone: its workspace was landed or discarded');
  }
}

/** Tokens and cost of the last days; what nobody reported is null. */
export async function spending(core: Core, exchange: Exchange, caller: Caller): Promise<object> {
  const asked = exchange.query.get('by') ?? 'day';
  const by = SPENT_BY.find((one) => one === asked);
  if (by === undefined) throw new UsageError(`by: expected ${SPENT_BY.join(', ')}`);
  const days = Number(exchange.query.get('days') ?? 30);
  if (!(days >= 1 && days <= 3660)) throw new UsageError('days: expected 1 to 3660');
  const runs = await core.runs.list({ limit: MOST_RUNS, since: Date.now() - days * DAY }, caller);
  return { by, days, groups: spent(runs, by) };
}
