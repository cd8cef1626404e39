/** The configuration against its published schema. */

import type { ErrorObject } from 'ajv';
import schema from '../../../schemas/config.json' with { type: 'json' };
import { UsageError } from '../../contract/error.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { obj, str } from '../../text/json.js';
import { nearestWords } from '../../text/nearest.js';

/** The keys there are, with what the schema says of them. */
export const SETTINGS: ReadonlyMap<string, string> = new Map(
  Object.entries<Json>(schema.properties).map(([key, said]) => [key, str(said, 'description') ?? '']),
);

/** Each of the two files has a key that the other may not have. */
const ONLY: Readonly<Record<string, 'user' | 'project'>> = { trusted_projects: 'user', orgs: 'project' };

export function unknownKey(key: string): string {
  const [guess] = nearestWords(key, [...SETTINGS.keys()], 1);
  return `unknown key ${JSON.stringify(key)}${guess === undefined ? '' : `; did you mean ${guess}?`}`;
}

function explain({ instancePath, keyword, params, message }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const unknown: unknown = params['additionalProperty'];
  if (keyword === 'additionalProperties' && typeof unknown === 'string' && path === '') return unknownKey(unknown);
  const allowed: unknown = params['allowedValues'];
  const extra = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  return `${path === '' ? 'the file' : path} ${message ?? keyword}${extra}`;
}

/** @returns what is wrong with the values of one file; empty when nothing is */
export async function settingFaults(values: JsonObject, level: 'user' | 'project'): Promise<string[]> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { $id: _, ...plain } = schema;
  const check = new Ajv2020({ strict: false, allErrors: true, logger: false }).compile(plain);
  const faults = check(values) ? [] : (check.errors ?? []).map(explain);
  const misplaced = Object.keys(values).filter((key) => (ONLY[key] ?? level) !== level);
  return [...new Set([...faults, ...misplaced.map((key) => `${key} belongs into the ${ONLY[key]}'s file`)])];
}

/** @throws {UsageError} naming the file and all that is wrong with it */
export async function checkSettings(file: string, values: JsonObject, level: 'user' | 'project'): Promise<void> {
  const faults = await settingFaults(values, level);
  if (faults.length > 0) throw new UsageError(`${file}: ${faults.join('; ')}`, { hint: 'turnout config list' });
}

/** The words of a command line as a value of a key: a list, a truth value, a number, JSON, or a text. */
export function settingValue(key: string, words: readonly string[]): Json {
  const { type } = obj(schema.properties, key) ?? {};
  const [first = ''] = words;
  const text = words.join(' ');
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new UsageError(`the value of ${key} is not valid JSON: ${text}`, { cause });
    }
  }
  if (type === 'array') return words.flatMap((word) => word.split(',')).filter((word) => word.trim() !== '');
  if (type === 'boolean' && (first === 'true' || first === 'false')) return first === 'true';
  return text;
}
