/** Where and by which rule a request is wrong, as JSON beside the message. */

import type { UsageError } from '../contract/error.js';
import type { JsonObject } from '../contract/vocabulary.js';

/** @returns `path` and `rule`; nothing for an error that has none */
export function faultFields({ path, rule }: UsageError): JsonObject {
  return { ...(path === null ? {} : { path }), ...(rule === null ? {} : { rule }) };
}
