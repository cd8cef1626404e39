/**
 * A question of the agent → the client's user: as a form where the client shows forms, a single choice otherwise as a
 * permission question, which every client shows. What is no clear answer declines.
 */

import {
  type AgentContext,
  type CreateElicitationRequest,
  type ElicitationPropertySchema,
  methods,
  type PermissionOption,
  type RequestPermissionRequest,
} from '@agentclientprotocol/sdk/unstable';
import type { Answers, QuestionEvent } from '../../contract/question.js';
import { type FormField, questionForm } from '../../text/question-form.js';

export interface InquireOptions {
  client: AgentContext;
  sessionId: string;
  event: QuestionEvent;
  /** The call that asks, as the client knows it. */
  toolCallId: string;
  /** Whether the client shows forms. */
  forms: boolean;
  /** How long the user may think; 0 is for ever. */
  limitMs: number;
  /** Aborted when nobody waits for the answer any more. */
  withdrawn: AbortSignal;
}

function property({ kind, title, description, choices }: FormField): ElicitationPropertySchema {
  const about = { title, ...(description === undefined ? {} : { description }) };
  const titled = choices.map(({ value, label }) => ({ const: value, title: label }));
  switch (kind) {
    case 'text':
      return { type: 'string', ...about };
    case 'one':
      return { type: 'string', ...about, oneOf: titled };
    case 'many':
      return { type: 'array', ...about, items: { anyOf: titled } };
    default: {
      const never: never = kind;
      return never;
    }
  }
}

const DECLINE = 'decline';

/** @returns null for what is not one choice among some */
function optionsOf({ questions, url }: QuestionEvent): PermissionOption[] | null {
  const [only] = questions;
  if (url !== undefined || questions.length !== 1 || only?.choices === undefined) return null;
  if (only.multi_select || only.secret) return null;
  const options = only.choices.map(({ value, label }, index): PermissionOption => {
    return { optionId: `choice-${index}`, name: label ?? value, kind: 'allow_once' };
  });
  return [...options, { optionId: DECLINE, name: 'No answer', kind: 'reject_once' }];
}

/** Never rejects. Null declines; undefined: the question was withdrawn. */
export async function inquire(options: InquireOptions): Promise<Answers | null | undefined> {
  const { client, sessionId, event, toolCallId, limitMs, withdrawn } = options;
  const late = new AbortController();
  const timer = limitMs > 0 ? setTimeout(() => late.abort(), limitMs) : null;
  const how = { cancellationSignal: AbortSignal.any([withdrawn, late.signal]), stopWaitingOnCancel: true };
  try {
    const form = options.forms ? questionForm(event) : null;
    if (form) {
      const { message, fields } = form;
      const properties = Object.fromEntries(fields.map((field) => [field.key, property(field)]));
      const required = fields.filter((field) => field.required).map(({ key }) => key);
      const requestedSchema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) } as const;
      const scope = { sessionId, ...(event.tool_use_id === undefined ? {} : { toolCallId }) };
      const asked: CreateElicitationRequest = { mode: 'form', ...scope, message, requestedSchema };
      const answer = await client.request(methods.client.elicitation.create, asked, how);
      return answer.action === 'accept' && 'content' in answer ? form.read(answer.content) : null;
    }
    const [only] = event.questions;
    const choices = optionsOf(event);
    if (!choices || !only) return null;
    const toolCall = { toolCallId, title: only.question, status: 'pending' as const };
    const asked: RequestPermissionRequest = { sessionId, toolCall, options: choices };
    const { outcome } = await client.request(methods.client.session.requestPermission, asked, how);
    const at = choices.findIndex(({ optionId }) => outcome.outcome === 'selected' && optionId === outcome.optionId);
    const chosen = only.choices?.[at];
    return chosen === undefined ? null : { [only.id]: chosen.value };
  } catch {
    // An error of the client, a time limit: nobody answered.
    return withdrawn.aborted ? undefined : null;
  } finally {
    if (timer) clearTimeout(timer);
  }
}
