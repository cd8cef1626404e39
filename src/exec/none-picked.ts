import { nearest } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { Refused } from './this-machine.js';

/** Why no runtime answers: none is installed, or the id is unknown. */
export function nonePicked(runtime: string, runners: readonly Runner[]): Refused {
  if (runtime === 'auto') {
    const install = 'npm install -g @anthropic-ai/claude-code';
    return new Refused('missing-binary', `No agent program was found. Install one, e.g. ${install}`, install);
  }
  const near = nearest(runtime, runners);
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  return new Refused(
    'no-runner',
    `There is no runtime called ${runtime}.${hint} \`turnout agent scan --all\` lists them.`,
    'turnout agent scan --all',
  );
}
