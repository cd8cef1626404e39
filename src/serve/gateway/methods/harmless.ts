/** What clients ask for all the time and we have nothing to say to: an answer that changes nothing, never an error. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import { type Method, type Methods, method } from '../method.js';
import { any, flag, list, text, whole } from '../params.js';
import { CODE, RpcError } from '../rpc.js';

const always = (answer: JsonObject): Method => method({ session_id: text, profile: text }, () => ({ ...answer }));

/** A shell of this machine is not ours to give. */
const blocked = (what: string): JsonObject => ({
  blocked: true,
  code: -1,
  output: '',
  stdout: '',
  stderr: '',
  hint: `${what} are not run here: ask the agent, whose commands are subject to approval`,
});

export const HARMLESS: Methods = {
  ping: always({ pong: true }),
  'gateway.ping': always({ ok: true }),
  'gateway.capabilities': always({
    per_session_exclusive_submit: true,
    event_replay: true,
    server_requests: true,
    server: 'turnout',
  }),
  'pet.cells': always({ enabled: false }),
  'pet.info': always({ enabled: false }),
  'setup.status': always({ provider_configured: true }),
  'setup.runtime_check': always({ ok: true, provider: null, model: null, source: 'turnout' }),
  'input.detect_drop': always({ matched: false }),
  'delegation.status': always({ active: [], paused: false, max_spawn_depth: 0, max_concurrent_children: 0 }),
  'delegation.pause': method({ paused: flag }, () => ({ paused: false })),
  'subagent.list': always({ subagents: [] }),
  'subagent.interrupt': method({ subagent_id: text, session_id: text }, (_, { subagent_id }) => {
    if (subagent_id === undefined) throw new RpcError(CODE.badParam, 'subagent_id required');
    return { found: false, subagent_id };
  }),
  'spawn_tree.list': always({ entries: [] }),
  'agents.list': always({ processes: [] }),
  'process.list': always({ processes: [] }),
  'process.stop': always({ killed: 0 }),
  'reload.env': always({ updated: 0 }),
  'reload.mcp': method({ session_id: text, confirm: flag }, () => ({ status: 'reloaded', servers: 0 })),
  'clipboard.paste': always({ attached: false, message: 'the clipboard belongs to the machine of the client' }),
  'terminal.resize': method({ session_id: text, cols: whole, rows: whole }, (_, { cols = 80 }) => ({ cols })),
  'cli.exec': method({ argv: list, session_id: text }, () => blocked('commands of the command line')),
  'shell.exec': method({ command: text, session_id: text, any }, () => blocked('shell commands')),
  'tools.list': always({ toolsets: [] }),
};
