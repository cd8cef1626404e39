/** One prompt from its beginning to its answer: a run of the core, told to the client as it goes. */

import type { AgentContext, ContentBlock, PromptResponse, ToolCallUpdate } from '@agentclientprotocol/sdk/unstable';
import type { DoneEvent, ErrorEvent, Event, PermissionRequestEvent, QuestionEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { Given } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import { titleOf } from '../../runs/history.js';
import type { TurnPlan } from '../../runs/plan.js';
import type { Command } from '../../runs/records.js';
import { parseJson, str } from '../../text/json.js';
import { scopeOf } from '../../turn/permissions.js';
import type { TapEntry } from '../../turn/world.js';
import { ask } from './asking.js';
import { ACP } from './caller.js';
import { answer } from './ended.js';
import { failure, refused } from './errors.js';
import { prefixOf } from './history.js';
import { inquire } from './inquiring.js';
import { interleave } from './interleave.js';
import { native } from './native.js';
import { keepPrompt, keepUpdate, type Note } from './notes.js';
import type { Opened } from './open-sessions.js';
import { type PlanOptions, planTurn } from './plan.js';
import { type Sight, show } from './shown.js';
import type { Telling } from './telling.js';
import { showTool } from './tool-shown.js';

export interface PromptTurn {
  /** The client wants no more of it: its answer will be `cancelled`. A second call skips the waiting. */
  cancel(): void;
  /** @returns false when nothing runs any more, or not yet */
  steer(text: string): Promise<boolean>;
  answer: Promise<PromptResponse>;
}

export interface TurnOptions extends Omit<PlanOptions, 'blocks'> {
  core: Core;
  given: Given;
  session: Opened;
  blocks: readonly ContentBlock[];
  client: AgentContext;
  telling: Telling;
  sight: Sight;
  /** How long the user may think about a question; 0 is for ever. */
  askMs: number;
}

export function promptTurn(options: TurnOptions): PromptTurn {
  const { core, session, given, telling, client } = options;
  let run: string | null = null;
  let cancelled = false;
  const cancel = () => {
    cancelled = true;
    if (run !== null) void end(run);
  };
  /** A turn that ended meanwhile needs no end. */
  async function end(id: string): Promise<void> {
    try {
      await core.runs.send(id, { type: 'cancel' }, ACP);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
    }
  }

  async function begin(): Promise<PromptResponse> {
    const { plan, prompt, clean } = await planTurn(options);
    try {
      if (cancelled) return { stopReason: 'cancelled' };
      const taps = tapping(() => run);
      run = await accepted(plan, taps.hear);
      if (cancelled) void end(run);
      if (!prompt.plain) await keepPrompt(core.log, run, parseJson(JSON.stringify(options.blocks)) ?? null);
      await titled(prompt.said || prompt.text);
      const done = await told(run, taps);
      return answer(run, done, cancelled);
    } finally {
      await clean();
    }
  }

  /** @throws RequestError when a process beside us works on the session: two at once would not know of each other */
  async function accepted(plan: TurnPlan, tap: (entry: TapEntry) => void): Promise<string> {
    const conversation = { kind: 'continue', id: session.id } as const;
    try {
      const asked = { caller: ACP, plan, conversation, attended: true, whenBusy: 'refuse', given, tap } as const;
      return (await core.runs.start(asked)).run.run_id;
    } catch (error) {
      if (error instanceof CoreError && error.reason === 'session-busy')
        throw refused(`another process is answering a prompt in session ${session.id}`);
      throw error;
    }
  }

  /** The first prompt names the session. */
  async function titled(said: string): Promise<void> {
    const record = await core.sessions.get(session.id, ACP);
    if (record?.title !== '') return;
    const title = titleOf(said);
    await core.sessions.set(session.id, { title }, ACP);
    const updatedAt = new Date(given.now()).toISOString();
    await telling.tell(session.id, { sessionUpdate: 'session_info_update', title, updatedAt });
  }

  /** Native updates of a runtime that speaks this protocol, each with the event it follows. */
  function tapping(of: () => string | null) {
    const prefix = () => prefixOf(of() ?? '');
    const speaks = session.runner.transport === 'acp';
    const own = native((id) => `${prefix()}-${id}`);
    const waiting: Note[] = [];
    /** How many events the turn has said: the number of the last one. */
    let said = 0;
    let wake = () => {};
    return {
      own,
      waiting,
      more: () => new Promise<void>((resolve) => (wake = resolve)),
      hear(entry: TapEntry) {
        if (entry.k === 'event') said += 1;
        if (!speaks) return;
        for (const update of own.hear(entry)) waiting.push({ after: said, update });
        if (waiting.length > 0) wake();
      },
    };
  }

  async function told(id: string, taps: ReturnType<typeof tapping>) {
    const translate = show({ sight: options.sight, cwd: session.cwd, prefix: prefixOf(id) });
    const open = new Map<string, { event: PermissionRequestEvent; withdraw: AbortController }>();
    const asked = new Map<string, AbortController>();
    let error: ErrorEvent | null = null;
    let done: DoneEvent | null = null;

    function toolCall(event: PermissionRequestEvent): ToolCallUpdate {
      const call = event.tool_use_id ?? event.id;
      const shown = showTool(event.name, event.kind, event.input, session.cwd);
      const words: JsonObject = taps.own.asked(call) ?? {};
      return {
        ...shown,
        name: event.name,
        rawInput: event.input ?? {},
        ...words,
        toolCallId: translate.toolId(call),
        status: 'pending',
      };
    }
    async function question(event: PermissionRequestEvent): Promise<void> {
      const scope = scopeOf(event);
      if (scope !== null && session.allowed.has(scope)) return decide(event, 'allow_once');
      const withdraw = new AbortController();
      open.set(event.id, { event, withdraw });
      const about = { client, sessionId: session.id, event, toolCall: toolCall(event), limitMs: options.askMs };
      const answered = await ask({ ...about, withdrawn: withdraw.signal });
      open.delete(event.id);
      if (answered === null) return;
      if (answered.choice === 'allow_session' && scope !== null) session.allowed.add(scope);
      await decide(event, answered.choice, answered.message);
    }
    async function inquiry(event: QuestionEvent): Promise<void> {
      const withdraw = new AbortController();
      asked.set(event.id, withdraw);
      const toolCallId = translate.toolId(event.tool_use_id ?? event.id);
      const about = { client, sessionId: session.id, event, toolCallId, forms: options.sight.forms };
      const answers = await inquire({ ...about, limitMs: options.askMs, withdrawn: withdraw.signal });
      asked.delete(event.id);
      if (answers === undefined) return;
      await send({ type: 'answer', question: event.id, answers: answers ?? {} });
    }
    /** A turn that ended while the user was thinking needs no answer. */
    async function send(command: Command): Promise<void> {
      try {
        await core.runs.send(id, command, ACP);
      } catch (fault) {
        if (!(fault instanceof CoreError)) throw fault;
      }
    }
    async function decide(
      event: PermissionRequestEvent,
      choice: 'allow_once' | 'allow_session' | 'deny',
      why?: string,
    ): Promise<void> {
      const message = why === undefined ? {} : { message: why };
      await send({ type: 'approve', choice, request: event.id, ...message });
    }
    async function event(one: Event): Promise<void> {
      if (one.type === 'permission_request') return void question(one);
      if (one.type === 'question') return void inquiry(one);
      if (one.type === 'status' && one.question) asked.get(one.question.id)?.abort();
      if (one.type === 'error' && one.code !== 'bad-frame') error = one;
      if (one.type === 'done') done = one;
      if (one.type === 'tool_activity' && one.phase === 'end')
        for (const { event: about, withdraw } of open.values()) if (about.tool_use_id === one.id) withdraw.abort();
      if (taps.own.knows(one)) return;
      for (const update of translate.event(one)) await telling.tell(session.id, update);
    }
    async function note(one: Note): Promise<void> {
      await keepUpdate(core.log, id, one);
      const title = str(one.update, 'title');
      if (one.update['sessionUpdate'] === 'session_info_update' && title)
        await core.sessions.set(session.id, { title }, ACP);
      await telling.pass(session.id, one.update);
    }
    try {
      const events = core.log.follow(id, { after: 0, follow: true, holds: true }, ACP);
      await interleave({ events, notes: taps.waiting, more: taps.more, event, note });
    } finally {
      for (const { withdraw } of open.values()) withdraw.abort();
      for (const withdraw of asked.values()) withdraw.abort();
    }
    if (done === null) throw failure({ code: 'runner-error', message: 'the turn ended without an end' });
    return { done, error };
  }

  async function steer(text: string): Promise<boolean> {
    if (run === null) return false;
    try {
      return (await core.runs.send(run, { type: 'steer', text }, ACP)).did;
    } catch (error) {
      if (error instanceof CoreError) return false;
      throw error;
    }
  }

  return { cancel, steer, answer: begin() };
}
