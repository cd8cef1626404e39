/**
 * One session as one client follows it: read from the committed log, no faster than the client takes it. Two clients read
 * the same log, so they see the same events in the same order.
 */

import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import type { RunRecord } from '../../runs/records.js';
import { aboutRun, type Position } from './ledger.js';
import type { EventParams } from './rpc.js';
import type { Step, Translator } from './translate.js';
import { after } from './usage.js';

export interface FeedOptions {
  core: Core;
  caller: Caller;
  session: string;
  /** What the client knows already. */
  from: Position;
  /** Resolves when the client takes more. */
  ready(): Promise<void>;
  tell(event: EventParams): void;
  ask(run: RunRecord, step: Extract<Step, { do: 'ask' }>): Promise<void>;
  state(session: string, running: boolean): Promise<void>;
  /** The session can't be followed any more. */
  lost(error: unknown): void;
}

export interface Feed {
  /** Tells nothing until the returned function is called: an answer goes out before what follows from it. */
  hold(): () => void;
  close(): void;
}

export function feed(options: FeedOptions): Feed {
  const { core, caller, session, from } = options;
  const left = new AbortController();
  let holds = 0;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  /** Both at once: the client may be held while it is slow. */
  async function mayGoOn(): Promise<void> {
    await options.ready();
    while (holds > 0 && !left.signal.aborted) await new Promise<void>((resolve) => waiting.push(resolve));
  }

  let seq = from.base;
  let { known, spent } = from;
  let run: RunRecord | null = null;
  let translate: Translator | null = null;

  async function take(step: Step, of: RunRecord): Promise<void> {
    if (step.do === 'tell') seq += 1;
    // What comes up to here is in the snapshot, questions among it.
    known -= 1;
    if (known >= 0) return;
    await mayGoOn();
    if (left.signal.aborted) return;
    switch (step.do) {
      case 'tell': {
        const { type, payload } = step.event;
        return options.tell({ type, session_id: session, seq, ...(payload ? { payload } : {}) });
      }
      case 'ask':
        return options.ask(of, step);
      case 'state':
        return options.state(session, step.running);
      default: {
        const never: never = step;
        return never;
      }
    }
  }
  async function follow(): Promise<void> {
    const { cursor } = from;
    const how = { signal: left.signal, ...(cursor === undefined ? {} : { after: cursor }) };
    for await (const news of core.sessions.follow(session, how, caller)) {
      if ('run' in news) {
        if (run?.run_id !== news.run.run_id) {
          run = news.run;
          translate = aboutRun(run, spent);
        } else if (translate?.over) spent = after(spent, news.run);
        continue;
      }
      if (!('entry' in news) || !run || !translate) continue;
      for (const step of translate.hear(news.entry.event)) await take(step, run);
      if (left.signal.aborted) return;
    }
  }
  follow().catch((error: unknown) => {
    if (!left.signal.aborted) options.lost(error);
  });

  return {
    hold() {
      holds += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holds -= 1;
        if (holds === 0) wake();
      };
    },
    close() {
      left.abort();
      wake();
    },
  };
}
