/** What a turn may ask a person who is there. */

import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';

/** What a runtime can't ask is not asked for: then the mode alone decides, as without a person. */
export function askingPerson(request: TurnRequest, runner: Runner): TurnRequest {
  const asks = request.sandbox === null && runner.access[request.access]?.asks === true;
  return {
    ...request,
    ...(asks ? { approvals: 'stdio' as const } : {}),
    ...(runner.asksQuestions ? { questions: 'stdio' as const } : {}),
  };
}
