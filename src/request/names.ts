/** Texts that are names of something a runtime knows: data, never an option or a path of its program. */

import { type ValueKind, valueFault } from '../runner/caller-values.js';
import { filled, type Kind } from './kinds.js';
import { type Place, quoted } from './place.js';

/** @throws UsageError when the name could be taken for something else */
export function checkName(kind: ValueKind, given: string, at: Place): string {
  const fault = valueFault(kind, given);
  if (fault !== null) throw at.fault('form', `${quoted(given)} is refused: ${fault}`);
  return given;
}

const ORG_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/** Whether an org or a role can be called that. Nothing else ever becomes part of a path or is listed. */
export const isOrgName = (name: string): boolean => ORG_NAME.test(name);

/** The name of an org or of a role. */
export const orgName: Kind<string> = {
  ...filled,
  text: (text, at) => checkOrgName(text, at),
  value: (given, at) => checkOrgName(filled.value(given, at), at),
};

function checkOrgName(given: string, at: Place): string {
  if (isOrgName(given)) return given;
  throw at.fault(
    'form',
    `expected up to 64 letters, digits, - and _, with a letter or digit first, not ${quoted(given)}`,
  );
}

/** A name of one kind. */
export function named(kind: ValueKind): Kind<string> {
  return {
    ...filled,
    text: (text, at) => checkName(kind, filled.text(text, at), at),
    value: (given, at) => checkName(kind, filled.value(given, at), at),
  };
}
