/** The agent that a client sees: what it can do, and which work each request of the protocol leads to. */

import { realpathSync } from 'node:fs';
import {
  type AgentApp,
  type AgentContext,
  agent,
  type InitializeRequest,
  methods,
  type SessionInfo,
} from '@agentclientprotocol/sdk/unstable';
import type { SettingsSource } from '../../contract/vocabulary.js';
import type { Runner } from '../../runner/runner.js';
import type { Given } from '../../runs/clock-and-ids.js';
import type { Core } from '../../runs/core.js';
import { ACP } from './caller.js';
import { invalid } from './errors.js';
import { replay } from './history.js';
import { loginMethods } from './login-methods.js';
import type { Opened, OpenSessions, Where } from './open-sessions.js';
import { modeIdOf } from './settings.js';
import type { Sight } from './shown.js';
import { readSteering, STEERING, steer } from './steering.js';
import { type Telling, telling } from './telling.js';
import { promptTurn } from './turn.js';

export interface AgentOptions {
  core: Core;
  openSessions: OpenSessions;
  given: Given;
  /** The runtime that sessions begin with, when it is known; it need not be installed. */
  first(): Promise<Runner | null>;
  /** As it was asked for. */
  runtime: string;
  settings: readonly SettingsSource[];
  allowRoot: boolean;
  servers: boolean;
  askMs: number;
}

export interface Served {
  app: AgentApp;
  /** Requests that have no answer yet. */
  open(): number;
  /** Cancels every turn. */
  endAll(): void;
}

const PAGE = 50;

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

function sightOf({ clientCapabilities }: InitializeRequest): Sight {
  const terminals = clientCapabilities?._meta?.['terminal_output'] === true;
  const forms = clientCapabilities?.elicitation?.form != null;
  return { notices: clientCapabilities?.session?.notices != null, terminals, forms };
}

export function acpAgent(options: AgentOptions): Served {
  const { core, openSessions, given } = options;
  let sight: Sight = { notices: false, terminals: false, forms: false };
  let open = 0;
  let later: Telling | null = null;
  const told = (client: AgentContext): Telling => {
    later ??= telling(client);
    return later;
  };
  /** Counts a request while it is open. */
  const counted =
    <Context, Answer>(work: (context: Context) => Promise<Answer>) =>
    async (context: Context): Promise<Answer> => {
      open += 1;
      try {
        return await work(context);
      } finally {
        open -= 1;
      }
    };

  /** What follows the answer to the opening of a session: clients ignore updates of one they do not know yet. */
  function introduce(client: AgentContext, one: Opened, models: Promise<void> | null): void {
    const before = one.runtime;
    setImmediate(async () => {
      await commands(client, one);
      await models;
      if (models === null || one.runtime !== before) return;
      const { configOptions } = await openSessions.shown(one);
      await told(client).tell(one.id, { sessionUpdate: 'config_option_update', configOptions });
    });
  }
  async function commands(client: AgentContext, { id, runner }: Opened): Promise<void> {
    const availableCommands = (runner.commands ?? []).map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint === undefined ? {} : { input: { hint } }),
    }));
    if (availableCommands.length > 0)
      await told(client).tell(id, { sessionUpdate: 'available_commands_update', availableCommands });
  }
  async function shown(client: AgentContext, one: Opened) {
    const { more, ...answer } = await openSessions.shown(one);
    introduce(client, one, more);
    return answer;
  }
  async function close(id: string): Promise<void> {
    const one = openSessions.get(id);
    if (!one) return;
    await one.prompts.close();
    openSessions.drop(id);
    const session = await core.sessions.get(id, ACP);
    if (session) await core.letGo(session);
  }
  async function changed(client: AgentContext, one: Opened) {
    const { configOptions } = await openSessions.shown(one);
    return {
      configOptions,
      tell: () => told(client).tell(one.id, { sessionUpdate: 'config_option_update', configOptions }),
    };
  }
  const where = ({ cwd, mcpServers }: Where): Where => ({ cwd, ...(mcpServers ? { mcpServers } : {}) });

  const app = agent({ name: 'turnout' })
    .onRequest(
      methods.agent.initialize,
      counted(async ({ params }) => {
        sight = sightOf(params);
        const runner = await options.first();
        return {
          protocolVersion: 1,
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: runner?.images === true, audio: false, embeddedContext: true },
            mcpCapabilities: { http: true, sse: true },
            sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, fork: {} },
          },
          authMethods: loginMethods(options.runtime, runner, params),
          agentInfo: { name: 'turnout', title: 'Turnout', version: core.version },
          _meta: { steering: { supported: true } },
        };
      }),
    )
    .onRequest(
      methods.agent.authenticate,
      counted(async () => {
        const hint = (await options.first())?.loginHint;
        const reason = hint
          ? `log in with the agent's own program, in a terminal: ${hint}`
          : 'there is nothing to log in to';
        throw invalid(reason);
      }),
    )
    .onRequest(
      methods.agent.session.new,
      counted(async ({ params, client }) => {
        const one = await openSessions.begin(where(params));
        return { sessionId: one.id, ...(await shown(client, one)) };
      }),
    )
    .onRequest(
      methods.agent.session.load,
      counted(async ({ params, client }) => {
        const one = await openSessions.open(params.sessionId, where(params));
        await replay({ core, session: one.id, sight, cwd: one.cwd }, told(client));
        return shown(client, one);
      }),
    )
    .onRequest(
      methods.agent.session.resume,
      counted(async ({ params, client }) => shown(client, await openSessions.open(params.sessionId, where(params)))),
    )
    .onRequest(
      methods.agent.session.fork,
      counted(async ({ params, client }) => {
        const one = await openSessions.fork(params.sessionId, where(params));
        return { sessionId: one.id, ...(await shown(client, one)) };
      }),
    )
    .onRequest(
      methods.agent.session.list,
      counted(async ({ params }) => list(core, params.cwd ?? null, params.cursor ?? null)),
    )
    .onRequest(
      methods.agent.session.close,
      counted(async ({ params }) => {
        await openSessions.need(params.sessionId);
        await close(params.sessionId);
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.delete,
      counted(async ({ params }) => {
        await close(params.sessionId);
        await core.sessions.remove(params.sessionId, ACP);
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.setMode,
      counted(async ({ params, client }) => {
        const one = await openSessions.need(params.sessionId);
        await openSessions.setMode(one, params.modeId);
        await told(client).tell(one.id, { sessionUpdate: 'current_mode_update', currentModeId: modeIdOf(one.choice) });
        await (await changed(client, one)).tell();
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.setConfigOption,
      counted(async ({ params, client }) => {
        const one = await openSessions.need(params.sessionId);
        const before = { mode: modeIdOf(one.choice), runtime: one.runtime };
        await openSessions.setOption(one, params.configId, params.value);
        const { configOptions } = await changed(client, one);
        const currentModeId = modeIdOf(one.choice);
        if (currentModeId !== before.mode)
          await told(client).tell(one.id, { sessionUpdate: 'current_mode_update', currentModeId });
        if (one.runtime !== before.runtime) await commands(client, one);
        return { configOptions };
      }),
    )
    .onRequest(
      methods.agent.session.prompt,
      counted(async ({ params, client, signal }) => {
        // At once where it is open: what ends the session may be on its heels.
        const session = openSessions.get(params.sessionId) ?? (await openSessions.need(params.sessionId));
        const { settings, allowRoot, servers, askMs } = options;
        const more = { core, given, session, blocks: params.prompt, client, telling: told(client), sight };
        return session.prompts.add(() => promptTurn({ ...more, settings, allowRoot, servers, askMs }), signal);
      }),
    )
    .onRequest(
      STEERING,
      readSteering,
      counted(async ({ params }) => steer(await openSessions.need(params.sessionId), params.text)),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      void openSessions.get(params.sessionId)?.prompts.cancel();
    });

  return {
    app,
    open: () => open,
    endAll() {
      for (const one of openSessions.all()) void one.prompts.cancel();
    },
  };
}

/** Sessions that something was said in, last used first. The cursor is the last one that was given. */
async function list(core: Core, cwd: string | null, cursor: string | null) {
  const wanted = cwd === null ? null : realPath(cwd);
  const filter = { limit: Number.MAX_SAFE_INTEGER, ...(wanted === null ? {} : { cwd: wanted }) };
  const all = (await core.sessions.list(filter, ACP)).filter(({ title }) => title !== '');
  const at = cursor === null ? -1 : all.findIndex(({ session_id }) => session_id === cursor);
  if (cursor !== null && at < 0) throw invalid('the cursor is none that was given; list from the beginning');
  const page = all.slice(at + 1, at + 1 + PAGE);
  const sessions: SessionInfo[] = page.map((one) => ({
    sessionId: one.session_id,
    cwd: cwd ?? one.cwd,
    title: one.title,
    updatedAt: new Date(one.updated_at).toISOString(),
  }));
  const last = page.at(-1);
  const more = last !== undefined && at + 1 + PAGE < all.length;
  return { sessions, ...(more ? { nextCursor: last.session_id } : {}) };
}
