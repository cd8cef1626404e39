/** One prompt from its beginning to its answer: a run of the core, told to the client as it goes. */

import type { AgentContext, ContentBlock, PromptResponse, ToolCallUpdate } from '@agentclientprotocol/sdk/unstable';
import type { DoneEvent, ErrorEvent, Event, PermissionRequestEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { Given } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import { isOver } from '../../runs/records.js';
import { recover } from '../../runs/recover.js';
import type { Run } from '../../runs/run.js';
import { titleOf } from '../../runs/sessions.js';
import { parseJson, str } from '../../text/json.js';
import { scopeOf } from '../../turn/permissions.js';
import type { TapEntry } from '../../turn/world.js';
import { ask } from './asking.js';
import { answer } from './ended.js';
import { failure, refused } from './errors.js';
import { prefixOf } from './history.js';
import { native } from './native.js';
import { keepNotes, type Note } from './notes.js';
import type { Opened } from './open-sessions.js';
import { type PlanOptions, planTurn } from './plan.js';
import { pump } from './pump.js';
import { type Sight, show } from './shown.js';
import type { Telling } from './telling.js';
import { showTool } from './tool-shown.js';

export interface PromptTurn {
  /** The client wants no more of it: its answer will be `cancelled`. A second call skips the waiting. */
  cancel(): void;
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

/** Whether a process beside us works on the session: two at once would not know of each other. */
function busyElsewhere(core: Core, session: string): boolean {
  return core.store.runsOf(session).some((run) => !isOver(run.status) && core.runs.live(run.run_id) === null);
}

export function promptTurn(options: TurnOptions): PromptTurn {
  const { core, session, given, telling, client } = options;
  let run: Run | null = null;
  let cancelled = false;
  const cancel = () => {
    cancelled = true;
    run?.cancel('user');
  };

  async function begin(): Promise<PromptResponse> {
    recover(core.store, given.now());
    if (busyElsewhere(core, session.id))
      throw refused(`another process is answering a prompt in session ${session.id}`);
    const { plan, prompt, clean } = await planTurn(options);
    try {
      if (cancelled) return { stopReason: 'cancelled' };
      const taps = tapping(() => run);
      const begun = core.runs.submit({ plan, session: session.id, given, tap: taps.hear });
      run = begun;
      const notes = keepNotes(core.store, begun.id);
      if (!prompt.plain) notes.prompt(parseJson(JSON.stringify(options.blocks)) ?? null);
      await titled(prompt.said || prompt.text);
      const done = await told(begun, taps, notes);
      return answer(begun.id, done, cancelled);
    } finally {
      await clean();
    }
  }

  /** The first prompt names the session. */
  async function titled(said: string): Promise<void> {
    const record = core.sessions.get(session.id);
    if (record?.title !== '') return;
    const title = titleOf(said);
    core.sessions.set(session.id, { title });
    const updatedAt = new Date(given.now()).toISOString();
    await telling.tell(session.id, { sessionUpdate: 'session_info_update', title, updatedAt });
  }

  /** Native updates of a runtime that speaks this protocol, each with the event it follows. */
  function tapping(of: () => Run | null) {
    const prefix = () => prefixOf(of()?.id ?? '');
    const speaks = session.runner.transport === 'acp';
    const own = native((id) => `${prefix()}-${id}`);
    const waiting: Note[] = [];
    let wake = () => {};
    return {
      own,
      waiting,
      more: () => new Promise<void>((resolve) => (wake = resolve)),
      hear(entry: TapEntry) {
        if (!speaks) return;
        for (const update of own.hear(entry)) waiting.push({ after: of()?.log.last ?? 0, update });
        if (waiting.length > 0) wake();
      },
    };
  }

  async function told(begun: Run, taps: ReturnType<typeof tapping>, notes: ReturnType<typeof keepNotes>) {
    const translate = show({ sight: options.sight, cwd: session.cwd, prefix: prefixOf(begun.id) });
    const open = new Map<string, { event: PermissionRequestEvent; withdraw: AbortController }>();
    let error: ErrorEvent | null = null;
    let done: DoneEvent | null = null;

    function toolCall(event: PermissionRequestEvent): ToolCallUpdate {
      const id = event.tool_use_id ?? event.id;
      const shown = showTool(event.name, event.kind, event.input, session.cwd);
      const words: JsonObject = taps.own.asked(id) ?? {};
      return {
        ...shown,
        name: event.name,
        rawInput: event.input ?? {},
        ...words,
        toolCallId: translate.toolId(id),
        status: 'pending',
      };
    }
    async function question(event: PermissionRequestEvent): Promise<void> {
      const scope = scopeOf(event);
      if (scope !== null && session.allowed.has(scope)) return decide(event, 'allow_once');
      const withdraw = new AbortController();
      open.set(event.id, { event, withdraw });
      const asked = { client, sessionId: session.id, event, toolCall: toolCall(event), limitMs: options.askMs };
      const answered = await ask({ ...asked, withdrawn: withdraw.signal });
      open.delete(event.id);
      if (answered === null) return;
      if (answered.choice === 'allow_session' && scope !== null) session.allowed.add(scope);
      decide(event, answered.choice, answered.message);
    }
    function decide(
      event: PermissionRequestEvent,
      choice: 'allow_once' | 'allow_session' | 'deny',
      why?: string,
    ): void {
      try {
        begun.approve(choice, event.id, why);
      } catch {
        // The turn ended while the user was thinking.
      }
    }
    async function event(one: Event): Promise<void> {
      if (one.type === 'permission_request') return void question(one);
      if (one.type === 'error' && one.code !== 'bad-frame') error = one;
      if (one.type === 'done') done = one;
      if (one.type === 'tool_activity' && one.phase === 'end')
        for (const { event: asked, withdraw } of open.values()) if (asked.tool_use_id === one.id) withdraw.abort();
      if (taps.own.knows(one)) return;
      for (const update of translate.event(one)) await telling.tell(session.id, update);
    }
    async function note(one: Note): Promise<void> {
      notes.update(one);
      const title = str(one.update, 'title');
      if (one.update['sessionUpdate'] === 'session_info_update' && title) core.sessions.set(session.id, { title });
      await telling.pass(session.id, one.update);
    }
    try {
      await pump({ run: begun, notes: taps.waiting, more: taps.more, event, note });
    } finally {
      for (const { withdraw } of open.values()) withdraw.abort();
    }
    if (done === null) throw failure({ code: 'runner-error', message: 'the turn ended without an end' });
    return { done, error };
  }

  return { cancel, answer: begin() };
}
