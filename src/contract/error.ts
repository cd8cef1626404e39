/** Error codes, what they mean for the caller and the exit code each ends with. */

/** Every error code: whether trying again is useless (`fatal`), and the exit code of a turn that ends with it. */
export const ERROR_CODES = {
  auth: { fatal: true, exit: 1 },
  quota: { fatal: true, exit: 1 },
  'rate-limited': { fatal: true, exit: 1 },
  'missing-binary': { fatal: true, exit: 2 },
  'no-runner': { fatal: true, exit: 2 },
  budget: { fatal: true, exit: 1 },
  unsafe: { fatal: true, exit: 2 },
  unsupported: { fatal: true, exit: 2 },
  'model-unavailable': { fatal: true, exit: 1 },
  'session-not-found': { fatal: true, exit: 1 },
  'context-full': { fatal: true, exit: 1 },
  'mcp-failed': { fatal: true, exit: 1 },
  'output-schema': { fatal: false, exit: 1 },
  'runner-error': { fatal: false, exit: 1 },
  timeout: { fatal: false, exit: 124 },
  cancelled: { fatal: false, exit: 130 },
  interrupted: { fatal: false, exit: 130 },
  'bad-frame': { fatal: false, exit: 0 },
  usage: { fatal: true, exit: 2 },
} as const satisfies Record<string, { fatal: boolean; exit: number }>;

/** A stable error code; {@link ERROR_CODES} has what each means for the caller. */
export type ErrorCode = keyof typeof ERROR_CODES;
/** Codes that can end a turn: `bad-frame` never does, `usage` is told on stderr before a turn exists. */
export type TurnErrorCode = Exclude<ErrorCode, 'bad-frame' | 'usage'>;

/** Why a turn ran out of time. */
export type TimeoutReason = 'deadline' | 'idle' | 'startup';

/** A failure with a stable code. `message` says what to do; `hint` holds a command alone. */
export class TurnoutError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  /**
   * @param code one of {@link ERROR_CODES}
   * @param message for people: what went wrong and what to do next
   * @param options `hint`: a command that helps, alone; `cause`: what led here
   */
  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TurnoutError';
    this.code = code;
    this.hint = options.hint;
  }
}

/** The rules that an option can break. */
export const USAGE_RULES = [
  /** Of another type: a number where a text is expected. */
  'type',
  /** Empty, or nothing but blanks. */
  'empty',
  /** Not one of the words there are. */
  'choice',
  /** A number below or above what makes sense. */
  'range',
  /** Larger than the limit. */
  'size',
  /** The text does not have the form: JSON, KEY=VALUE, a URL, an image. */
  'form',
  /** Not a JSON Schema, or not one of an object. */
  'schema',
  /** Needed, and not given. */
  'missing',
  /** Given twice, or beside what excludes it. */
  'twice',
  /** Makes no sense without, or together with, another option. */
  'conflict',
  /** A file or folder that is missing or can't be read. */
  'unreadable',
  /** There is no such option. */
  'unknown',
] as const;
/** Which rule an option breaks; the same at every entrance. */
export type UsageRule = (typeof USAGE_RULES)[number];

export interface UsageOptions {
  /** A command that helps, alone. */
  hint?: string;
  cause?: unknown;
  /** The option in the caller's own spelling; `message` begins with it and a colon. */
  path?: string;
  rule?: UsageRule;
}

/** Bad input, found before anything was spawned: one JSON line on stderr, exit 2. */
export class UsageError extends TurnoutError {
  /** Where the fault is, as the caller spells it: `--budget-usd`, `budgetUsd`, `tools[0].name`; null when nowhere alone. */
  readonly path: string | null;
  readonly rule: UsageRule | null;

  /**
   * @param message for people: what is wrong and what is expected instead
   * @param options `path` and `rule` say the same for programs
   */
  constructor(message: string, options: UsageOptions = {}) {
    super('usage', message, options);
    this.name = 'UsageError';
    this.path = options.path ?? null;
    this.rule = options.rule ?? null;
  }
}
