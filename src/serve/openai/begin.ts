/** One request → the step of a turn that answers it: a new turn, or one that waits for the caller's tools. */

import type { Json } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import type { Caller, Conversation } from '../../runs/ports.js';
import type { SessionRecord } from '../../runs/records.js';
import type { Ask } from './ask.js';
import { ApiError } from './failure.js';
import type { Follows } from './follows.js';
import type { ModelRules } from './model-name.js';
import { type PrepareContext, prepare } from './prepare.js';
import { goOn, turnOf } from './results.js';
import type { Retries } from './retries.js';
import { asHistory, asPrompt, type Said, tailOf } from './said.js';
import { SESSION_NAME, sessionNamed } from './session-names.js';
import type { Step } from './steps.js';
import { type Threads, threadKey } from './threads.js';
import type { OpenTurn, Turns } from './turns.js';

/** What all requests of a server share. */
export interface Api extends PrepareContext {
  core: Core;
  rules: ModelRules;
  threads: Threads;
  turns: Turns;
  retries: Retries;
  /** Whether a session begins under whatever name its first request gives it. */
  adopts: boolean;
  /** When the server was started, seconds since 1970. */
  created: number;
  /** A fault of ours that no request can be answered with. */
  complain(error: unknown): void;
}

export interface Begun {
  turn: OpenTurn;
  step: Step;
  /** Keeps in mind that the conversation goes on in this session. */
  remember(answer: Said): void;
}

export interface BeginOptions {
  caller: Caller;
  /** A session of ours that goes on, by name. */
  session: string | undefined;
  /** What the request follows by another name; null: nothing. */
  follows?: (() => Promise<Follows | null>) | undefined;
  idempotency: { key: string; request: Json } | undefined;
}

/** Turns of one caller that may wait for its tools. */
const SUSPENDED = 32;

/** What keeps conversations apart that say the same. */
const whose = ({ model, system, own }: Ask, { principal }: Caller) => [
  principal.name,
  model.asked,
  system,
  own.options.cwd ?? null,
];

interface Place {
  conversation: Conversation;
  session: SessionRecord | null;
  /** What the agent is asked now, and what it must be told of before. */
  tail: readonly Said[];
  before: readonly Said[];
  /** What was said before that, in a session that is left. */
  history: Follows['history'];
}

async function placeOf(ask: Ask, api: Api, { caller, session: named, follows }: BeginOptions): Promise<Place> {
  const { core, threads } = api;
  const { before, tail } = tailOf(ask.messages);
  if (named !== undefined) {
    const session = await sessionNamed(core, caller, named);
    if (session) {
      const conversation = { kind: 'continue' as const, id: session.session_id };
      return { conversation, session, tail, before: [], history: [] };
    }
    if (!api.adopts) throw new ApiError(404, 'session_not_found', `There is no session ${named}.`);
    return { conversation: { kind: 'new' }, session: null, tail, before, history: [] };
  }
  const followed = (await follows?.()) ?? null;
  if (followed) return { ...followed, tail, before };
  const fresh: Place = { conversation: { kind: 'new' }, session: null, tail, before, history: [] };
  if (before.length === 0) return fresh;
  const thread = threads.take(threadKey(whose(ask, caller), before));
  if (thread === null) return fresh;
  const session = await core.sessions.get(thread.session, caller);
  if (!session) return fresh;
  const runs = await core.sessions.runs(thread.session, caller);
  // Somebody went on with it by another way.
  if (runs.at(-1)?.run_id !== thread.run) return fresh;
  return { conversation: { kind: 'continue', id: thread.session }, session, tail, before: [], history: [] };
}

async function startTurn(ask: Ask, api: Api, options: BeginOptions): Promise<OpenTurn> {
  const { core, turns } = api;
  const { caller, idempotency } = options;
  if (ask.tools.length > 0 && turns.suspended(caller.principal.name) >= SUSPENDED) {
    const message = `${SUSPENDED} turns wait for results of tools already.`;
    throw new ApiError(429, 'rate_limit_exceeded', message, { retryAfter: 5 });
  }
  const { conversation, session, tail, before, history } = await placeOf(ask, api, options);
  const asked = { prompt: asPrompt(tail), images: tail.flatMap(({ images }) => images), cwd: session?.cwd };
  const { plan, release } = await prepare(ask, asked, api);
  const { run, attendance } = await core.runs
    .start({
      caller,
      plan,
      conversation,
      history: [...history, ...asHistory(before)],
      metadata: options.session === undefined ? ask.metadata : { ...ask.metadata, [SESSION_NAME]: options.session },
      whenFull: 'refuse',
      attended: true,
      release,
      ...(idempotency === undefined ? {} : { idempotency }),
    })
    .catch(async (error: unknown) => {
      await release();
      throw error;
    });
  return turns.open({
    run,
    caller,
    attendance,
    parallel: ask.parallel,
    gathers: ask.model.runner?.parallelCalls ?? true,
    detach: ask.own.detach,
  });
}

/** @throws ApiError @throws {CoreError} @throws UsageError */
export async function begin(ask: Ask, api: Api, options: BeginOptions): Promise<Begun> {
  const { core, threads, turns } = api;
  const { caller } = options;
  const remembering = (turn: OpenTurn) => (answer: Said) => {
    const { session_id: session, run_id: run } = turn.run;
    threads.put(threadKey(whose(ask, caller), [...ask.messages, answer]), { session, run });
  };
  const found = await turnOf(tailOf(ask.messages).tail, { core, turns, caller });
  if (found) {
    const step = await goOn(core, ask.model.runner?.steer === true, found);
    return { turn: found.turn, step, remember: remembering(found.turn) };
  }
  const turn = await startTurn(ask, api, options);
  return { turn, step: turn.first, remember: remembering(turn) };
}
