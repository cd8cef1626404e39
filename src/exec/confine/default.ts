import { CONFINES, type Confine } from '../../contract/vocabulary.js';
import type { TurnRequest } from '../../runner/request.js';

/** What decides where a request says nothing, for machines on which the answer is always the same: a container, say. */
const CONFINE_VARIABLE = 'TURNOUT_CONFINE';

/** What a request asks for, else the variable, else `auto`. */
export function confineOf(request: Pick<TurnRequest, 'confine'>, env: NodeJS.ProcessEnv): Confine {
  return request.confine ?? CONFINES.find((one) => one === env[CONFINE_VARIABLE]) ?? 'auto';
}
