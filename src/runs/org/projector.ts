/** The events of a turn → the lines of its org's log. Messages that come in pieces are put together. */

import type { Event } from '../../contract/event.js';
import type { OrgEvent } from '../../contract/org.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { addKnown } from '../../text/json.js';
import { cutUtf8 } from '../../text/truncate.js';

/** Bytes of a message, and of what a tool was given: a line stays far below the 4 MiB that its readers take. */
const MESSAGE = 512 * 1024;
const INPUT = 64 * 1024;
const SUMMARY = 4096;

export type OrgBody = Omit<OrgEvent, 'id' | 'ts' | 'org' | 'run'>;

interface Message {
  id: string;
  parent: string | undefined;
  pieces: string[];
}

const bounded = (input: JsonObject | null): JsonObject => {
  const text = JSON.stringify(input ?? {});
  return Buffer.byteLength(text) <= INPUT ? (input ?? {}) : { input_truncated: cutUtf8(text, INPUT).text };
};
const whole = (value: number | null | undefined): number | null => (value == null ? null : Math.round(value));

/** @returns what hears the events of one run in their order, and says which lines each adds */
export function projector(role: string): (event: Event) => OrgBody[] {
  let message: Message | null = null;
  let said = '';
  let at = 'idle';
  const inputs = new Map<string, JsonObject>();
  /** Open permission questions, by the call they are about. */
  const asked = new Map<string, { id: string; name: string }>();

  function spoken(): OrgBody[] {
    if (message === null) return [];
    const { parent, pieces } = message;
    message = null;
    const { text, cut } = cutUtf8(pieces.join(''), MESSAGE);
    if (text === '') return [];
    if (parent === undefined) said = text;
    const data = {
      ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
      ...(cut ? { msg_truncated: true } : {}),
    };
    return [{ type: 'chat', from: role, msg: text, ...(Object.keys(data).length > 0 ? { data } : {}) }];
  }
  function become(to: string): OrgBody[] {
    if (at === to) return [];
    const from = at;
    at = to;
    return [{ type: 'status', from: role, reason: 'state-change', data: { from, to } }];
  }
  const gate = ({ id, name }: { id: string; name: string }, reason: string, data: JsonObject): OrgBody => ({
    type: 'gate',
    from: role,
    tool: name,
    reason,
    msg: `${role} asks to use ${name}`,
    data: { id, ...data },
  });
  function lines(event: Event): OrgBody[] {
    switch (event.type) {
      case 'start':
        return [
          { type: 'status', msg: 'org started (1 agents)', data: { pid: event.pid, runtime: event.runtime } },
          { type: 'status', from: role, msg: 'session starting' },
        ];
      case 'session':
        return [{ type: 'trace', from: role, reason: 'session', data: { session_id: event.session_id } }];
      case 'status': {
        const { phase, message: msg, code } = event;
        if (msg === undefined) return [];
        return [{ type: 'status', from: role, msg, reason: code ?? phase }];
      }
      case 'tool_call':
        return [
          { type: 'tool', from: role, tool: event.name, decision: 'allow', data: { input: bounded(event.args) } },
        ];
      case 'tool_activity': {
        if (event.phase === 'start') {
          inputs.set(event.id, bounded(event.input));
          return become('tool-call');
        }
        const input = inputs.get(event.id) ?? {};
        inputs.delete(event.id);
        const { name, ok, duration_ms, denied } = event;
        const decision = denied === true ? 'deny' : 'allow';
        const question = asked.get(event.id);
        asked.delete(event.id);
        return [
          ...(question ? [gate(question, 'answered', { decision })] : []),
          { type: 'tool', from: role, tool: name, decision, data: { input, ok, duration_ms } },
        ];
      }
      case 'permission_request':
        if (event.tool_use_id !== undefined) asked.set(event.tool_use_id, event);
        return [gate(event, 'permission', { kind: event.kind, input: bounded(event.input), choices: event.choices })];
      case 'question': {
        const { id, title, questions, url } = event;
        const msg = title ?? questions[0]?.question ?? url ?? '';
        return [{ type: 'gate', from: role, reason: 'question', msg: cutUtf8(msg, SUMMARY).text, data: { id } }];
      }
      case 'subagent':
        return [
          { type: 'trace', from: role, reason: `subagent-${event.phase}`, data: { tool_use_id: event.tool_use_id } },
        ];
      case 'usage': {
        const { input_tokens, output_tokens, cached_tokens, cost_usd } = event;
        const [tokens_in, tokens_out] = [whole(input_tokens), whole(output_tokens)];
        const data = {
          tokens: addKnown(tokens_in, tokens_out),
          tokens_in,
          tokens_out,
          cache_read: whole(cached_tokens),
          cost_usd,
          subtype: 'delta',
        };
        return [{ type: 'usage', from: role, data }];
      }
      case 'patch': {
        const files = event.files.slice(0, 100).map(({ path, status }) => ({ path, status }));
        return [{ type: 'asset', from: role, reason: 'patch', data: { workspace: event.workspace, files } }];
      }
      case 'error':
        return [{ type: 'audit', from: role, reason: event.code, msg: event.message }];
      case 'done': {
        const { exit_code, stop_reason } = event;
        const data = { outcome: 'success', summary: cutUtf8(said, SUMMARY).text };
        return [
          ...become('idle'),
          { type: 'status', from: role, msg: 'session ended' },
          ...(exit_code === 0 ? [{ type: 'status', from: role, reason: 'org-complete', data } as const] : []),
          { type: 'status', reason: 'org-stopped', data: { closedBy: closedBy(exit_code, stop_reason), exit_code } },
        ];
      }
      case 'assistant':
      case 'thinking':
      case 'tool_result':
      case 'plan':
      case 'result':
        return [];
      default: {
        const never: never = event;
        throw new Error(`unknown event ${JSON.stringify(never)}`);
      }
    }
  }
  return (event) => {
    if (event.type !== 'assistant') return [...(event.type === 'thinking' ? [] : spoken()), ...lines(event)];
    const { message_id: id, parent_tool_use_id: parent, replaces, text } = event;
    if (message && replaces === message.id) message = null;
    const before = message && message.id !== id ? spoken() : [];
    message ??= { id, parent, pieces: [] };
    message.pieces.push(text);
    return [...become('working'), ...before];
  };
}

/** Why a run ended, in the words of the original: `org-complete` alone means success. */
export function closedBy(exitCode: number | null, stopReason: string | null): string {
  if (exitCode === 0) return 'org-complete';
  if (stopReason === 'interrupted') return 'crash-handler';
  return stopReason === 'cancelled' ? 'stopped' : (stopReason ?? 'error');
}
