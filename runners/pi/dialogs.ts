/** Dialogs that pi forwards: ours carry questions and caller tools; no one can answer those of other extensions. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Question } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { obj, parseObject, str } from '../../src/text/json.js';
import { notice } from '../dialects/notice.js';
import { titles } from './extension.js';
import { nativeTool } from './tools.js';

export interface Dialogs {
  /** Whether the extension has said that it is there. */
  greeted(): boolean;
  /** Servers that did not start, by name. */
  failedServers(): ReadonlySet<string>;
  request(record: JsonObject): Action[];
  answer(key: string, ok: boolean, text: string): Action[];
  decide(key: string, allow: boolean, message: string): Action[];
  denied(toolCallId: string): boolean;
  /** Every open dialog is dismissed: an abort waits for them. */
  dismissAll(): Action[];
}

const DIALOGS = new Set(['select', 'confirm', 'input', 'editor']);
const ATTENTION = /^MCP servers need attention:/;

export function dialogs(request: TurnRequest, machine: Machine): Dialogs {
  const title = titles(machine);
  const open = new Map<string, { kind: 'ask' | 'call'; toolCallId: string }>();
  const refused = new Set<string>();
  const failed = new Set<string>();
  let greeted = false;

  const respond = (id: string, answer: JsonObject): Action => ({
    do: 'write',
    line: JSON.stringify({ type: 'extension_ui_response', id, ...answer }),
  });
  const notified = (message: string): Action[] => {
    if (message === title.hello) greeted = true;
    if (ATTENTION.test(message)) {
      for (const line of message.split('\n')) {
        const name = /^ {2}([A-Za-z0-9_-]+): /.exec(line)?.[1];
        if (name !== undefined) failed.add(name);
      }
    }
    return [];
  };
  const ask = (id: string, asked: JsonObject): Action[] => {
    const toolCallId = str(asked, 'id') ?? id;
    const tool = nativeTool(str(asked, 'name') ?? '', obj(asked, 'input') ?? {}, request);
    // Rules for commands are those of a POSIX shell.
    const kind = tool.name === 'powershell' ? 'other' : tool.kind;
    const question: Question = { toolUseId: toolCallId, ...tool, kind };
    open.set(id, { kind: 'ask', toolCallId });
    return [{ do: 'ask', key: id, question }];
  };
  const call = (id: string, called: JsonObject): Action[] => {
    open.set(id, { kind: 'call', toolCallId: str(called, 'id') ?? id });
    return [{ do: 'call', key: id, name: str(called, 'name') ?? '', args: obj(called, 'args') ?? {} }];
  };

  return {
    greeted: () => greeted,
    failedServers: () => failed,
    request(record) {
      const method = str(record, 'method') ?? '';
      const id = str(record, 'id') ?? '';
      if (method === 'notify') return notified(str(record, 'message') ?? '');
      if (!DIALOGS.has(method)) return [];
      const told = parseObject(str(record, 'placeholder') ?? '') ?? {};
      if (method === 'input' && str(record, 'title') === title.ask) return ask(id, told);
      if (method === 'input' && str(record, 'title') === title.call) return call(id, told);
      const message = `an extension of pi asked "${str(record, 'title') ?? ''}"; no one is there to answer it`;
      return [respond(id, { cancelled: true }), notice('question-declined', message)];
    },
    answer(key, ok, text) {
      if (open.get(key)?.kind !== 'call') return [];
      open.delete(key);
      return [respond(key, { value: JSON.stringify({ ok, text }) })];
    },
    decide(key, allow, message) {
      const one = open.get(key);
      if (one?.kind !== 'ask') return [];
      open.delete(key);
      if (!allow) refused.add(one.toolCallId);
      return [respond(key, { value: JSON.stringify({ allow, message }) })];
    },
    denied: (toolCallId) => refused.has(toolCallId),
    dismissAll() {
      const ids = [...open.keys()];
      open.clear();
      return ids.map((id) => respond(id, { cancelled: true }));
    },
  };
}
