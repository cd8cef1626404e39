/** A JSON Schema for the agent's answer, as a check. */

import type { ErrorObject } from 'ajv';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import { str } from '../text/json.js';
import type { Place } from './place.js';

export interface AnswerSchema {
  /** What is wrong with a value, for the model; null when nothing is. */
  violation(value: Json): string | null;
}

function explain(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, 5).map((error) => {
    const place = error.instancePath === '' ? 'the value' : error.instancePath;
    const extra = error.params['additionalProperty'] ?? error.params['allowedValues'];
    return `${place} ${error.message ?? error.keyword}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
  });
  const more = errors.length > 5 ? ` and ${errors.length - 5} more` : '';
  return shown.join('; ') + more;
}

/** Formats are not asserted, unknown keywords ignored. @throws {Error} the schema does not compile */
export async function answerSchema(schema: JsonObject): Promise<AnswerSchema> {
  const draft7 = str(schema, '$schema')?.includes('draft-0') ?? false;
  const options = {
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
  } as const;
  const { $schema: _, $id: __, ...plain } = schema;
  const ajv = draft7 ? new (await import('ajv')).Ajv(options) : new (await import('ajv/dist/2020.js')).Ajv2020(options);
  const check = ajv.compile(plain);
  return { violation: (value) => (check(value) ? null : explain(check.errors ?? [])) };
}

/** @throws UsageError the schema does not compile */
export async function checkAnswerSchema(schema: JsonObject, at: Place): Promise<void> {
  try {
    await answerSchema(schema);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw at.fault('schema', `not a JSON Schema: ${why}`, { cause });
  }
}
