/** Why a request is refused. A surface renders it in its own shape. */

export type ProblemCode =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method'
  | 'timeout'
  | 'too-large'
  | 'type'
  | 'headers-too-large'
  | 'busy'
  | 'draining'
  | 'internal';

const STATUS: Readonly<Record<ProblemCode, number>> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  timeout: 408,
  'too-large': 413,
  type: 415,
  'headers-too-large': 431,
  busy: 503,
  draining: 503,
  internal: 500,
};

/** Thrown by the listener, and by surfaces that want one of its answers. */
export class Problem extends Error {
  readonly status: number;
  constructor(
    readonly code: ProblemCode,
    message: string,
    /** Headers that belong to the answer. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Problem';
    this.status = STATUS[code];
  }
}

/** What is answered to a problem: a status and a JSON value. */
export interface Rendered {
  status: number;
  body: object;
  headers?: Readonly<Record<string, string>>;
}

export type RenderProblem = (problem: Problem) => Rendered;

/** @returns the problem itself, or one that says that we failed */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new Problem('internal', `turnout itself failed: ${why}`);
}
