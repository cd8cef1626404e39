import * as Args from '@oclif/core/args';
import { TurnoutCommand } from './base.js';
import { COMPARE_FLAGS } from './compare-flags.js';
import { forHelp } from './help-flags.js';
import { runCompare } from './run-compare.js';

export default class Compare extends TurnoutCommand {
  static override summary =
    'Give one prompt to several runtimes, each in a private copy, and land the result you like.';
  static override description =
    `All run at the same time with --access edit, unless you say otherwise. Each answer is shown when it is there, then a table of time, tokens, cost and changes. At a terminal you are asked which one to land in your folder.

Outside of a git repository there are no copies: then --access read or none is needed, and nothing can be landed.

Exit codes: 0 one of them answered, 1 none did or the change could not be landed, 2 wrong usage, 130 cancelled.`;
  static override examples = [
    '<%= config.bin %> compare -r claude,codex,gemini "Fix the flaky test"',
    '<%= config.bin %> compare -r claude,codex --check "npm test" "Fix the flaky test"',
    '<%= config.bin %> compare -r claude,codex --access read --pick none "What does src/main.ts do?"',
    '<%= config.bin %> compare -r demo,demo --json "say hello"',
  ];
  static override usage = 'compare -r ID,ID… PROMPT… [FLAG…]';
  static override strict = false;
  static override args = { prompt: Args.string({ description: 'what should be done; - is stdin' }) };
  static override flags = forHelp(COMPARE_FLAGS);

  async run(): Promise<void> {
    this.parsed = true;
    await runCompare(this.argv);
  }
}
