/** The sessions that one client has open, and what was chosen for each. */

import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type {
  McpServer as NamedServer,
  SessionConfigOption,
  SessionModeState,
} from '@agentclientprotocol/sdk/unstable';
import { ACCESS_MODES, type AccessMode, EFFORTS, type Effort } from '../../contract/vocabulary.js';
import type { McpServer } from '../../runner/request.js';
import type { Runner } from '../../runner/runner.js';
import type { Given } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import type { SessionChoice, SessionRecord } from '../../runs/records.js';
import { ACP } from './caller.js';
import type { Catalog } from './catalog.js';
import { failure, invalid, noSession, refused } from './errors.js';
import { type Prompts, prompts } from './prompts.js';
import { mcpServers } from './servers.js';
import { type Choosable, choiceOf, DEFAULT, effortsOf, modeFor, modeIds, modes, options } from './settings.js';

export interface Opened {
  id: string;
  /** As the client spells it. */
  cwd: string;
  servers: readonly McpServer[];
  /** The value of `--runtime`. */
  runtime: string;
  runner: Runner;
  choice: SessionChoice;
  /** What the user allowed for the rest of the session. */
  allowed: Set<string>;
  prompts: Prompts;
}

export interface OpenSessionsOptions {
  core: Core;
  given: Given;
  catalog: Catalog;
  runtime: string;
  access: AccessMode;
  model: string | null;
  effort: Effort | null;
  noFull: boolean;
}

export interface Where {
  cwd: string;
  mcpServers?: readonly NamedServer[];
}

export interface Shown {
  modes: SessionModeState;
  configOptions: SessionConfigOption[];
}

export interface OpenSessions {
  begin(where: Where): Promise<Opened>;
  /** One that was begun before, by us or another process. */
  open(id: string, where: Where): Promise<Opened>;
  fork(id: string, where: Where): Promise<Opened>;
  /** @throws RequestError when it is not open */
  need(id: string): Promise<Opened>;
  get(id: string): Opened | null;
  drop(id: string): void;
  all(): Opened[];
  /** `more`: the models were not known in time; they are when it resolves. */
  shown(one: Opened): Promise<Shown & { more: Promise<void> | null }>;
  setMode(one: Opened, mode: string): Promise<void>;
  setOption(one: Opened, option: string, value: unknown): Promise<void>;
}

/** How long a client waits for the models before it gets the list without them. */
const MODELS_MS = 1500;

function checkFolder(cwd: string): void {
  if (!isAbsolute(cwd)) throw invalid(`cwd must be an absolute path, not ${JSON.stringify(cwd)}`);
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (!found?.isDirectory()) throw invalid(`cwd ${cwd}: ${found ? 'it is not a folder' : 'there is no such folder'}`);
}

export function openSessions(from: OpenSessionsOptions): OpenSessions {
  const { core, catalog, given, noFull } = from;
  const opened = new Map<string, Opened>();

  async function runnerOf(runtime: string, cwd: string): Promise<{ runtime: string; runner: Runner }> {
    const found = await catalog.find(runtime, cwd);
    if (!found) {
      const message = runtime === 'auto' ? 'No agent program was found.' : `There is no runtime called ${runtime}.`;
      throw failure({ code: runtime === 'auto' ? 'missing-binary' : 'no-runner', message, hint: 'turnout agent scan' });
    }
    const { runner, installed } = found;
    if (!installed) {
      const message = `${runner.title} is not installed. Install it: ${runner.installHint}`;
      throw failure({ code: 'missing-binary', message, hint: runner.installHint });
    }
    if (runner.unsupported !== undefined) throw failure({ code: 'unsupported', message: runner.unsupported });
    return { runtime: runtime.startsWith('acp:') ? runtime : runner.id, runner };
  }
  async function put(record: SessionRecord, where: Where, runner: Runner, choice: SessionChoice): Promise<Opened> {
    const one: Opened = {
      id: record.session_id,
      cwd: where.cwd,
      servers: mcpServers(where.mcpServers ?? []),
      runtime: record.runtime,
      runner,
      choice: { ...choice, access: modeFor(choice.access, { runner, noFull }) },
      allowed: new Set(),
      prompts: opened.get(record.session_id)?.prompts ?? prompts(),
    };
    opened.set(one.id, one);
    await core.sessions.set(one.id, { chosen: one.choice }, ACP);
    return one;
  }
  /** For a session that has none of its own. */
  const usual = (): SessionChoice => ({ access: from.access, model: from.model, effort: from.effort });
  async function record(id: string): Promise<SessionRecord> {
    const found = await core.sessions.get(id, ACP);
    if (!found) throw noSession(id);
    return found;
  }
  async function choosable(one: Opened): Promise<Choosable> {
    const { runtime, runner, choice } = one;
    // Ours is for trying things out: who wants it begins with it.
    const installed = (await catalog.installed()).filter(({ id, builtin }) => !builtin || id === from.runtime);
    return { runtime, runner, choice, installed, models: catalog.models(runtime), noFull };
  }
  async function choose(one: Opened, choice: Partial<SessionChoice>): Promise<void> {
    one.choice = { ...one.choice, ...choice };
    await core.sessions.set(one.id, { chosen: one.choice }, ACP);
  }
  async function setMode(one: Opened, wanted: string): Promise<void> {
    const mode = modeIds({ runner: one.runner, noFull }).find((known) => known === wanted);
    if (mode === undefined) {
      const known = ACCESS_MODES.some((name) => name === wanted);
      const why = known ? `${one.runner.title} does not have the mode` : 'unknown mode';
      throw invalid(`${why}: ${JSON.stringify(wanted)}`);
    }
    const { unasked: _unasked, ...kept } = one.choice;
    one.choice = kept;
    await choose(one, choiceOf(mode));
  }
  /** The new runtime knows nothing of the conversation: with the next prompt it is told what was said. */
  async function setRuntime(one: Opened, name: string): Promise<void> {
    if (one.prompts.busy()) throw refused('the agent can be changed once its turn is over');
    const { runtime, runner } = await runnerOf(name, one.cwd);
    if (runtime === one.runtime) return;
    one.runtime = runtime;
    one.runner = runner;
    one.allowed.clear();
    await core.sessions.set(one.id, { runtime, native_id: null }, ACP);
    const { access, effort } = one.choice;
    await choose(one, {
      model: null,
      access: modeFor(access, { runner, noFull }),
      effort: runner.effort ? effort : null,
    });
  }

  return {
    async begin(where) {
      checkFolder(where.cwd);
      const { runtime, runner } = await runnerOf(from.runtime, where.cwd);
      mcpServers(where.mcpServers ?? []);
      const made = await core.sessions.create({ runtime, cwd: where.cwd }, ACP, given);
      return put(made, where, runner, usual());
    },
    async open(id, where) {
      const found = await record(id);
      if (opened.get(id)?.prompts.busy()) throw refused(`session ${id} is answering a prompt`);
      checkFolder(where.cwd);
      const { runtime, runner } = await runnerOf(found.runtime, where.cwd);
      return put({ ...found, runtime }, where, runner, found.chosen ?? usual());
    },
    async fork(id, where) {
      const found = await record(id);
      checkFolder(where.cwd);
      const { runtime, runner } = await runnerOf(found.runtime, where.cwd);
      const made = await core.sessions.fork(id, ACP, given);
      return put({ ...made, runtime }, where, runner, found.chosen ?? usual());
    },
    async need(id) {
      const one = opened.get(id);
      if (one) return one;
      if (!(await core.sessions.get(id, ACP))) throw noSession(id);
      throw noSession(id, `session ${id} is not open: load or resume it first`);
    },
    get: (id) => opened.get(id) ?? null,
    drop: (id) => void opened.delete(id),
    all: () => [...opened.values()],
    async shown(one) {
      const learned = catalog.learnModels(one.runtime);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, MODELS_MS);
      });
      await Promise.race([learned, late]);
      clearTimeout(timer);
      const all = await choosable(one);
      const more = all.models === null ? learned.then(() => {}) : null;
      return { modes: modes(all), configOptions: options(all), more };
    },
    setMode,
    async setOption(one, option, value) {
      if (typeof value !== 'string') throw invalid(`${option}: expected one of its values`);
      const all = await choosable(one);
      switch (option) {
        case 'mode':
          return setMode(one, value);
        case 'model': {
          const known = all.models === null || value === one.choice.model || all.models.some(({ id }) => id === value);
          if (value !== DEFAULT && !known) throw invalid(`${one.runner.title} lists no model ${JSON.stringify(value)}`);
          return choose(one, { model: value === DEFAULT ? null : value });
        }
        case 'effort': {
          const effort = effortsOf(all).find((known) => known === value) ?? null;
          if (effort === null && value !== DEFAULT) throw invalid(`effort is one of ${EFFORTS.join(', ')}`);
          return choose(one, { effort });
        }
        case 'runtime': {
          const known = [one.runtime, from.runtime, ...all.installed.map(({ id }) => id)];
          if (!known.includes(value)) throw invalid(`no agent ${JSON.stringify(value)} is installed`);
          return setRuntime(one, value);
        }
        default:
          throw invalid(`there is no option ${JSON.stringify(option)}`);
      }
    },
  };
}
