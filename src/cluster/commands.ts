/** Commands to runs, wherever they are worked on. */

import { randomUUID } from 'node:crypto';
import { CoreError } from '../runs/failure.js';
import type { Caller } from '../runs/ports.js';
import { type Command, isOver, type Receipt, type RunRecord } from '../runs/records.js';
import type { Due, Engine, Letter } from './engine.js';
import { endWaiting } from './lost.js';
import { ear } from './wait.js';
import type { WorkedRun } from './worked-run.js';

export interface CommandsOptions {
  engine: Engine;
  /** Claims what is cancelled before it began. */
  front: string;
  /** A run that is worked on in this process. */
  here(id: string): WorkedRun | null;
  due(next: Due): void;
  canSteer(runtime: string): boolean;
  need(id: string, caller: Caller): Promise<RunRecord>;
}

export interface Commands {
  /** @throws {CoreError} see Runs.send */
  send(id: string, command: Command, caller: Caller, mail?: string): Promise<Receipt & { ok: true }>;
  /** Sends what no caller sent. */
  tell(run: string, letter: Letter): Promise<void>;
}

/** Milliseconds: how long a worker may take to answer a command. */
const ANSWER_MS = 10_000;

export function commands(options: CommandsOptions): Commands {
  const { engine } = options;

  /** Ends a run that has not begun. @returns whether it did */
  async function cancelWaiting(run: string, command: Command & { type: 'cancel' }): Promise<boolean> {
    const cause = command.cause ?? 'user';
    const message = 'The run was cancelled while it was waiting for its turn.';
    const ended = await endWaiting(engine, run, options.front, { code: 'cancelled', message, by: cause });
    if (ended.due) options.due(ended.due);
    return ended.did;
  }
  async function answer(run: string, mail: string): Promise<Receipt> {
    const heard = await ear(engine, [`run:${run}`]);
    try {
      for (const until = Date.now() + ANSWER_MS; Date.now() < until; await heard.next()) {
        const receipt = await engine.receipt(mail);
        if (receipt) return receipt;
        const now = await engine.run(run);
        if (!now || isOver(now.status)) break;
      }
      const late = await engine.receipt(mail);
      if (late) return late;
    } finally {
      heard.close();
    }
    return { ok: false, reason: 'not-active', message: `run ${run}: its worker does not answer` };
  }
  const notActive = (run: string, status: string): Receipt => ({
    ok: false,
    reason: 'not-active',
    message: `run ${run} is ${status}`,
  });
  async function remote(id: string, command: Command, mail: string): Promise<Receipt> {
    const posted = await engine.post(id, mail, command);
    switch (posted.kind) {
      case 'receipt':
        return posted.receipt;
      case 'posted':
        return answer(id, mail);
      case 'kept':
        return { ok: true, id: `s${posted.nth}`, did: true };
      case 'queued': {
        if (command.type !== 'cancel') return notActive(id, 'queued');
        if (await cancelWaiting(id, command)) return { ok: true, id: null, did: true };
        // It began in between.
        return remote(id, command, randomUUID());
      }
      case 'over': {
        if (command.type === 'cancel') return { ok: true, id: null, did: false };
        return notActive(id, (await engine.run(id))?.status ?? 'over');
      }
      default: {
        const never: never = posted;
        throw new CoreError('store', `unknown answer ${JSON.stringify(never)}`);
      }
    }
  }
  async function local(run: WorkedRun, command: Command, mail: string | undefined): Promise<Receipt> {
    const before = mail === undefined ? null : await engine.receipt(mail);
    const receipt = before ?? run.perform(command);
    if (mail !== undefined && !before) await engine.putReceipt(run.id, mail, receipt);
    return receipt;
  }
  return {
    async send(id, command, caller, mail) {
      const record = await options.need(id, caller);
      if (command.type === 'steer' && record.status === 'queued' && record.runtime !== 'auto') {
        if (!options.canSteer(record.runtime))
          throw new CoreError('unsupported', `${record.runtime} takes no guidance while it works`);
      }
      const here = options.here(id);
      const receipt = here ? await local(here, command, mail) : await remote(id, command, mail ?? randomUUID());
      if (!receipt.ok) throw CoreError.of(receipt.reason, receipt.message);
      return receipt;
    },
    async tell(run, letter) {
      const posted = await engine.post(run, randomUUID(), letter);
      if (posted.kind === 'queued' && letter.type === 'cancel') await cancelWaiting(run, letter);
    },
  };
}
