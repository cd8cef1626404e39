/** Slash commands of a chat. */

import { ACCESS_MODES, EFFORTS } from '../contract/vocabulary.js';
import { thisMachine } from '../discovery/places.js';
import { scan } from '../discovery/scan.js';
import { models, sessions } from '../inspect/list.js';
import { dollars, localTime, tokens } from '../output/figures.js';
import { textTable } from '../output/text-table.js';
import { byId, nearest } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { nearestWords } from '../text/nearest.js';
import { oneLine, shorten } from '../text/printable.js';
import type { ChatSession } from './session.js';

export interface Choosable {
  value: string;
  label: string;
  hint?: string;
}

/** What a command may do with the person. */
export interface CommandUi {
  print(lines: readonly string[]): void;
  /** @returns the value; null when the person changed their mind */
  pick(title: string, choices: readonly Choosable[]): Promise<string | null>;
  attach(path: string): void;
  leave(): void;
}

export interface CommandContext {
  chat: ChatSession;
  ui: CommandUi;
  runners: readonly Runner[];
  cwd: string;
}

interface Command {
  name: string;
  value?: string;
  summary: string;
  /** Words that may follow, for completion. */
  words?: readonly string[];
  run(context: CommandContext, value: string): Promise<void> | void;
}

async function runtime({ chat, ui, runners }: CommandContext, value: string): Promise<void> {
  let id: string | null = value;
  if (value === '') {
    const { agents } = await scan(runners, { places: thisMachine(), installed: true, all: true });
    const found = agents.filter(
      ({ execution_supported, id: one }) => execution_supported && one !== chat.settings().runtime,
    );
    const choices = found.map(({ id: one, version, builtin }) => ({
      value: one,
      label: one,
      hint: builtin ? 'built in' : (version ?? 'version unknown'),
    }));
    if (choices.length === 0) return ui.print(['no other runtime is installed: turnout agent scan']);
    id = await ui.pick('Which runtime?', choices);
  }
  if (id === null) return;
  const runner = byId(id, runners);
  if (!runner) {
    const [guess] = nearest(id, runners);
    return ui.print([`unknown runtime ${oneLine(id)}${guess === undefined ? '' : `; did you mean ${guess}?`}`]);
  }
  chat.change({ runtime: runner.id });
  ui.print([`${runner.id} answers from now on; it is given what was said so far.`]);
}

async function model({ chat, ui, runners, cwd }: CommandContext, value: string): Promise<void> {
  let id: string | null = value;
  if (value === '') {
    const list = await models({ runtime: chat.settings().runtime, runners, cwd });
    if (list.error) return ui.print([oneLine(list.error.message)]);
    if (list.models.length === 0) return ui.print([`${list.runtime} lists no models; name one: /model ID`]);
    id = await ui.pick(
      'Which model?',
      list.models.map(({ id: one, label, default: usual }) => ({
        value: one,
        label: oneLine(one),
        hint: oneLine([label ?? '', usual ? 'default' : ''].filter(Boolean).join(', ')),
      })),
    );
  }
  if (id === null) return;
  chat.change({ model: id });
  ui.print([`The model is ${oneLine(id)} from now on.`]);
}

async function resume({ chat, ui, runners, cwd }: CommandContext, value: string): Promise<void> {
  let id: string | null = value;
  if (value === '') {
    const list = await sessions({ runtime: chat.settings().runtime, runners, cwd });
    if (list.error) return ui.print([oneLine(list.error.message)]);
    if (!list.supported) return ui.print([`the sessions of ${list.runtime} can't be listed; name one: /resume ID`]);
    if (list.sessions.length === 0) return ui.print([`${list.runtime} has no session in ${oneLine(list.cwd)}`]);
    id = await ui.pick(
      'Which session?',
      list.sessions.map(({ id: one, title, time }) => ({
        value: one,
        label: shorten(oneLine(title ?? one), 60),
        hint: time === null ? '' : localTime(time),
      })),
    );
  }
  if (id === null) return;
  chat.begin(id);
  ui.print([`The next prompt continues session ${oneLine(id)}.`]);
}

/** A setting that is one of a few words. */
function word<Word extends string>(
  what: string,
  words: readonly Word[],
  set: (chat: ChatSession, word: Word) => void,
): Command['run'] {
  return async ({ chat, ui }, value) => {
    const typed =
      value === ''
        ? await ui.pick(
            `Which ${what}?`,
            words.map((one) => ({ value: one, label: one })),
          )
        : value;
    if (typed === null) return;
    const found = words.find((one) => one === typed);
    if (found === undefined) return ui.print([`${what} is one of ${words.join(', ')}`]);
    set(chat, found);
    ui.print([`${what}: ${found}`]);
  };
}

function status({ chat, ui, cwd }: CommandContext): void {
  const { runtime: id, model: one, access, effort } = chat.settings();
  const { tokens: used, cost } = chat.spent();
  ui.print(
    textTable([
      ['runtime', id],
      ['model', one ?? "the runtime's own"],
      ['access', access],
      ['effort', effort ?? "the runtime's own"],
      ['session', chat.id() ?? 'none yet'],
      ['folder', oneLine(cwd)],
      ['used', `${tokens(used)} tokens, ${dollars(cost)}`],
    ])
      .trimEnd()
      .split('\n'),
  );
}

export const COMMANDS: readonly Command[] = [
  { name: 'help', summary: 'list these commands and the keys', run: ({ ui }) => ui.print(helpLines()) },
  {
    name: 'new',
    summary: 'begin a new session',
    run: ({ chat, ui }) => {
      chat.begin(null);
      ui.print(['A new session begins with the next prompt.']);
    },
  },
  { name: 'resume', value: '[ID]', summary: 'continue an earlier session of this folder', run: resume },
  { name: 'runtime', value: '[ID]', summary: 'let another runtime answer; it is given what was said', run: runtime },
  { name: 'model', value: '[ID]', summary: 'choose the model', run: model },
  {
    name: 'access',
    value: '[MODE]',
    summary: 'what the runtime may do with its own tools',
    words: ACCESS_MODES,
    run: word('access', ACCESS_MODES, (chat, access) => chat.change({ access })),
  },
  {
    name: 'effort',
    value: '[LEVEL]',
    summary: 'how hard the model thinks',
    words: EFFORTS,
    run: word('effort', EFFORTS, (chat, effort) => chat.change({ effort })),
  },
  {
    name: 'image',
    value: 'PATH',
    summary: 'attach a picture to the next prompt',
    run: ({ ui }, value) => (value === '' ? ui.print(['name a picture: /image PATH']) : ui.attach(value)),
  },
  { name: 'status', summary: 'show runtime, model, session and what was used', run: status },
  { name: 'exit', summary: 'leave', run: ({ ui }) => ui.leave() },
];

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send; while the runtime works: queue'],
  ['Shift+Enter, Ctrl-J', 'new line; a \\ at the end does the same'],
  ['@', 'name a file, whose text goes with the prompt'],
  ['Tab', 'take the completion'],
  ['Up, Down, Ctrl-R', 'earlier prompts'],
  ['Ctrl-V', 'attach the picture of the clipboard'],
  ['Ctrl-C', 'interrupt; clear; twice: leave'],
];

function helpLines(): string[] {
  const commands = COMMANDS.map(({ name, value = '', summary }) => [`/${name} ${value}`.trim(), summary]);
  return textTable([...commands, ...KEYS])
    .trimEnd()
    .split('\n');
}

/**
 * Runs a slash command.
 * @param line begins with a slash
 * @returns false when it is none of ours and may be one of the runtime's own
 */
export async function runCommand(line: string, context: CommandContext): Promise<boolean> {
  const [, name = '', value = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const command = COMMANDS.find((one) => one.name === name || (name === 'quit' && one.name === 'exit'));
  if (command) {
    await command.run(context, value.trim());
    return true;
  }
  const [guess] = nearestWords(
    name,
    COMMANDS.map((one) => one.name),
    1,
  );
  if (guess === undefined) return false;
  context.ui.print([`unknown command /${oneLine(name)}; did you mean /${guess}?`]);
  return true;
}
