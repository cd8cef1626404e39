import { endingScenarios } from './endings.js';
import { errorScenarios } from './errors.js';
import { inputScenarios } from './input.js';
import type { Scenario } from './scenario.js';
import { shellScenarios } from './shell.js';
import { textScenarios } from './text.js';

/** In the order of the compatibility table. */
export const scenarios: readonly Scenario[] = [
  ...textScenarios,
  ...inputScenarios,
  ...shellScenarios,
  ...endingScenarios,
  ...errorScenarios,
];
