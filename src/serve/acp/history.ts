/** What was said in a session, told again: from the logs of its runs, and from what was kept beside them. */

import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { Event } from '../../contract/event.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import type { LogEntry, RunRecord } from '../../runs/records.js';
import { ACP } from './caller.js';
import { native } from './native.js';
import { readNotes } from './notes.js';
import { type Show, type Sight, show } from './shown.js';
import type { Telling } from './telling.js';

/** Sets the ids of one run's messages and calls apart from those of the others. */
export const prefixOf = (run: string): string => run.replace(/^run_/, '').slice(0, 12);

const MERGED = 64 * 1024;

/** Joins the deltas of a message: nobody waits for the single words any more. */
export function merged(out: (update: SessionUpdate) => Promise<void>) {
  let open: SessionUpdate | null = null;
  const flush = async () => {
    const last = open;
    open = null;
    if (last !== null) await out(last);
  };
  return {
    flush,
    async add(update: SessionUpdate): Promise<void> {
      if (update.sessionUpdate !== 'agent_message_chunk' && update.sessionUpdate !== 'agent_thought_chunk') {
        await flush();
        return out(update);
      }
      const same =
        open !== null &&
        open.sessionUpdate === update.sessionUpdate &&
        open.messageId === update.messageId &&
        open.content.type === 'text' &&
        update.content.type === 'text' &&
        open.content.text.length < MERGED;
      if (same && open?.sessionUpdate === update.sessionUpdate && open.content.type === 'text') {
        const text = open.content.text + (update.content.type === 'text' ? update.content.text : '');
        open = { ...open, content: { ...open.content, text } };
        return;
      }
      await flush();
      open = update;
    },
  };
}

async function eventsOf(core: Core, run: RunRecord): Promise<LogEntry[]> {
  const events: LogEntry[] = [];
  for await (const one of core.log.follow(run.run_id, { after: 0, follow: false }, ACP))
    if ('entry' in one) events.push(one.entry);
  return events;
}

const replacedIn = (events: readonly { event: Event }[]): Set<string> =>
  new Set(
    events.flatMap(({ event }) =>
      (event.type === 'assistant' || event.type === 'thinking') && event.replaces !== undefined ? [event.replaces] : [],
    ),
  );

/** What stands in a note has been a prompt of this protocol. */
const isBlock = (value: Json): value is JsonObject & ContentBlock =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Only what a user sees: questions that were open then are not asked again. */
export async function replay(
  options: { core: Core; session: string; sight: Sight; cwd: string },
  telling: Telling,
): Promise<void> {
  const { core, session, sight, cwd } = options;
  for (const run of await core.sessions.runs(session, ACP)) {
    const prefix = prefixOf(run.run_id);
    const notes = await readNotes(core.log, run.run_id);
    const events = await eventsOf(core, run);
    const translate: Show = show({ sight: { ...sight, notices: false }, cwd, prefix, replaced: replacedIn(events) });
    const blocks: ContentBlock[] = notes.prompt?.filter(isBlock) ?? [{ type: 'text', text: run.prompt }];
    for (const content of blocks)
      await telling.tell(session, { sessionUpdate: 'user_message_chunk', content, messageId: `${prefix}-user` });
    const heard = native((id) => translate.toolId(id));
    const lines = merged((update) => telling.tell(session, update));
    const waiting = [...notes.updates];
    const own = async (upTo: number) => {
      while (waiting[0] !== undefined && waiting[0].after <= upTo) {
        const note = waiting.shift();
        if (!note) return;
        heard.again(note.update);
        await lines.flush();
        await telling.pass(session, note.update);
      }
    };
    for (const { seq, event } of events) {
      await own(seq - 1);
      if (heard.knows(event)) continue;
      for (const update of translate.event(event)) await lines.add(update);
    }
    await own(Number.POSITIVE_INFINITY);
    await lines.flush();
  }
}
