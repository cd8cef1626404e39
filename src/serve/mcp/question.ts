/** A permission question of a runtime as a form for the person at the client, and the person's answer. */

import { type ElicitRequestFormParams, inputResponse } from '@modelcontextprotocol/server';
import type { PermissionRequestEvent } from '../../contract/event.js';
import { CHOICES, type Choice } from '../../contract/vocabulary.js';

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

export function formOf(
  question: PermissionRequestEvent,
  where: { runtime: string; cwd: string },
): ElicitRequestFormParams {
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

/** The answer that came with the second try of a call; null when it has none to this question. */
export function answerIn(responses: Record<string, unknown> | undefined, key: string): Answer | null {
  const found = inputResponse(responses, key);
  return found.kind === 'elicit' ? readAnswer(found.action, found.content) : null;
}
