/** What a runtime asks, a permission or a question of its agent, as a form for the person at the client, and the answer. */

import { type ElicitRequestFormParams, inputResponse } from '@modelcontextprotocol/server';
import type { PermissionRequestEvent, QuestionEvent } from '../../contract/event.js';
import { CHOICES, type Choice } from '../../contract/vocabulary.js';
import type { Command } from '../../runs/records.js';
import { type FormField, questionForm } from '../../text/question-form.js';

export type Open = PermissionRequestEvent | QuestionEvent;
type Where = { runtime: string; cwd: string };
type Property = ElicitRequestFormParams['requestedSchema']['properties'][string];

const SHOWN = 2000;
const TITLES: Readonly<Record<Choice, string>> = {
  allow_once: 'Allow this once',
  allow_session: 'Allow for the rest of this run',
  deny: 'Deny',
};

export interface Answer {
  choice: Choice;
  /** Told to the agent. */
  message?: string;
}

/** Everything that will happen is shown, or that something is left out. */
function shown(input: PermissionRequestEvent['input']): string {
  if (input === null) return '';
  const { command } = input;
  const text = typeof command === 'string' ? command : JSON.stringify(input, null, 2);
  return `\n\n${text.length > SHOWN ? `${text.slice(0, SHOWN)}…\n(${text.length - SHOWN} more characters)` : text}`;
}

function property({ kind, title, description, choices }: FormField): Property {
  const about = { title, ...(description === undefined ? {} : { description }) };
  const values = choices.map(({ value }) => value);
  switch (kind) {
    case 'text':
      return { type: 'string', ...about };
    case 'one':
      // Clients of every revision since 2025-06-18 read this form.
      return { type: 'string', ...about, enum: values, enumNames: choices.map(({ label }) => label) };
    case 'many':
      return { type: 'array', ...about, items: { type: 'string', enum: values } };
    default: {
      const never: never = kind;
      return never;
    }
  }
}

/** @returns null for what no form may ask */
export function formOf(open: Open, where: Where): ElicitRequestFormParams | null {
  return open.type === 'permission_request' ? permissionForm(open, where) : inquiryForm(open, where);
}

function inquiryForm(event: QuestionEvent, { runtime, cwd }: Where): ElicitRequestFormParams | null {
  const form = questionForm(event);
  if (form === null) return null;
  const required = form.fields.filter((field) => field.required).map(({ key }) => key);
  return {
    mode: 'form',
    message: `${runtime} in ${cwd} asks: ${form.message}`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(form.fields.map((field) => [field.key, property(field)])),
      ...(required.length > 0 ? { required } : {}),
    },
  };
}

export function permissionForm(question: PermissionRequestEvent, where: Where): ElicitRequestFormParams {
  const choices = CHOICES.filter((choice) => question.choices.includes(choice));
  return {
    mode: 'form',
    message: `${where.runtime} in ${where.cwd} asks for permission: ${question.name}${shown(question.input)}`,
    requestedSchema: {
      type: 'object',
      properties: {
        choice: {
          type: 'string',
          title: 'Answer',
          // Clients of every revision since 2025-06-18 read this form.
          enum: choices,
          enumNames: choices.map((choice) => TITLES[choice]),
        },
      },
      required: ['choice'],
    },
  };
}

/** What a client answered, which nobody has checked. Anything but a clear yes is a no. */
export function readAnswer(action: string, content: unknown): Answer {
  if (action === 'decline') return { choice: 'deny', message: 'the person declined' };
  if (action !== 'accept') return { choice: 'deny', message: 'the person dismissed the question' };
  const given = typeof content === 'object' && content !== null && 'choice' in content ? content.choice : undefined;
  const choice = CHOICES.find((one) => one === given);
  return choice === undefined ? { choice: 'deny', message: 'the answer was not one of the choices' } : { choice };
}

function approving(id: string, { choice, message }: Answer): Command {
  return { type: 'approve', choice, request: id, ...(message === undefined ? {} : { message }) };
}

/** What a client answered, as what is sent to the run. */
export function settling(open: Open, action: string, content: unknown): Command {
  if (open.type === 'permission_request') return approving(open.id, readAnswer(action, content));
  const answers = action === 'accept' ? questionForm(open)?.read(content) : null;
  return { type: 'answer', question: open.id, answers: answers ?? {} };
}

/** What settles a question that nobody can be asked. */
export function unasked(open: Open, why: string): Command {
  if (open.type === 'permission_request') return approving(open.id, { choice: 'deny', message: why });
  return { type: 'answer', question: open.id, answers: {} };
}

/** The answer that came with the second try of a call; null when it has none to this question. */
export function answerIn(responses: Record<string, unknown> | undefined, key: string): Answer | null {
  const found = inputResponse(responses, key);
  return found.kind === 'elicit' ? readAnswer(found.action, found.content) : null;
}

/** The same, as what is sent to the run. */
export function settlingIn(responses: Record<string, unknown> | undefined, open: Open): Command | null {
  const found = inputResponse(responses, open.id);
  return found.kind === 'elicit' ? settling(open, found.action, found.content) : null;
}
