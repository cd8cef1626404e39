/** The options of one turn, as a host writes them. */

import type { PlainOptions } from '../request/options.js';
import type { QuestionHandler } from './questions.js';
import type { Tools } from './tools.js';
import type { PermissionHandler } from './turn.js';

/** One turn. Times are milliseconds, 0 is no limit. What is left out has the default of `turnout agent exec`. */
export interface TurnOptions<Schemas = Record<string, unknown>> extends PlainOptions {
  /** Your tools by name. */
  tools?: Tools<Schemas>;
  /** Answers permission questions above the mode; without it they are denied. */
  onPermission?: PermissionHandler;
  /** Answers questions of the agent itself; without it they are declined. */
  onQuestion?: QuestionHandler;
  /** Aborting cancels the turn. */
  signal?: AbortSignal;
}
