import * as Args from '@oclif/core/args';
import { TurnoutCommand } from '../base.js';
import { forHelp } from '../help-flags.js';
import { runRun } from '../run.js';
import { RUN_FLAGS } from '../run-flags.js';

export default class Run extends TurnoutCommand {
  static override summary = 'Ask a runtime to do something, and watch it.';
  static override description =
    `The answer comes on stdout as it is written; a line for each tool, and at the end tokens and cost, on stderr. So \`turnout run "…" > answer.txt\` keeps the answer alone.

A word \`-\` stands for stdin; without any words a pipe on stdin is the prompt. Ctrl-C ends the turn and all that the runtime has started; pressed twice it does not wait for the runtime to go by itself.

Without --access the runtime may read in this folder and run commands that only read; --access edit lets it write here.

Exit codes: 0 answered, 1 failed, 2 wrong usage or nothing was started, 124 out of time, 130 cancelled.`;
  static override examples = [
    '<%= config.bin %> run "What changed in the last commit?"',
    '<%= config.bin %> run -r claude --access edit "Fix the typo in README.md"',
    'git diff | <%= config.bin %> run "Review this:" -',
    '<%= config.bin %> run --continue "And now in French"',
    '<%= config.bin %> run -q -r demo hello > answer.txt',
  ];
  static override usage = 'run [PROMPT…] [FLAG…]';
  static override strict = false;
  static override args = { prompt: Args.string({ description: 'what should be done; - is stdin' }) };
  static override flags = forHelp(RUN_FLAGS);

  async run(): Promise<void> {
    this.parsed = true;
    await runRun(this.argv);
  }
}
