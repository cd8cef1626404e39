/** Reads a permission policy: an object, or the file of a flag. */

import { POLICY_DECISIONS, type Policy, type PolicyRule } from '../contract/policy.js';
import { type JsonObject, TOOL_KINDS, type ToolKind } from '../contract/vocabulary.js';
import { isObject } from '../text/json.js';
import { type Kind, word } from './kinds.js';
import type { Place } from './place.js';

const TEXTS = ['path', 'command', 'command_exactly', 'host', 'server', 'tool', 'runtime'] as const;
const RULE_KEYS: ReadonlySet<string> = new Set(['decision', 'kind', ...TEXTS]);
const decision = word(POLICY_DECISIONS);
const kind = word(TOOL_KINDS);

/** One value or a list of them that is not empty. */
function several<Value>(given: unknown, at: Place, read: (one: unknown, at: Place) => Value): Value[] {
  if (!Array.isArray(given)) return [read(given, at)];
  if (given.length === 0) throw at.fault('empty', 'expected at least one value; left out, it fits all');
  return given.map((one: unknown, index) => read(one, at.in(index)));
}

function filledText(given: unknown, at: Place): string {
  if (typeof given !== 'string' || given.trim() === '') throw at.fault('type', 'expected a text that is not empty');
  return given;
}

function unknownKey(given: JsonObject, known: ReadonlySet<string>, at: Place): void {
  const key = Object.keys(given).find((one) => !known.has(one));
  // A misspelled condition would make a rule fit everything.
  if (key !== undefined) throw at.in(key).fault('unknown', `expected one of ${[...known].join(', ')}`);
}

function ruleOf(given: unknown, at: Place): PolicyRule {
  if (!isObject(given)) throw at.fault('type', 'expected an object with "decision"');
  unknownKey(given, RULE_KEYS, at);
  const kinds: ToolKind[] | undefined =
    given['kind'] === undefined ? undefined : several(given['kind'], at.in('kind'), kind.value);
  const texts = TEXTS.filter((key) => given[key] !== undefined).map((key) => [
    key,
    several(given[key], at.in(key), filledText),
  ]);
  return {
    decision: decision.value(given['decision'], at.in('decision')),
    ...(kinds === undefined ? {} : { kind: kinds }),
    ...Object.fromEntries(texts),
  };
}

const KEYS: ReadonlySet<string> = new Set(['rules', 'default', '$schema']);

function policyOf(given: unknown, at: Place): Policy {
  if (!isObject(given)) throw at.fault('type', 'expected an object with "rules"');
  unknownKey(given, KEYS, at);
  const rules = given['rules'];
  if (!Array.isArray(rules)) throw at.in('rules').fault('type', 'expected a list of rules');
  return {
    rules: rules.map((rule: unknown, index) => ruleOf(rule, at.in('rules').in(index))),
    ...(given['default'] === undefined ? {} : { default: decision.value(given['default'], at.in('default')) }),
  };
}

/** `{"rules":[{"decision":"deny","kind":"shell","command":"git push"}],"default":"ask"}` */
export const policy: Kind<Policy> = {
  text: (_, at) => {
    throw at.fault('form', 'expected a policy');
  },
  value: policyOf,
  print: () => null,
  schema: { type: 'object' },
};
