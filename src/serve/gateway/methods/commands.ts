/** What a person types behind a slash: our own commands, and those of the session's program. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import { byId } from '../../../registry/registry.js';
import { needSession } from '../find.js';
import { turnsOf } from '../history.js';
import { type Asking, type Methods, method } from '../method.js';
import { text } from '../params.js';
import { CODE, RpcError } from '../rpc.js';
import { ABOUT } from './about.js';
import { SESSIONS } from './sessions.js';
import { setModel } from './settings.js';
import { TURNS } from './turns.js';

interface Command {
  name: string;
  description: string;
  aliases?: readonly string[];
  category: string;
}

const OWN: readonly Command[] = [
  { name: 'help', description: 'Show available commands', category: 'Info' },
  { name: 'status', description: 'Show the session, its model and its tokens', category: 'Info' },
  { name: 'usage', description: 'Show the tokens of the session', category: 'Info' },
  { name: 'model', description: 'Show or set the model: /model NAME or /model RUNTIME:NAME', category: 'Session' },
  { name: 'title', description: 'Show or set the title: /title NAME', category: 'Session' },
  { name: 'retry', description: 'Send the last prompt again', category: 'Session' },
  { name: 'undo', description: 'Take the last prompt back', category: 'Session' },
  {
    name: 'branch',
    description: 'Go on in a copy of the session: /branch NAME',
    aliases: ['fork'],
    category: 'Session',
  },
  { name: 'compress', description: 'Shorten what the model is told', aliases: ['compact'], category: 'Session' },
  {
    name: 'queue',
    description: 'Send a prompt after the current turn: /queue TEXT',
    aliases: ['q'],
    category: 'Session',
  },
  { name: 'steer', description: 'Guide the current turn: /steer TEXT', category: 'Session' },
  { name: 'stop', description: 'Interrupt the current turn', aliases: ['interrupt'], category: 'Session' },
];

const find = (name: string): Command | undefined =>
  OWN.find((one) => one.name === name || one.aliases?.includes(name) === true);

/** `/model x`, or its parts. */
function split(line: string): { name: string; arg: string } {
  const [, name = '', arg = ''] = /^\s*\/?(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  return { name: name.toLowerCase(), arg: arg.trim() };
}

async function programsCommands({ gateway, caller }: Asking, session: string | undefined): Promise<Command[]> {
  const record = session === undefined ? null : await gateway.core.sessions.get(session, caller);
  const runner = record ? byId(record.runtime, gateway.core.runners) : null;
  return (runner?.commands ?? []).map(({ name, description }) => ({
    name,
    description,
    category: runner?.title ?? '',
  }));
}

function catalog(commands: readonly Command[]): JsonObject {
  const pairs = commands.map(({ name, description }) => [`/${name}`, description]);
  const categories = [...new Set(commands.map(({ category }) => category))];
  return {
    pairs,
    sub: {},
    canon: Object.fromEntries(
      commands.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [`/${alias}`, `/${name}`] as const)),
    ),
    categories: categories.map((name) => ({
      name,
      pairs: commands
        .filter(({ category }) => category === name)
        .map((command) => [`/${command.name}`, command.description]),
    })),
    skill_count: 0,
    warning: '',
  };
}

async function all(asking: Asking, session: string | undefined): Promise<Command[]> {
  const more = await programsCommands(asking, session);
  return [...OWN, ...more.filter(({ name }) => find(name) === undefined)];
}

/** Calls another method for the same client. */
async function call(asking: Asking, methods: Methods, name: string, values: JsonObject): Promise<JsonObject> {
  const found = methods[name];
  const result = await found?.handle(asking, values, Object.keys(values));
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? result : {};
}

/** What it says, for people. @throws {RpcError} */
async function run(asking: Asking, session_id: string, line: string): Promise<JsonObject> {
  const { name, arg } = split(line);
  const session = await needSession(asking, session_id);
  const of: JsonObject = { session_id };
  switch (find(name)?.name) {
    case 'help': {
      const commands = await all(asking, session_id);
      return { output: commands.map((one) => `/${one.name}  ${one.description}`).join('\n') };
    }
    case 'status':
      return { output: (await call(asking, ABOUT, 'session.status', of))['output'] ?? '' };
    case 'usage': {
      const usage = await call(asking, ABOUT, 'session.usage', of);
      const shown = ['input', 'output', 'total'].map((key) => `${key}: ${String(usage[key] ?? 'unknown')}`);
      return { output: shown.join('\n') };
    }
    case 'model': {
      if (arg === '') return { output: `Current model: ${session.chosen?.model ?? 'default'} (${session.runtime})` };
      const { value, provider } = await setModel(asking, session_id, arg);
      return { output: `Model: ${String(value)} (${String(provider)})` };
    }
    case 'title': {
      const { title } = await call(asking, ABOUT, 'session.title', arg === '' ? of : { ...of, title: arg });
      return { output: `Title: ${String(title ?? '')}` };
    }
    case 'undo': {
      const { removed } = await call(asking, TURNS, 'session.undo', of);
      return { output: `Removed ${String(removed)} messages.` };
    }
    case 'branch': {
      const made = await call(asking, SESSIONS, 'session.branch', arg === '' ? of : { ...of, name: arg });
      return { output: `Branch: ${String(made['title'])}`, session_id: made['session_id'] ?? null };
    }
    case 'compress':
      await call(asking, TURNS, 'session.compress', of);
      return { output: 'Compressed.' };
    case 'stop': {
      const { interrupted } = await call(asking, TURNS, 'session.interrupt', of);
      return { output: interrupted === true ? 'Interrupted.' : 'Nothing runs.' };
    }
    case 'steer':
    case 'queue':
    case 'retry':
      return dispatch(asking, name, arg, session_id);
    default:
      return programCommand(asking, session_id, name, arg);
  }
}

/** A command of the program is a prompt that it understands. @throws {RpcError} */
async function programCommand(asking: Asking, session_id: string, name: string, arg: string): Promise<JsonObject> {
  const known = (await programsCommands(asking, session_id)).some((one) => one.name === name);
  if (!known) throw new RpcError(CODE.staleTarget, `not a quick/plugin/bundle/skill command: ${name}`);
  return { type: 'send', message: [`/${name}`, arg].join(' ').trim(), output: '' };
}

/** What a client is to do with a command. @throws {RpcError} */
async function dispatch(asking: Asking, name: string, arg: string, session_id: string): Promise<JsonObject> {
  switch (find(name)?.name) {
    case undefined:
      return programCommand(asking, session_id, name, arg);
    case 'queue':
      return { type: 'send', message: arg };
    case 'steer': {
      const { status } = await call(asking, TURNS, 'session.steer', { session_id, text: arg });
      return { type: 'exec', output: status === 'queued' ? `Steer queued: ${arg}` : 'No turn runs.' };
    }
    case 'retry':
    case 'undo': {
      const record = await needSession(asking, session_id);
      const last = (await turnsOf(asking.gateway.core, record, asking.caller)).at(-1)?.run;
      if (!last) return { type: 'exec', output: 'Nothing was sent yet.' };
      if (find(name)?.name === 'retry') return { type: 'send', message: last.prompt };
      const { removed } = await call(asking, TURNS, 'session.undo', { session_id });
      return { type: 'prefill', message: last.prompt, notice: `Undid 1 turn (${String(removed)} messages).` };
    }
    default:
      return { type: 'exec', ...(await run(asking, session_id, `/${name} ${arg}`)) };
  }
}

export const COMMANDS: Methods = {
  'commands.catalog': method({ session_id: text, profile: text }, async (asking, { session_id }) =>
    catalog(await all(asking, session_id)),
  ),
  'command.resolve': method({ name: text, session_id: text }, async (asking, { name = '', session_id }) => {
    const wanted = name.replace(/^\//, '');
    const found = find(wanted) ?? (await programsCommands(asking, session_id)).find((one) => one.name === wanted);
    if (!found) throw new RpcError(CODE.unknownCommand, `unknown command: ${name}`);
    return { canonical: found.name, description: found.description, category: found.category };
  }),
  'command.dispatch': method(
    { name: text, arg: text, command: text, session_id: text, profile: text },
    async (asking, values) => {
      const { name, arg } = split(values.command ?? [values.name ?? '', values.arg ?? ''].join(' '));
      return dispatch(asking, name, arg, (await needSession(asking, values.session_id)).session_id);
    },
  ),
  'slash.exec': method({ command: text, session_id: text, profile: text }, async (asking, values) =>
    run(asking, (await needSession(asking, values.session_id)).session_id, values.command ?? ''),
  ),
  'complete.slash': method({ text, session_id: text }, async (asking, values) => {
    const [, typed] = /^\/(\S*)$/.exec(values.text ?? '') ?? [];
    if (typed === undefined) return { items: [], replace_from: 1 };
    const found = (await all(asking, values.session_id)).filter(({ name }) => name.startsWith(typed));
    return {
      items: found.map(({ name, description }) => ({ text: `${name} `, display: `/${name}`, meta: description })),
      replace_from: 1,
    };
  }),
  'complete.path': method({ word: text, text, session_id: text }, () => ({ items: [], replace_from: 0 })),
};
