/** A permission question as clients are asked it. What is allowed here never outlives the turn. */

import type { PermissionRequestEvent } from '../../contract/event.js';
import type { Choice, Json, JsonObject } from '../../contract/vocabulary.js';
import type { RunRecord } from '../../runs/records.js';
import { str } from '../../text/json.js';
import { toolLabel } from '../../view/tool-label.js';
import { CODE, RpcError } from './rpc.js';

const WORDS: Readonly<Record<Choice, string>> = { allow_once: 'once', allow_session: 'session', deny: 'deny' };

/** In the words of the protocol; the same for the request and the event. */
export function approvalShown(run: RunRecord, event: PermissionRequestEvent): JsonObject {
  const command = event.kind === 'shell' ? str(event.input ?? {}, 'command') : undefined;
  const label = toolLabel(event, run.cwd);
  const choices = event.choices.map((choice) => WORDS[choice]);
  return {
    command: command ?? label,
    description: label,
    choices,
    allow_permanent: false,
    allow_session: choices.includes('session'),
    tool_name: event.name,
    tool_kind: event.kind,
    input: event.input,
    ...(event.tool_use_id === undefined ? {} : { tool_id: event.tool_use_id }),
  };
}

/** The choice that a word of a client stands for. @throws {RpcError} it was not offered */
export function chosen({ choices }: PermissionRequestEvent, word: Json | undefined): Choice {
  const found = choices.find((choice) => WORDS[choice] === word);
  if (found !== undefined) return found;
  const offered = choices.map((choice) => WORDS[choice]).join(', ');
  throw new RpcError(CODE.badParam, `choice: expected ${offered}; the question stays open`);
}
