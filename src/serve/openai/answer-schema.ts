/** The form that a client wants the answer in: `response_format` of chat completions, `text.format` of Responses. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { place, type Spelling } from '../../request/place.js';
import { readValue } from '../../request/read-value.js';
import { invalid } from './failure.js';
import { text } from './reading.js';

/**
 * @param path where the format stands
 * @param schema called for `json_schema` alone
 * @returns the JSON Schema of the answer; null for plain text
 */
export function answerSchema(
  format: JsonObject | undefined,
  path: string,
  spelling: Spelling,
  schema: () => Json | undefined,
): JsonObject | null {
  const type = format === undefined ? undefined : text(format, 'type', path);
  switch (type) {
    case undefined:
    case 'text':
      return null;
    case 'json_object':
      return { type: 'object' };
    case 'json_schema':
      return readValue('outputSchema', schema() ?? {}, place(spelling, ['outputSchema']), 'json') ?? null;
    default:
      throw invalid(`${path}.type`, 'expected text, json_object or json_schema');
  }
}
