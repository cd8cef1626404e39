/** What a surface of lines is to the transports that carry it: stdio, a Unix socket, or the body of a request. */

/** Where lines go: one caller. */
export interface Out {
  /** One line with its newline. Never throws; what comes after the reader left is dropped. */
  write(line: string): void;
  /** Resolves when the reader has taken enough for more, or left. */
  ready(): Promise<void>;
  /** Nobody reads any more. */
  readonly closed: boolean;
}

/** One caller of a surface of lines, from its first line to its last answer. */
export interface LineSession {
  /** No more should be read until `room` resolves. What is accepted all the same is answered, too. */
  readonly full: boolean;
  room(): Promise<void>;
  /** One line of the caller. */
  accept(line: string): void;
  /** What arrived was not a request at all. */
  malformed(message: string): void;
  /** Resolves when everything was answered. */
  idle(): Promise<void>;
  /** Nothing more will come. Resolves when everything was answered. */
  end(): Promise<void>;
  /** The caller is gone: what it waited for is cancelled. */
  gone(): void;
  /** Resolves once the caller asked for the end and was answered. */
  readonly halted: Promise<void>;
  /** The highest exit code so far. */
  readonly worst: number;
}

/** Begins a session. @param complaints are reported with every answer */
export type OpenLines = (out: Out, complaints?: readonly string[]) => LineSession;
