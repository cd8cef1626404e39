/** Structured answers: sent natively where OpenAI's strict mode takes the schema, else asked for in words. */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { arr, isObject, obj } from '../../src/text/json.js';

/** Keywords that strict mode refuses, as documented for the Responses API. */
const REFUSED = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'contains',
  'uniqueItems',
  'default',
];

function strictNode(node: Json | undefined): boolean {
  if (!isObject(node) || REFUSED.some((key) => key in node)) return false;
  const properties = obj(node, 'properties');
  const type = node['type'];
  const isRecord = properties !== undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (isRecord) {
    const required = arr(node, 'required') ?? [];
    if (node['additionalProperties'] !== false) return false;
    if (!Object.keys(properties ?? {}).every((key) => required.includes(key))) return false;
  }
  const below: (Json | undefined)[] = [
    ...Object.values(properties ?? {}),
    ...Object.values(obj(node, '$defs') ?? {}),
    ...Object.values(obj(node, 'definitions') ?? {}),
    ...(arr(node, 'anyOf') ?? []),
  ];
  if ('items' in node) below.push(node['items']);
  return below.every(strictNode);
}

/** Whether a schema can be sent as it is: codex marks every `outputSchema` as strict, and OpenAI answers others with 400. */
export function isStrict(schema: JsonObject): boolean {
  return schema['type'] === 'object' && !('anyOf' in schema) && strictNode(schema);
}

/** Words for a schema that can't be sent. */
export function askForJson(schema: JsonObject): string {
  return `Answer with one JSON value and nothing else: no prose, no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
}
