/** A chat of lines that are only ever added: for screen readers, for terminals that can't move a cursor, and for pipes. */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UsageError } from '../contract/error.js';
import { askedThings } from '../terminal/asked.js';
import { type Transcript, transcript } from '../terminal/transcript.js';
import { oneLine } from '../text/printable.js';
import { type Choosable, runCommand } from './commands.js';
import type { ChatRoom } from './interactive.js';
import { readPrompt } from './prompt.js';

const WORDS: readonly { words: readonly string[]; key: string }[] = [
  { words: ['1', 'y', 'yes'], key: 'y' },
  { words: ['2', 'n', 'no'], key: 'n' },
  { words: ['3', 'a', 'always'], key: 'a' },
];
const AGAIN_MS = 2000;

/**
 * @param why the mode is on, for its first line
 * @param put writes lines
 * @returns the exit code: of the last turn where stdin ended, 0 when the person left
 */
export async function plainChat(
  room: ChatRoom,
  input: Readable,
  put: (text: string) => void,
  why: string,
): Promise<number> {
  const { chat, look, past, cwd } = room;
  const asked = askedThings((frame) => chat.frame(frame), look.paint, false);
  const lines = createInterface({ input, terminal: false });
  let spoken: Transcript | null = null;
  let pictures: string[] = [];
  let picking: { choices: readonly Choosable[]; resolve(value: string | null): void } | null = null;
  const queue: string[] = [];
  const people = 'isTTY' in input && input.isTTY === true;
  let open = true;
  let code = 0;
  let left = false;
  let wake = () => {};
  let lastInterrupt = Number.NEGATIVE_INFINITY;

  const print = (more: readonly string[]) => {
    for (const line of more) if (line.trim() !== '') put(`${line}\n`);
  };
  const ask = (more: readonly string[]) => {
    if (more.length === 0) return;
    print(spoken?.closed() ?? []);
    if (asked.now() === null) return print(more);
    const [first = '', ...rest] = more;
    print([
      `${asked.now() === 'permission' ? 'permission required' : 'question'}: ${first.replace(/^\? /, '')}`,
      ...rest,
    ]);
    if (asked.now() === 'permission') print(['answer: 1 yes, 2 no, 3 always']);
  };
  const leave = () => {
    left = true;
    lines.close();
    picking?.resolve(null);
    wake();
  };
  const ui = {
    print,
    attach: (path: string) => void pictures.push(path),
    leave,
    pick(title: string, choices: readonly Choosable[]): Promise<string | null> {
      if (choices.length === 0) return Promise.resolve(null);
      print([title, ...choices.map(({ label, hint = '' }, index) => `  ${index + 1} ${label} ${hint}`.trimEnd())]);
      print(['answer with a number; empty changes nothing']);
      return new Promise((resolve) => {
        picking = { choices, resolve };
        typedAhead();
        // Nobody will choose.
        if (!open) resolve(null);
      });
    },
  };
  const talk = async (text: string, command: boolean): Promise<void> => {
    const images = pictures;
    pictures = [];
    const prompt = readPrompt(text, cwd, images, command);
    const talk = transcript(look, true);
    spoken = talk;
    code = await chat.send(prompt, (event) => {
      talk.hear(event);
      ask(asked.hear(event));
      print(talk.closed());
      typedAhead();
    });
    spoken = null;
  };
  const say = async (text: string): Promise<void> => {
    past.add(text);
    print([`you: ${text}`]);
    const command = /^\/\S/.test(text.trim());
    if (command && (await runCommand(text, { chat, ui, runners: room.runners, cwd }))) return;
    try {
      await talk(command ? text.trim() : text, command);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      code = 2;
      print([`error: ${error.message}`]);
    }
  };
  const picked = (typed: string) => {
    const chosen = picking;
    picking = null;
    chosen?.resolve(chosen.choices[Number(typed.trim()) - 1]?.value ?? null);
  };
  /** @returns whether somebody waited for it */
  const answered = (typed: string): boolean => {
    if (picking !== null) picked(typed);
    else if (asked.now() !== null) reply(typed);
    else return false;
    return true;
  };
  const reply = (typed: string): void => {
    const now = asked.now();
    if (now === 'question') return ask(asked.answer(typed));
    if (now === 'permission') {
      const found = WORDS.find(({ words }) => words.includes(typed.trim().toLowerCase()));
      return found ? ask(asked.press(found.key)) : print(['answer: 1 yes, 2 no, 3 always']);
    }
  };
  /** Lines of a pipe answer what is asked meanwhile. Those of a person were typed before the question was there. */
  function typedAhead(): void {
    if (people) return;
    while (queue.length > 0 && (picking !== null || asked.now() !== null)) answered(queue.shift() ?? '');
    // Nobody will answer.
    if (!open && asked.now() !== null) chat.frame({ v: 1, type: 'cancel' });
  }
  lines.on('line', (typed) => {
    if ((people || queue.length === 0) && answered(typed)) return;
    if (typed.trim() !== '' || !people) queue.push(typed);
    wake();
    typedAhead();
  });
  lines.on('close', () => {
    open = false;
    typedAhead();
    picking?.resolve(null);
    wake();
  });
  const interrupted = () => {
    if (chat.working()) return chat.cancel();
    if (performance.now() - lastInterrupt < AGAIN_MS) return leave();
    lastInterrupt = performance.now();
    print(['Ctrl-C again leaves']);
  };
  const ended = () => {
    chat.cancel();
    leave();
  };
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', ended);
  process.on('SIGHUP', ended);

  const { runtime, access } = chat.settings();
  print([
    `plain mode: lines alone, since ${why}`,
    `turnout chat with ${oneLine(runtime)} in ${oneLine(cwd)} (access: ${access}); /help lists commands, /exit leaves`,
  ]);
  if (room.first !== '') queue.push(room.first);
  while (!left) {
    const next = queue.shift();
    if (next !== undefined && next.trim() === '') continue;
    if (next !== undefined) await say(next);
    else if (!open) break;
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await chat.close();
  return left ? 0 : code;
}
