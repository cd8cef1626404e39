/** A chat on a terminal that can move its cursor. */

import type { ReadStream, WriteStream } from 'node:tty';
import { UsageError } from '../contract/error.js';
import type { Event } from '../contract/event.js';
import { dollars, tokens } from '../output/figures.js';
import type { Runner } from '../runner/runner.js';
import { askedThings } from '../terminal/asked.js';
import type { Look } from '../terminal/blocks.js';
import type { Press } from '../terminal/keys.js';
import { safeLines } from '../terminal/question-text.js';
import { region } from '../terminal/region.js';
import { type Transcript, transcript } from '../terminal/transcript.js';
import { tty } from '../terminal/tty.js';
import { oneLine } from '../text/printable.js';
import { clipboardPicture } from './clipboard.js';
import { runCommand } from './commands.js';
import { projectFiles } from './files.js';
import { inputLine } from './input.js';
import type { PastPrompts } from './past-prompts.js';
import { pick } from './pick.js';
import { readPrompt } from './prompt.js';
import { liveRows } from './screen.js';
import type { ChatSession } from './session.js';

export interface ChatRoom {
  chat: ChatSession;
  runners: readonly Runner[];
  cwd: string;
  past: PastPrompts;
  look: Look;
  colours: boolean;
  /** The first prompt, from the command line; empty for none. */
  first: string;
}

const FRAME_MS = 33;
/** How long a second Ctrl-C leaves, and how long keys are not taken for an answer to a question that was not read yet. */
const AGAIN_MS = 2000;
const DEAF_MS = 300;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** @returns the exit code, once the person has left */
export function interactiveChat(room: ChatRoom, input: ReadStream, output: WriteStream): Promise<number> {
  const { chat, look, past, cwd, colours } = room;
  const { paint } = look;
  const asked = askedThings((frame) => chat.frame(frame), paint, colours);
  const live = region(
    (text) => output.write(text),
    () => output.columns || 80,
  );
  let files: readonly string[] = [];
  const line = inputLine(
    () => past.all(),
    () => files,
  );
  let spoken: Transcript | null = null;
  let closed: string[] = [];
  let queue: { shown: string; whole: string }[] = [];
  let pictures: string[] = [];
  let began = 0;
  let hint = '';
  let lastInterrupt = Number.NEGATIVE_INFINITY;
  let askedAt = 0;
  /** Something else draws: a picker, or the shell. */
  let away = false;
  let timer: NodeJS.Timeout | null = null;
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });

  const reduced = process.env['TURNOUT_REDUCED_MOTION'] === '1';
  const status = (): string => {
    if (hint !== '') return hint;
    if (chat.working()) {
      const seconds = Math.floor((performance.now() - began) / 1000);
      const mark = reduced ? '' : `${SPINNER[Math.floor(performance.now() / 100) % SPINNER.length]} `;
      return `${mark}${seconds}s ${spoken?.busy() ?? 'answering'} · Ctrl-C interrupts`;
    }
    const { runtime, model, access } = chat.settings();
    const { tokens: used, cost } = chat.spent();
    const spent = [...(used === null ? [] : [`${tokens(used)} tokens`]), ...(cost === null ? [] : [dollars(cost)])];
    const attached = pictures.length === 0 ? [] : [`${pictures.length} picture${pictures.length === 1 ? '' : 's'}`];
    return [runtime, ...(model === null ? [] : [oneLine(model)]), access, ...spent, ...attached, '/help'].join(' · ');
  };
  const frame = (): void => {
    timer = null;
    if (away) return;
    closed.push(...(spoken?.closed() ?? []));
    const { rows, cursor } = liveRows(
      {
        open: spoken?.open() ?? [],
        status: status(),
        queued: queue.map(({ shown }) => shown),
        keys: asked.now() === 'permission' ? asked.keys() : null,
        prompt: asked.now() === 'question' ? 'answer> ' : '> ',
        secret: asked.secret(),
      },
      line,
      { columns: output.columns || 80, rows: output.rows || 24 },
      paint,
    );
    live.draw({ above: closed, rows, cursor });
    closed = [];
  };
  const dirty = (): void => {
    timer ??= setTimeout(frame, FRAME_MS);
  };
  const print = (lines: readonly string[]): void => {
    closed.push(...lines);
    dirty();
  };
  const ask = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    // What was said before the question stands above it.
    closed.push(...(spoken?.closed() ?? []));
    if (asked.now() !== null) askedAt = performance.now();
    print(lines);
  };

  const hear = (event: Event): void => {
    spoken?.hear(event);
    ask(asked.hear(event));
    dirty();
  };
  const talk = async (text: string, command: boolean): Promise<void> => {
    const images = pictures;
    pictures = [];
    let prompt: ReturnType<typeof readPrompt>;
    try {
      prompt = readPrompt(text, cwd, images, command);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return print([paint('red', error.message), '']);
    }
    spoken = transcript(look, false);
    began = performance.now();
    const tick = setInterval(dirty, reduced ? 1000 : 100);
    try {
      await chat.send(prompt, hear);
    } finally {
      clearInterval(tick);
      closed.push(...spoken.closed(), '');
      spoken = null;
      dirty();
    }
  };
  const terminal = tty(input, output, (press) => pressed(press));
  const outside = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    frame();
    away = true;
    live.clear();
    terminal.close();
    try {
      return await act();
    } finally {
      terminal.open();
      live.forget();
      away = false;
      dirty();
    }
  };
  const context = {
    chat,
    runners: room.runners,
    cwd,
    ui: {
      print: (lines: readonly string[]) => print([...lines, '']),
      pick: (title: string, choices: Parameters<typeof pick>[1]) => outside(() => pick(title, choices)),
      attach: (path: string) => void pictures.push(path),
      leave: () => leave(0),
    },
  };
  const say = async ({ shown, whole: text }: { shown: string; whole: string }): Promise<void> => {
    const [first = '', ...rest] = safeLines(shown);
    print([`${paint('bold', '>')} ${first}`, ...rest.map((one) => `  ${one}`), '']);
    past.add(text);
    const command = /^\/\S/.test(text.trim());
    if (command && (await runCommand(text, context))) return;
    await talk(command ? text.trim() : text, command);
  };
  let talking = false;
  const work = async (): Promise<void> => {
    if (talking) return;
    talking = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await say(next);
    } catch (error) {
      print([paint('red', error instanceof Error ? error.message : String(error)), '']);
    } finally {
      talking = false;
      dirty();
    }
  };
  const submit = (): void => {
    const taken = line.take();
    if (asked.now() === 'question') return ask(asked.answer(taken.whole));
    if (taken.whole.trim() === '' && pictures.length === 0) return;
    queue.push(taken);
    void work();
  };
  const interrupt = (): void => {
    const now = performance.now();
    if (chat.working()) {
      // What was queued is given back, not sent after what was interrupted.
      if (queue.length > 0) line.set(queue.map(({ whole }) => whole).join('\n'));
      queue = [];
      chat.cancel();
      return;
    }
    if (line.draft().text !== '') return line.clear();
    if (now - lastInterrupt < AGAIN_MS) return leave(0);
    lastInterrupt = now;
    hint = 'Ctrl-C again leaves';
    setTimeout(() => {
      hint = '';
      dirty();
    }, AGAIN_MS).unref();
  };
  const paste = async (): Promise<void> => {
    const path = await clipboardPicture();
    if (path === null) print([paint('dim', 'the clipboard holds no picture that can be read here'), '']);
    else pictures.push(path);
    dirty();
  };
  const key = (name: Extract<Press, { kind: 'key' }>['name']): void => {
    if (name === 'suspend') {
      away = true;
      live.clear();
      return terminal.suspend(() => {
        away = false;
        live.forget();
        dirty();
      });
    }
    if (name === 'interrupt' && line.searched() === null) return interrupt();
    if (name === 'escape' && asked.now() === 'question') return ask(asked.decline());
    if (line.key(name)) {
      // The paths of the folder are read when the first is asked for.
      return;
    }
    if (name === 'enter') submit();
    if (name === 'leave' && !chat.working()) leave(0);
    if (name === 'image') void paste();
  };
  function pressed(press: Press): void {
    if (asked.now() === 'permission' && press.kind === 'text') {
      if (performance.now() - askedAt >= DEAF_MS) ask(asked.press(press.text));
    } else if (press.kind === 'text') {
      line.type(press.text);
      if (press.text === '@') {
        void projectFiles(cwd).then((found) => {
          files = found;
          dirty();
        });
      }
    } else if (press.kind === 'paste') line.paste(press.text);
    else key(press.name);
    dirty();
  }

  const resized = () => dirty();
  const ended = (signal: NodeJS.Signals) => leave(signal === 'SIGHUP' ? 129 : 143);
  output.on('resize', resized);
  process.on('SIGTERM', ended);
  process.on('SIGHUP', ended);
  process.on('exit', terminal.close);
  terminal.open();
  const { runtime, access } = chat.settings();
  print([`${paint('bold', 'turnout chat')} with ${oneLine(runtime)} in ${oneLine(cwd)} (access: ${access})`, '']);
  if (room.first !== '') {
    queue.push({ shown: room.first, whole: room.first });
    void work();
  }

  return left.then(async (code) => {
    chat.cancel();
    if (timer) clearTimeout(timer);
    if (chat.id() !== null) closed.push(paint('dim', 'continue: turnout chat --continue'));
    frame();
    if (timer) clearTimeout(timer);
    away = true;
    live.clear();
    terminal.close();
    output.off('resize', resized);
    await chat.close();
    return code;
  });
}
