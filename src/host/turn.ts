/** A turn as a host holds it, whether it runs in this process or in one of its own. */

import type { Event, PermissionRequestEvent, QuestionEvent } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import { CHOICES, type Choice } from '../contract/vocabulary.js';
import { answersOf, type QuestionHandler } from './questions.js';
import { eventQueue } from './queue.js';
import { collector, type TurnResult } from './result.js';
import { type Tool, toolHost } from './tools.js';

/** An answer to a permission question; `message` is what the agent reads about a denial. */
export type Decision = Choice | { choice: Choice; message?: string };
/** Answers permission questions; a handler that throws denies. */
export type PermissionHandler = (question: PermissionRequestEvent) => Decision | Promise<Decision>;
/**
 * The events of a turn, read once: `for await (const event of turn)`. A turn that fails does not throw; it ends with an
 * `error` event. Leaving the loop early cancels the turn and waits until nothing of it runs.
 */
export interface Turn extends AsyncIterable<Event> {
  /** How the turn ended. Also runs the turn to its end for those who do not want the events. */
  result(): Promise<TurnResult>;
  /** Guidance for the running agent. @returns whether it took it */
  steer(text: string): Promise<boolean>;
  /** Ends the turn; a second call waits no longer for the agent to go by itself. */
  cancel(): void;
}

/** What a turn is reached by. */
export interface Port {
  send(frame: Frame): void;
  cancel(): void;
  pause(): void;
  resume(): void;
}

/** How a turn tells what happens in it. */
export interface Listener {
  event(event: Event): void;
  /** It could not begin: told to whoever reads, before any event. */
  failed(error: unknown): void;
}

export interface HostOptions {
  tools?: Readonly<Record<string, Tool>>;
  onPermission?: PermissionHandler;
  onQuestion?: QuestionHandler;
  signal?: AbortSignal;
}

const isChoice = (value: unknown): value is Choice => CHOICES.some((choice) => choice === value);

function readDecision(decision: Decision): { choice: Choice; message?: string } {
  const read = typeof decision === 'object' && decision !== null ? decision : { choice: decision };
  if (isChoice(read.choice)) return read;
  return {
    choice: 'deny',
    message: `the host answered ${String(read.choice)}, which is none of ${CHOICES.join(', ')}`,
  };
}

/**
 * @param start begins the turn; events may come at once
 * @throws {UsageError} a tool that can't be declared
 */
export function hostTurn(options: HostOptions, start: (listener: Listener) => Port): Turn {
  const collected = collector();
  const steering = new Map<string, (delivered: boolean) => void>();
  let steered = 0;
  let over = false;
  let settle: { resolve(result: TurnResult): void; reject(error: unknown): void } = { resolve() {}, reject() {} };
  const result = new Promise<TurnResult>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Whoever reads the events hears of it there.
  result.catch(() => {});

  let port: Port | null = null;
  const queue = eventQueue({ pause: () => port?.pause(), resume: () => port?.resume() });
  const tools = toolHost(options.tools ?? {}, (frame) => port?.send(frame));
  const cancel = () => {
    if (!over) port?.cancel();
  };

  const decide = async (question: PermissionRequestEvent) => {
    let answer: { choice: Choice; message?: string };
    try {
      answer = readDecision((await options.onPermission?.(question)) ?? 'deny');
    } catch (error) {
      answer = { choice: 'deny', message: error instanceof Error ? error.message : String(error) };
    }
    port?.send({ v: 1, type: 'permission_result', id: question.id, ...answer });
  };
  const reply = async (question: QuestionEvent) => {
    const answers = await answersOf(question, options.onQuestion);
    port?.send({ v: 1, type: 'question_result', id: question.id, answers });
  };
  const finish = () => {
    over = true;
    options.signal?.removeEventListener('abort', cancel);
    tools.close();
    for (const resolve of steering.values()) resolve(false);
    steering.clear();
  };
  const listener: Listener = {
    event(event) {
      if (over) return;
      collected.hear(event);
      if (event.type === 'permission_request') void decide(event);
      if (event.type === 'question') void reply(event);
      if (event.type === 'status' && event.steer) {
        steering.get(event.steer.id)?.(event.steer.delivered);
        steering.delete(event.steer.id);
      }
      queue.push(event);
      tools.hear(event);
      if (event.type !== 'done') return;
      finish();
      queue.end();
      settle.resolve(collected.result());
    },
    failed(error) {
      if (over) return;
      finish();
      queue.fail(error);
      settle.reject(error);
    },
  };
  port = start(listener);
  if (options.signal?.aborted) cancel();
  // A refusal is over by now.
  else if (!over) options.signal?.addEventListener('abort', cancel, { once: true });

  return {
    [Symbol.asyncIterator]: () =>
      queue.read(async () => {
        cancel();
        await result.catch(() => {});
      }),
    result() {
      queue.unread();
      return result;
    },
    steer(text) {
      if (over) return Promise.resolve(false);
      steered += 1;
      const id = `s${steered}`;
      return new Promise((resolve) => {
        steering.set(id, resolve);
        port?.send({ v: 1, type: 'steer', id, text });
      });
    },
    cancel,
  };
}
