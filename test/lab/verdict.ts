import type { Failure } from './harness/bench.js';
import type { Row } from './matrix.js';
import type { Recipe } from './recipes/recipe.js';
import type { Scenario } from './scenarios/scenario.js';

/** Why a failed check is no failure of ours, if it is none. */
export function excuse(failure: Failure, recipe: Recipe): string | undefined {
  return failure.check.endsWith('.silent') ? recipe.silentRetries : recipe.limits[failure.check];
}

/** Failed checks that the recipe declares as limits are told apart; what is left makes the row a failure. */
export function judge(scenario: Scenario, failures: readonly Failure[], recipe: Recipe): Row {
  const real = failures.filter((failure) => excuse(failure, recipe) === undefined);
  const reasons = [
    ...new Set(failures.map((failure) => excuse(failure, recipe)).filter((reason) => reason !== undefined)),
  ];
  const outcome = real.length > 0 ? 'FAIL' : reasons.length > 0 ? 'limit' : 'pass';
  const note =
    real.length > 0
      ? `fails: ${real.map((failure) => failure.check.split('.').at(-1)).join(', ')}`
      : reasons.join('; ');
  return { name: scenario.name, title: scenario.title, outcome, note };
}
