/** What all commands share: bad flags become usage errors, and stdout is never cut at exit. */

import { Command } from '@oclif/core/command';
import { CLIError } from '@oclif/core/errors';
import { TurnoutError, UsageError } from '../contract/error.js';
import { nearestWords } from '../text/nearest.js';
import { fail } from './failure.js';
import { print } from './print.js';

/** oclif's complaint about the command line as ours; other errors stay what they are. */
function translate(error: unknown, flags: readonly string[], id: string): unknown {
  if (!(error instanceof CLIError)) return error;
  const hint = `turnout ${id.replaceAll(':', ' ')} --help`;
  const unknown = 'flags' in error && Array.isArray(error.flags) ? error.flags.map(String) : [];
  const [typed] = unknown;
  if (typed !== undefined) {
    const name = typed.replace(/=.*$/s, '');
    const [guess] = nearestWords(name, flags, 1);
    return new UsageError(`unknown flag ${name}${guess === undefined ? '' : `; did you mean ${guess}?`}`, { hint });
  }
  return new UsageError(error.message.replace(/\nSee more help with --help$/, ''), { hint });
}

export abstract class TurnoutCommand extends Command {
  protected override async catch(error: unknown): Promise<void> {
    const flags = Object.keys(this.ctor.flags ?? {}).map((name) => `--${name}`);
    const translated = translate(error, flags, this.id ?? '');
    if (!(translated instanceof TurnoutError)) throw translated;
    await fail(translated, this.argv.includes('--json'));
  }

  protected print(text: string): Promise<void> {
    return print(text);
  }
}
