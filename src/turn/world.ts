/** What a turn needs from the outside. The real one starts processes; a recording or a test plays another. */

import type { Event } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import type { JsonObject } from '../contract/vocabulary.js';
import type { Invocation } from '../runner/runner.js';

export interface Child {
  readonly pid: number;
  /** Never throws: a runtime that no longer reads is told by its exit. */
  write(text: string): void;
  endStdin(): void;
  pause(): void;
  resume(): void;
  /** Ends the whole process tree; times in milliseconds. A later call with `now` skips to KILL. */
  end(options?: { now?: boolean; termMs?: number; killMs?: number }): Promise<{ survivors: number[] }>;
  /** Ends what the program started and lost (it descends from it no longer); the program itself lives on. */
  tidy(): Promise<void>;
}

export interface ChildHandlers {
  line(text: string): void;
  /** A native line over the limit was dropped up to its newline. */
  dropped(bytes: number): void;
  stderr(text: string): void;
  /** Stdout came to its end some time ago, and the process lives on: nothing more can be heard of it. */
  closed?(): void;
  exit(code: number | null, signal: string | null, files: Readonly<Record<string, string | null>>): void;
}

export interface World {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Milliseconds since 1970; null where that is not known. */
  wall(): number | null;
  /** @returns a function that forgets the timer */
  after(ms: number, run: () => void): () => void;
  /** Resolves once the process exists; rejects with a TurnoutError or an Error that says why not. */
  launch(invocation: Invocation, handlers: ChildHandlers): Promise<Child>;
  /** Whether a path (relative ones against cwd) lies inside cwd, links followed. */
  inside(path: string): boolean;
  /** Whether cwd holds a file that cmd on Windows would run for a bare name. */
  planted?(program: string): boolean;
  /** Whether a file at a path could steer what runs unasked, by its name or by where it lies. */
  steers(path: string): boolean;
}

/** Everything that passes through a turn, as a recording keeps it. `t`: milliseconds since the turn began. */
export type TapEntry =
  | { k: 'spawn'; argv: string[]; env: string[] }
  /** Instead of a start: the program of an earlier turn, and what that turn said of it. */
  | { k: 'living'; state: JsonObject }
  /** The program was kept at the end mark, so no exit follows. */
  | { k: 'kept' }
  | { k: 'in'; line: string }
  | { k: 'feed'; text: string }
  | { k: 'out'; line: string }
  | { k: 'dropped'; bytes: number }
  | { k: 'err'; line: string }
  | { k: 'mcp'; dir: 'from-agent' | 'to-agent'; channel: string; message: JsonObject }
  | { k: 'frame'; frame: Frame }
  | { k: 'bad-frame'; message: string; id: string | null }
  | { k: 'stdin-closed' }
  | { k: 'inside'; path: string; inside: boolean }
  | { k: 'steers'; path: string; steers: boolean }
  | { k: 'unread'; line: string }
  | { k: 'event'; event: Event }
  | { k: 'exit'; code: number | null; signal: string | null; files: Readonly<Record<string, string | null>> };

export type Tap = (entry: TapEntry) => void;
