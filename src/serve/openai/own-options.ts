/** The field `turnout` of a request: options that no OpenAI API has. */

import { UsageError } from '../../contract/error.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { readKeys } from '../../request/from-json.js';
import type { Given } from '../../request/table.js';
import { ACTIVITIES, type Activity, type OwnOptions } from './ask.js';
import { ApiError, invalid } from './failure.js';
import { flag, object, text } from './reading.js';

/** Of a request whose other fields say these things. */
const ELSEWHERE = ['runtime', 'prompt', 'model', 'tools', 'outputSchema', 'effort', 'system'] as const;

function activityOf(given: string | undefined): Activity {
  if (given === undefined) return 'none';
  const found = ACTIVITIES.find((one) => one === given);
  if (found !== undefined) return found;
  throw invalid('turnout.activity', `expected one of ${ACTIVITIES.join(', ')}`);
}

function ours(fields: JsonObject): Given {
  try {
    return readKeys(fields);
  } catch (error) {
    if (error instanceof UsageError && error.path !== null)
      throw new ApiError(400, 'invalid_value', `turnout.${error.message}`, {
        param: `turnout.${error.path}`,
        cause: error,
      });
    throw error;
  }
}

/** @param header of `X-Turnout-Activity` @throws ApiError 400 */
export function ownOptions(body: JsonObject, header: string | undefined): OwnOptions {
  const fields = object(body, 'turnout') ?? {};
  const options = ours(fields);
  const twice = ELSEWHERE.find((name) => options[name] !== undefined);
  if (twice !== undefined) throw invalid(`turnout.${twice}`, 'the request has a field of its own for this');
  return {
    options,
    activity: activityOf(text(fields, 'activity', 'turnout') ?? header),
    detach: flag(fields, 'detach', 'turnout') ?? false,
  };
}
