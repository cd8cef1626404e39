/** A turn over our own stdio: events on stdout, frames on stdin, signals, and a host that may die. */

import { fstatSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Event } from '../contract/event.js';
import { GRACE } from '../contract/limits.js';
import { type EventWriter, eventWriter, type Sink, type WriterHooks } from '../output/event-writer.js';
import { isPipe } from '../process/file-kind.js';
import { watchParent } from '../process/parent-watch.js';
import { watchReader } from '../process/reader-watch.js';
import { passSuspension } from '../process/suspension.js';
import { unblock } from '../process/unblock-stdout.js';
import type { TurnRequest } from '../runner/request.js';
import type { Turn } from '../turn/loop.js';
import type { TapEntry } from '../turn/world.js';
import { type ExecOptions, execTurn } from './exec-turn.js';
import { readFrames, stdinIsChannel } from './stdin-frames.js';

export interface StdioOptions extends Omit<ExecOptions, 'emit'> {
  /** Whether the caller said that it sends frames (`--tools stdio`, `--approvals stdio`, `--questions stdio`). */
  framesOn: boolean;
  /** Whether stdin was read already, as the prompt. */
  stdinTaken: boolean;
  /** Copy native lines and stderr to our stderr, secrets masked. */
  verboseNative: ((text: string) => string) | null;
  /** Writes for people instead of hosts. */
  writer?(sink: Sink, hooks: WriterHooks): EventWriter;
  /** Another way to begin the turn, such as in a private copy. */
  begin?(options: ExecOptions): Turn;
  /** What is said instead of an event. */
  say?(event: Event): Event;
  /** Hears every event. */
  onEvent?(event: Event): void;
  /** Somebody asked for the end, e.g. by Ctrl-C. */
  onCancel?(): void;
}

/** Whether the caller answers calls or questions by frames on stdin. */
export const takesFrames = ({ toolsOn, approvals, questions }: TurnRequest): boolean =>
  toolsOn || approvals === 'stdio' || questions === 'stdio';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'];

/** A file or a terminal has no host that could be dead. */
function stdoutIsChannel(): boolean {
  try {
    const stat = fstatSync(1);
    return isPipe(stat) || stat.isSocket();
  } catch {
    return false;
  }
}

/** Whether a limit or a cancel ended the turn: then a slow reader is not waited for. */
function endedByUs(event: Event): boolean {
  if (event.type === 'error') return event.code === 'timeout' || event.code === 'cancelled' || event.code === 'budget';
  return event.type === 'result' && event.stop_reason === 'max_turns';
}

/**
 * Runs the turn to its end and empties stdout as far as its reader allows.
 * @returns the exit code
 */
export async function execOverStdio(options: StdioOptions): Promise<number> {
  // A long stream is garbage that dies at once. Node would give it 32 MiB of young heap and keep them (Node 20).
  setFlagsFromString('--semi-space-growth-factor=1');
  let asked = false;
  let hurry: () => void = () => {};
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  const leave = () => {
    asked = true;
    hurry();
    turn.cancel();
  };
  const cancel = () => {
    options.onCancel?.();
    leave();
  };
  unblock(process.stdout);
  const writer = (options.writer ?? eventWriter)(process.stdout, {
    // Nobody asked: the reader left.
    onBroken: leave,
    onPause: () => turn.pause(),
    onResume: () => turn.resume(),
  });
  const verbose = options.verboseNative;
  const tap = (entry: TapEntry) => {
    options.tap?.(entry);
    if (!verbose) return;
    if (entry.k === 'out' || entry.k === 'err') process.stderr.write(`${verbose(entry.line)}\n`);
    if (entry.k === 'unread') process.stderr.write(`not understood: ${verbose(entry.line)}\n`);
  };
  const turn = (options.begin ?? execTurn)({
    ...options,
    ...(verbose || options.tap ? { tap } : {}),
    emit(told) {
      const event = options.say?.(told) ?? told;
      options.onEvent?.(event);
      writer.write(event);
      if (endedByUs(event)) {
        asked = true;
        hurry();
      }
    },
  });
  for (const signal of SIGNALS) process.on(signal, cancel);
  passSuspension();
  process.stderr.on('error', () => {});
  const fault = (error: unknown) => turn.fault(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);

  let stopReading = () => {};
  let stopWatching = () => {};
  if (!options.stdinTaken && (options.framesOn || stdinIsChannel())) {
    let told = false;
    stopReading = readFrames(process.stdin, {
      frame: (frame) => {
        if (frame.type === 'cancel') return cancel();
        turn.frame(frame);
      },
      bad(message, id) {
        if (options.framesOn) return turn.badFrame(message, id);
        if (!told) turn.notice('frame-ignored', `a line on stdin was ignored: ${message}`);
        told = true;
      },
      closed() {
        turn.stdinClosed();
        if (stdoutIsChannel()) stopWatching = watchParent(cancel);
      },
    });
  } else if (stdoutIsChannel() && options.stdinTaken) {
    stopWatching = watchParent(cancel);
  }

  let isUnread = false;
  const stopWatchingReader = watchReader(() => {
    isUnread = true;
    leave();
  });

  const code = await turn.done;
  stopReading();
  // A host that did not ask for an end may read as slowly as it likes.
  if (!asked) await Promise.race([writer.flush(), hurried]);
  if (asked) await writer.flush(GRACE.flush);
  stopWatching();
  stopWatchingReader();
  return writer.broken || isUnread ? 130 : code;
}
