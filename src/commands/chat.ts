import * as Args from '@oclif/core/args';
import { TurnoutCommand } from './base.js';
import { CHAT_FLAGS } from './chat-flags.js';
import { forHelp } from './help-flags.js';
import { runChat } from './run-chat.js';

export default class Chat extends TurnoutCommand {
  static override summary = 'Talk with a runtime at the terminal, turn after turn.';
  static override description =
    `The program stays alive between turns, and so does the session. What the access mode does not allow is asked: y, n, or a for always. Shift+Enter or Ctrl-J begins a new line, @ names a file, / a command: /help lists them. /runtime hands the conversation over to another runtime.

Ctrl-C interrupts the turn, clears what is typed, and pressed twice leaves. --plain, TERM=dumb, TURNOUT_SCREEN_READER=1 and a pipe print lines alone. TURNOUT_REDUCED_MOTION=1 stills the spinner.`;
  static override examples = [
    '<%= config.bin %> chat',
    '<%= config.bin %> chat -r claude --access edit "Look at the failing test"',
    '<%= config.bin %> chat --continue',
    '<%= config.bin %> chat -r demo --plain',
  ];
  static override usage = 'chat [PROMPT…] [FLAG…]';
  static override strict = false;
  static override args = { prompt: Args.string({ description: 'the first prompt' }) };
  static override flags = forHelp(CHAT_FLAGS);

  async run(): Promise<void> {
    this.parsed = true;
    await runChat(this.argv);
  }
}
