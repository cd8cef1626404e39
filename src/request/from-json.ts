/** The keys of a JSON request → one turn: ops of the server, arguments of MCP tools. */

import type { JsonObject } from '../contract/vocabulary.js';
import { checkAnswerSchema } from './answer-schema.js';
import { place } from './place.js';
import { type PlanAround, planTurn, type TurnPlan } from './plan.js';
import { readValue } from './read-value.js';
import { checkTogether } from './rules.js';
import { asJson, keyName } from './spelling.js';
import { type Given, OPTION_NAMES, takes } from './table.js';

/** Every key of the table by itself; keys of others are left alone. @throws UsageError naming the key */
export function readKeys(fields: JsonObject): Given {
  const given: Given = {};
  for (const name of OPTION_NAMES) {
    if (!takes(name, 'json')) continue;
    const value = readValue(name, fields[keyName(name)], place(asJson, [name]), 'json');
    if (value !== undefined) Object.assign(given, { [name]: value });
  }
  return given;
}

/** Compiles the schema of the answer, which loads a library: only where there is one. @throws UsageError */
export async function checkSchema({ outputSchema }: Given): Promise<void> {
  if (outputSchema) await checkAnswerSchema(outputSchema, place(asJson, ['outputSchema']));
}

/** @param given what was read, with what the surface itself adds @throws UsageError naming the key */
export function planKeys(given: Given, around: Omit<PlanAround, 'spelling'>): TurnPlan {
  checkTogether(given, asJson);
  return planTurn({ ...given, callerTools: given.tools ? 'stdio' : 'none' }, { ...around, spelling: asJson });
}
