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

/** A name of one kind. */
export function named(kind: ValueKind): Kind<string> {
  return {
    ...filled,
    text: (text, at) => checkName(kind, filled.text(text, at), at),
    value: (given, at) => checkName(kind, filled.value(given, at), at),
  };
}
