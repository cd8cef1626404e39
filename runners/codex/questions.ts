/** Requests of the app server: permission questions, caller tools, and requests that no one here can answer (0.171.0). */

import type { Answers } from '../../src/contract/question.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Inquiry, Question } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { obj, str } from '../../src/text/json.js';
import type { RpcId, RpcPeer } from '../../src/text/json-rpc.js';
import { elicited } from '../dialects/elicitation.js';
import { notice } from '../dialects/notice.js';
import { decidesEscalations } from './access.js';
import { changedFiles, type NativeCall } from './items.js';
import { unwrapShell } from './shell-wrapper.js';
import { BRIDGE } from './thread.js';
import { declaredName } from './tool-names.js';
import type { TurnView } from './turn-view.js';
import { userAnswers, userInput } from './user-input.js';

type Kind = 'call' | 'command' | 'file' | 'permissions' | 'mcp';
type Reply = (answers: Answers | null) => Json;

interface Pending {
  id: RpcId;
  kind: Kind;
  /** What is granted when permissions were asked for. */
  grant: Json;
}

export interface Questions {
  ask(id: RpcId, method: string, params: JsonObject): Action[];
  answer(key: string, ok: boolean, text: string): Action[];
  decide(key: string, allow: boolean): Action[];
  /** A person's answers. */
  told(key: string, answers: Answers | null): Action[];
  /** How many wait for an answer. */
  open(): number;
  /** Codex no longer waits for an answer. */
  resolved(params: JsonObject): Action[];
}

const DECLINED: Record<Exclude<Kind, 'call'>, Json> = {
  command: { decision: 'decline' },
  file: { decision: 'decline' },
  permissions: { permissions: {}, scope: 'turn' },
  mcp: { action: 'decline', content: null, _meta: null },
};

function accepted(kind: Exclude<Kind, 'call'>, grant: Json): Json {
  switch (kind) {
    case 'command':
    case 'file':
      return { decision: 'accept' };
    case 'permissions':
      return { permissions: grant, scope: 'turn' };
    case 'mcp':
      return { action: 'accept', content: {}, _meta: null };
  }
}

function commandCall(params: JsonObject): NativeCall {
  const host = str(params, 'networkApprovalContext', 'host');
  const command = unwrapShell(str(params, 'command') ?? '');
  const reason = str(params, 'reason');
  const why: JsonObject = reason === undefined ? {} : { description: reason };
  if (host !== undefined) {
    const protocol = str(params, 'networkApprovalContext', 'protocol') ?? 'https';
    return { name: 'network', kind: 'web', input: { url: `${protocol}://${host}`, command, ...why } };
  }
  // Input for a terminal that is already open is not a command of its own.
  if (str(params, 'kind') === 'writeStdin') return { name: 'write_stdin', kind: 'other', input: { command, ...why } };
  const cwd = str(params, 'cwd');
  const where: JsonObject = cwd === undefined ? {} : { cwd };
  return { name: 'exec_command', kind: 'shell', input: { command, ...why, ...where } };
}

export function questions(request: TurnRequest, peer: RpcPeer<unknown>, view: TurnView): Questions {
  const pending = new Map<string, Pending>();
  const asked = new Map<string, { id: RpcId; reply: Reply }>();
  const keyOf = (id: RpcId) => `codex-${id}`;
  const write = (line: string): Action => ({ do: 'write', line });

  const put = (id: RpcId, kind: Exclude<Kind, 'call'>, question: Question, grant: Json = null): Action[] => {
    if (!decidesEscalations(request)) return [write(peer.reply(id, DECLINED[kind]))];
    pending.set(keyOf(id), { id, kind, grant });
    return [{ do: 'ask', key: keyOf(id), question }];
  };
  /** A question about an item: its start is reported first. */
  const putAbout = (id: RpcId, kind: 'command' | 'file', params: JsonObject, asked: NativeCall): Action[] => {
    const toolUseId = str(params, 'itemId') ?? keyOf(id);
    const told = view.told(toolUseId, str(params, 'threadId') ?? '', asked);
    return [...told, ...put(id, kind, { toolUseId, ...asked })];
  };
  const askPermissions = (id: RpcId, params: JsonObject): Action[] => {
    const wanted = obj(params, 'permissions') ?? {};
    const reason = str(params, 'reason');
    const input = { permissions: wanted, ...(reason === undefined ? {} : { description: reason }) };
    return put(id, 'permissions', { name: 'request_permissions', kind: 'other', input }, wanted);
  };
  const inquire = (id: RpcId, inquiry: Inquiry, reply: Reply): Action[] => {
    asked.set(keyOf(id), { id, reply });
    return [{ do: 'inquire', key: keyOf(id), inquiry }];
  };
  const elicit = (id: RpcId, params: JsonObject): Action[] => {
    const server = str(params, 'serverName') ?? '';
    const approval = str(params, '_meta', 'codex_approval_kind') === 'mcp_tool_call';
    if (!approval) {
      const form = request.questions === 'stdio' ? elicited(params, 'mcp') : null;
      if (form !== null) {
        return inquire(id, form.inquiry, (answers) => {
          const content = answers === null ? null : form.content(answers);
          return content === null ? DECLINED.mcp : { action: 'accept', content, _meta: null };
        });
      }
      const message = `the MCP server ${server} asked the user something; it was declined`;
      return [write(peer.reply(id, DECLINED.mcp)), notice('question-declined', message)];
    }
    if (server === BRIDGE || request.mcpServers.some((one) => one.name === server)) {
      return [write(peer.reply(id, accepted('mcp', null)))];
    }
    const tool = str(params, '_meta', 'tool_name') ?? '';
    const input = { server, tool, arguments: obj(params, '_meta', 'tool_params') ?? {} };
    return put(id, 'mcp', { name: `mcp__${server}__${tool}`, kind: 'mcp', input });
  };
  const call = (id: RpcId, params: JsonObject): Action[] => {
    const declared = request.tools.map((tool) => tool.name);
    const name = declaredName(str(params, 'tool') ?? '', declared);
    pending.set(keyOf(id), { id, kind: 'call', grant: null });
    return [{ do: 'call', key: keyOf(id), name, args: obj(params, 'arguments') ?? {} }];
  };
  const take = (key: string): Pending | undefined => {
    const found = pending.get(key);
    pending.delete(key);
    return found;
  };

  return {
    ask(id, method, params) {
      switch (method) {
        case 'item/tool/call':
          return call(id, params);
        case 'item/commandExecution/requestApproval':
          return putAbout(id, 'command', params, commandCall(params));
        case 'item/fileChange/requestApproval': {
          const running = view.running(str(params, 'itemId') ?? '');
          return putAbout(
            id,
            'file',
            params,
            running ?? { name: 'apply_patch', kind: 'patch', input: changedFiles(params) },
          );
        }
        case 'item/permissions/requestApproval':
          return askPermissions(id, params);
        case 'mcpServer/elicitation/request':
          return elicit(id, params);
        case 'item/tool/requestUserInput': {
          if (request.questions === 'stdio') return inquire(id, userInput(params), userAnswers);
          const message = 'codex asked the user a question; no one is there to answer it';
          return [write(peer.reply(id, { answers: {} })), notice('question-declined', message)];
        }
        default:
          return [write(peer.fail(id, -32601, `${method} is not supported`)), { do: 'unread', text: method }];
      }
    },
    answer(key, ok, text) {
      const found = take(key);
      if (!found) return [];
      return [write(peer.reply(found.id, { contentItems: [{ type: 'inputText', text }], success: ok }))];
    },
    decide(key, allow) {
      const found = take(key);
      if (!found || found.kind === 'call') return [];
      return [write(peer.reply(found.id, allow ? accepted(found.kind, found.grant) : DECLINED[found.kind]))];
    },
    told(key, answers) {
      const found = asked.get(key);
      if (!found) return [];
      asked.delete(key);
      return [write(peer.reply(found.id, found.reply(answers)))];
    },
    open: () => pending.size + asked.size,
    resolved(params) {
      const id = params['requestId'];
      if (typeof id !== 'number' && typeof id !== 'string') return [];
      return pending.delete(keyOf(id)) || asked.delete(keyOf(id)) ? [{ do: 'withdraw', key: keyOf(id) }] : [];
    },
  };
}
