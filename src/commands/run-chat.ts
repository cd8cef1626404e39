/** `turnout chat`: flags → a chat on this terminal, or one of lines. */

import { homedir } from 'node:os';
import type { ChatRoom } from '../chat/interactive.js';
import { pastPrompts } from '../chat/past-prompts.js';
import { chatSession } from '../chat/session.js';
import { UsageError } from '../contract/error.js';
import { ownCwd } from '../discovery/places.js';
import { knownRunners } from '../exec/known-runners.js';
import { firstLine } from '../exec/stdin-frames.js';
import { highlighter } from '../terminal/highlight.js';
import { painter } from '../terminal/paint.js';
import { type ReadFlags, readArgv } from './argv.js';
import { CHAT_FLAGS } from './chat-flags.js';
import { wantsColours } from './colours.js';
import { tellBroken } from './own-runners.js';
import { readFlags, settingsAt } from './run.js';
import { refuse } from './run-plan.js';

const say = (message: string) => void process.stderr.write(`turnout: ${message}\n`);

/** Why lines alone are printed; null when they are not. */
function plainReason(flags: ReadFlags, configured: boolean): string | null {
  const { stdin, stdout, env } = process;
  if (flags.has('plain')) return '--plain was given';
  if (env['TURNOUT_SCREEN_READER'] === '1') return 'TURNOUT_SCREEN_READER is 1';
  if (configured) return '"plain" is set in the configuration';
  if (env['TERM'] === 'dumb') return 'TERM is dumb';
  return stdin.isTTY && stdout.isTTY ? null : 'this is not a terminal';
}

/** @param argv what stands after `chat` */
export async function runChat(argv: readonly string[]): Promise<void> {
  try {
    process.exit(await chat(argv));
  } catch (error) {
    if (error instanceof UsageError) return refuse(error, false);
    throw error;
  }
}

async function chat(argv: readonly string[]): Promise<number> {
  const flags = readArgv(argv, CHAT_FLAGS, 'turnout chat', { words: true });
  const first = flags.one('prompt') ?? flags.words.join(' ');
  const around = {
    ...{ cwd: ownCwd(), env: process.env, stdin: () => process.stdin, note: say, settings: settingsAt },
    firstLine: (limits: { bytes: number; ms: number }) => firstLine(process.stdin, limits),
    ...{ stdinIsTerminal: true, stdinIsPiped: false },
  };
  const settings = await settingsAt(around.cwd);
  // Each turn brings its own.
  const read = await readFlags(flags, around, async () => ({ text: 'hello', fromStdin: true }));
  const { plan, noColor, history } = read;
  const places = { env: process.env, home: homedir(), platform: process.platform, cwd: plan.request.cwd };
  const known = await knownRunners({ files: plan.runners, places });
  tellBroken(known);
  const why = plainReason(flags, settings.plain);
  const colours = why === null && !noColor && wantsColours(process.stdout);
  const paint = painter(colours);
  const room: ChatRoom = {
    chat: chatSession({ plan, runners: known.runners, ambient: process.env, history, asks: true, note: say }),
    runners: known.runners,
    cwd: plan.request.cwd,
    past: pastPrompts(process.env, say),
    look: { paint, columns: () => process.stdout.columns || 80, highlight: highlighter(paint, colours) },
    colours,
    first,
  };
  if (why !== null) {
    const { plainChat } = await import('../chat/plain.js');
    return plainChat(room, process.stdin, (text) => void process.stdout.write(text), why);
  }
  const { interactiveChat } = await import('../chat/interactive.js');
  return interactiveChat(room, process.stdin, process.stdout);
}
