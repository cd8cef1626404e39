/** Hands the command line to oclif: finds the command, or says which one may have been meant. */

import { fileURLToPath } from 'node:url';
// Not '@oclif/core' itself, which loads all of it and checks the Node version by reading files that a bundle lacks.
import { Config } from '@oclif/core/config';
import { run } from '@oclif/core/run';
import { UsageError } from '../contract/error.js';
import { passSuspension } from '../process/suspension.js';
import { nearestWords } from '../text/nearest.js';
import { fail } from './failure.js';

/** The project folder, seen from dist/. */
function projectFolder(): string {
  return fileURLToPath(new URL('.', import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 1)));
}

/** On Windows oclif starts a program to find out which shell we run in, unless it is told. Programs we start are not. */
async function loadConfig(): Promise<Config> {
  const tell = process.platform === 'win32' && process.env['SHELL'] === undefined;
  if (tell) process.env['SHELL'] = 'cmd.exe';
  try {
    return await Config.load({ root: projectFolder() });
  } finally {
    if (tell) delete process.env['SHELL'];
  }
}

/** A word behind a command that takes none: oclif would look for a command of that name. */
function stray(command: readonly string[], word: string | undefined, config: Config): UsageError | null {
  const found = config.findCommand(command.join(':'));
  if (word === undefined || !found || found.strict === false || Object.keys(found.args ?? {}).length > 0) return null;
  const shown = JSON.stringify(word.slice(0, 60));
  return new UsageError(`unexpected argument ${shown}`, { hint: `turnout ${command.join(' ')} --help` });
}

/** Why the command line names no command, or null when oclif can go on. */
function complaint(argv: readonly string[], config: Config): UsageError | null {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = end < 0 ? argv : argv.slice(0, end);
  const named = words.findLastIndex((_, index) => config.findCommand(words.slice(0, index + 1).join(':')));
  if (named >= 0) return stray(words.slice(0, named + 1), words[named + 1], config);
  // Version flags that other programs have.
  if (words.length === 0 && argv[0] !== undefined && VERSION_WORDS.includes(argv[0]))
    return new UsageError(`unknown flag ${argv[0]}; did you mean --version?`, { hint: 'turnout --version' });
  const typed = words.join(' ');
  const isTopic = words.length === 0 || config.findTopic(words.join(':')) !== undefined;
  const help = argv.length === words.length || argv.includes('--help') || argv.includes('-h');
  if (isTopic && help) return null;
  const known = config.commandIDs.map((id) => id.replaceAll(':', ' '));
  if (isTopic) {
    const which = typed === '' ? known : known.filter((id) => id.startsWith(`${typed} `));
    return new UsageError(`a command is missing: ${which.join(', ')}`, { hint: 'turnout --help' });
  }
  const [first = ''] = words;
  const topics = [...new Set(known.map((id) => id.split(' ')[0] ?? ''))];
  const [whole] = nearestWords(typed, known, 1);
  // A command that is one word below a topic: exec, scan, models.
  const below = VERSION_WORDS.includes(typed) ? '--version' : known.find((id) => id === `agent ${first}`);
  const [guess = below ?? whole] =
    whole === undefined && below === undefined && !topics.includes(first) ? nearestWords(first, topics, 1) : [];
  // Where the first word alone is wrong, the rest is a prompt or a command of that topic.
  const wrong = (whole === undefined || below !== undefined) && guess !== undefined ? first : typed;
  const shown = JSON.stringify(wrong.slice(0, 80));
  // Somebody may have begun with the prompt.
  const hint = guess === undefined && words.length > 1 ? `turnout run ${shown}` : 'turnout --help';
  return new UsageError(`unknown command ${shown}${guess === undefined ? '' : `; did you mean ${guess}?`}`, { hint });
}

const VERSION_WORDS: readonly string[] = ['version', '-v', '-V'];

/** Runs every command but exec. Errors that are not the caller's are thrown. */
export async function dispatch(argv: readonly string[]): Promise<void> {
  const config = await loadConfig();
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  const wrong = complaint(words, config);
  if (wrong) return fail(wrong, argv.includes('--json'));
  passSuspension();
  await run(words, config);
}
