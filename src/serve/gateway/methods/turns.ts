/** Prompts and what is done with their turns. */

import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../contract/vocabulary.js';
import { byId } from '../../../registry/registry.js';
import { CoreError } from '../../../runs/failure.js';
import { isOver, type RunRecord, type SessionRecord } from '../../../runs/records.js';
import { needSession } from '../find.js';
import type { Attached } from '../gateway.js';
import { historyOf, turnsOf } from '../history.js';
import { type Asking, type Methods, method } from '../method.js';
import { any, content, flag, list, text } from '../params.js';
import { admit, keepGuidance, nameSession, type Prompt, readPrompt } from '../prompt.js';
import { CODE, RpcError } from '../rpc.js';
import { type Cut, cutAt, isCut, survivors } from '../truncation.js';

/** Prompts of one session that may wait. */
const MOST_QUEUED = 100;
/** A client's own name of a prompt. */
const REF = /^[\x21-\x7e]{1,64}$/;

async function underWay({ gateway, caller }: Asking, session: string): Promise<RunRecord[]> {
  return (await gateway.core.sessions.runs(session, caller)).filter(({ status }) => !isOver(status));
}

const busy = (what: string): RpcError =>
  new RpcError(CODE.busy, `session busy: /interrupt the current turn before ${what}`);

/** @returns false when it is over, or takes none */
async function steer({ gateway, caller }: Asking, { run_id }: RunRecord, words: string): Promise<boolean> {
  try {
    await gateway.core.runs.send(run_id, { type: 'steer', text: words }, caller);
    keepGuidance({ gateway, caller }, run_id);
    return true;
  } catch (error) {
    if (error instanceof CoreError && ['not-active', 'unsupported'].includes(error.reason)) return false;
    throw error;
  }
}

async function rewind(asking: Asking, record: SessionRecord, cut: Cut, rebind: Parameters<typeof survivors>[1]) {
  const { gateway, caller } = asking;
  const turns = await turnsOf(gateway.core, record, caller);
  const place = cutAt(cut, turns);
  if (place === null) return {};
  const target = turns[place]?.run;
  if (!target) throw new RpcError(CODE.unsupported, 'what was said before the session began can not be dropped');
  await drop(asking, record, target);
  return survivors(turns.slice(0, place), rebind);
}
async function drop({ gateway, caller }: Asking, { session_id }: SessionRecord, run: RunRecord): Promise<void> {
  try {
    await gateway.core.sessions.rewind(session_id, run.run_id, caller);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    if (error.reason === 'store') throw new RpcError(CODE.notStored, `history was not truncated: ${error.message}`);
    throw error;
  }
}

function taken(images: Attached[]): Attached[] {
  return images.splice(0);
}

async function submit(asking: Asking, record: SessionRecord, given: Submitted): Promise<JsonObject> {
  const { gateway, caller } = asking;
  const id = record.session_id;
  const open = await underWay(asking, id);
  const now = open.find(({ status }) => status !== 'queued') ?? open[0];
  if (now && isCut(given.cut)) throw busy('rewinding');
  if (open.length > MOST_QUEUED) throw new RpcError(CODE.busy, `queue full: ${open.length} prompts wait`);
  if (now && asking.settings.busy === 'steer' && !given.queued && given.prompt.images.length === 0)
    if (await steer(asking, now, given.prompt.text)) return { status: 'steered', turn_id: now.run_id };
  const kept = await rewind(asking, record, given.cut, given.rebind);
  if (!record.title) await nameSession(asking, record, given.prompt.text);
  const prompt: Prompt = {
    text: given.prompt.text,
    images: [...given.prompt.images, ...taken(gateway.touch(id).images)],
  };
  const { run } = await admit(asking, record, prompt, given.ref);
  if (now && asking.settings.busy === 'interrupt' && !given.queued)
    await gateway.core.runs.send(now.run_id, { type: 'cancel' }, caller);
  const turns = await turnsOf(gateway.core, record, caller);
  const status = now ? 'queued' : 'streaming';
  return {
    status,
    turn_id: run.run_id,
    user_row_id: turns.find((one) => one.run?.run_id === run.run_id)?.row_id ?? null,
    submission: { input_id: run.run_id, disposition: status, ...(given.ref === undefined ? {} : { ref: given.ref }) },
    ...kept,
  };
}

interface Submitted {
  prompt: Prompt;
  queued: boolean;
  ref: string | undefined;
  cut: Cut;
  rebind: Parameters<typeof survivors>[1];
}

/** Cancels what runs; what waits goes on after it. @returns whether there was something */
async function interrupt(asking: Asking, session: string): Promise<RunRecord | null> {
  const open = await underWay(asking, session);
  const now = open.find(({ status }) => status !== 'queued') ?? open[0];
  if (!now) return null;
  await asking.gateway.core.runs.send(now.run_id, { type: 'cancel' }, asking.caller);
  return now;
}

const given = (value: string | undefined): string => {
  if (value === undefined || value.trim() === '') throw new RpcError(CODE.textRequired, 'text is required');
  return value;
};

export const TURNS: Methods = {
  'prompt.submit': method(
    {
      session_id: text,
      text: content,
      queued: flag,
      submission_ref: text,
      client_turn_id: text,
      display_kind: text,
      interrupted: flag,
      surface: text,
      title_preview: text,
      truncate_before_row_id: any,
      truncate_before_message_id: any,
      truncate_before_user_ordinal: any,
      confirm_truncate: any,
      confirm_empty_truncate: any,
      rebind_survivor_row_ids: list,
      profile: text,
    },
    async (asking, values, keys) => {
      const record = await needSession(asking, values.session_id);
      const secret = keys.find((key) => key.startsWith('_'));
      if (secret !== undefined) throw new RpcError(CODE.privateParam, `${secret} is not a parameter of clients`);
      const ref = values.submission_ref ?? values.client_turn_id;
      if (ref !== undefined && !REF.test(ref))
        throw new RpcError(CODE.badParam, 'submission_ref: expected 1 to 64 printable characters without spaces');
      const prompt = await readPrompt(values.text);
      const submitted: Submitted = {
        prompt,
        ref,
        queued: values.queued ?? false,
        rebind: values.rebind_survivor_row_ids,
        cut: {
          ...(values.truncate_before_user_ordinal === undefined
            ? {}
            : { ordinal: values.truncate_before_user_ordinal }),
          ...(values.truncate_before_row_id === undefined ? {} : { row: values.truncate_before_row_id }),
          ...(values.truncate_before_message_id === undefined ? {} : { message: values.truncate_before_message_id }),
          ...(values.confirm_truncate === undefined ? {} : { confirmed: values.confirm_truncate }),
          ...(values.confirm_empty_truncate === undefined ? {} : { emptied: values.confirm_empty_truncate }),
        },
      };
      const id = record.session_id;
      return asking.gateway.inTurn(id, async () => {
        await asking.attach(id);
        asking.hold(id);
        // What another prompt of the session changed meanwhile counts.
        return submit(asking, await needSession(asking, id), submitted);
      });
    },
  ),
  'prompt.background': method({ session_id: text, text, profile: text }, async (asking, values) => {
    if ((values.text ?? '').trim() === '') throw new RpcError(CODE.backgroundText, 'text required');
    const { gateway, caller } = asking;
    const { core, options } = gateway;
    const record = await needSession(asking, values.session_id);
    const task_id = `bg_${randomBytes(3).toString('hex')}`;
    const { runtime, cwd, chosen } = record;
    const own = await core.sessions.create({ runtime, cwd, ...(chosen ? { chosen } : {}) }, caller);
    await nameSession({ ...asking, afterwards() {} }, own, given(values.text));
    const { run } = await admit(asking, own, { text: given(values.text), images: [] });
    core.runs
      .ended(run.run_id, caller)
      .then(({ text: said, error, session_id }) => {
        const payload = { task_id, text: said ?? error?.message ?? '', session_id };
        gateway.tell(record.session_id, { type: 'background.complete', payload });
      })
      .catch((error: unknown) => options.complain(`${task_id}: ${String(error)}`));
    return { task_id, session_id: own.session_id };
  }),
  'session.interrupt': method({ session_id: text, profile: text }, async (asking, { session_id }) => {
    const { session_id: id } = await needSession(asking, session_id);
    return { status: 'interrupted', interrupted: (await interrupt(asking, id)) !== null };
  }),
  'session.steer': method({ session_id: text, text, profile: text }, async (asking, values) => {
    const words = given(values.text);
    const record = await needSession(asking, values.session_id);
    if (byId(record.runtime, asking.gateway.core.runners)?.steer === false)
      throw new RpcError(CODE.unsupported, `${record.runtime} takes no guidance while it works`);
    const [now] = await underWay(asking, record.session_id);
    const taken = now !== undefined && (await steer(asking, now, words));
    return { status: taken ? 'queued' : 'rejected', text: words };
  }),
  'session.redirect': method({ session_id: text, text, profile: text }, async (asking, values) => {
    const words = given(values.text);
    const record = await needSession(asking, values.session_id);
    const id = record.session_id;
    return asking.gateway.inTurn(id, async (): Promise<JsonObject> => {
      await asking.attach(id);
      asking.hold(id);
      const now = await interrupt(asking, id);
      if (!now) return { status: 'rejected', text: words };
      const { run } = await admit(asking, record, { text: `${now.prompt}\n\n${words}`, images: [] });
      return { status: 'redirected', text: words, turn_id: run.run_id };
    });
  }),
  'session.undo': method({ session_id: text, profile: text }, async (asking, values) => {
    const record = await needSession(asking, values.session_id);
    return asking.gateway.inTurn(record.session_id, async (): Promise<JsonObject> => {
      const { core } = asking.gateway;
      if ((await underWay(asking, record.session_id)).length > 0) throw busy('/undo');
      const { rows, turns } = await historyOf(core, record, asking.caller);
      const last = turns.at(-1);
      if (!last?.run) return { removed: 0 };
      await drop(asking, record, last.run);
      const from = rows.findIndex(({ row_id }) => row_id === last.row_id);
      return { removed: rows.length - from, text: last.run.prompt };
    });
  }),
  'session.compress': method({ session_id: text, focus_topic: text, profile: text }, async (asking, values) => {
    const record = await needSession(asking, values.session_id);
    const { core } = asking.gateway;
    const names = (byId(record.runtime, core.runners)?.commands ?? []).map(({ name }) => name);
    const name = ['compact', 'compress', 'summarize'].find((one) => names.includes(one));
    if (name === undefined) throw new RpcError(CODE.unsupported, `${record.runtime} can't be asked to compress`);
    const run = await asking.gateway.inTurn(record.session_id, async () => {
      if ((await underWay(asking, record.session_id)).length > 0) throw busy('/compress');
      const words = [`/${name}`, values.focus_topic ?? ''].join(' ').trim();
      return (await admit(asking, record, { text: words, images: [] })).run;
    });
    const { status, error } = await core.runs.ended(run.run_id, asking.caller);
    if (status !== 'completed')
      throw new RpcError(CODE.internal, `not compressed: ${error?.message ?? `the turn is ${status}`}`);
    return { status: 'compressed', removed: 0, summary: { noop: false, aborted: false, headline: `/${name} was run` } };
  }),
};
