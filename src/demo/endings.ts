/** Words that end the turn in another way than well. */

import type { End, FailureKind } from './dialect.js';
import { flushed } from './output.js';
import { count, firstWord } from './script.js';
import type { ScriptContext } from './script-context.js';
import type { Word } from './words.js';

function failed(kind: FailureKind, message: string, retryAfterMs?: number): End {
  return {
    type: 'end',
    reason: 'error',
    error: { kind, message, ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }) },
  };
}

/** `hang`: silence until interrupted. `hang hard`: nothing short of a kill ends it. */
export const hang: Word = async (context, rest) => {
  await context.say('Waiting…');
  if (firstWord(rest)[0] !== 'hard') return context.forever();
  process.on('SIGTERM', () => {});
  process.on('SIGINT', () => {});
  setInterval(() => {}, 60_000);
  return new Promise<never>(() => {});
};

/** `crash [code]`, or `crash SIGKILL`: the process ends in the middle of a message. */
export const crash: Word = async (context, rest) => {
  await context.say('About to crash');
  process.stderr.write('demo: crashing, as the prompt asked\n');
  await flushed(process.stdout);
  await flushed(process.stderr);
  if (rest.startsWith('SIGKILL')) process.kill(process.pid, 'SIGKILL');
  process.exit(count(rest, 1, 255));
};

export const auth: Word = async () => failed('auth', 'Invalid credentials: the demo was asked to be logged out.');

/** `quota 500`: there is credit again in 500 ms. */
export const quota: Word = async (_, rest) => {
  const again = firstWord(rest)[0] === '' ? undefined : count(rest, 0, 86_400_000);
  return failed('quota', 'The demo account has no credit left.', again);
};

async function announce(context: ScriptContext, times: number): Promise<void> {
  for (let attempt = 1; attempt <= times; attempt++) {
    await context.send({ type: 'retry', attempt, max: times, delay_ms: 10, reason: 'rate_limit' });
    await context.pause(10);
  }
}

export const rateLimit: Word = async (context, rest) => {
  await announce(context, count(rest, 2, 20));
  return failed('rate_limit', 'Too many requests to the demo.', 30_000);
};

export const retry: Word = async (context, rest) => {
  await announce(context, count(rest, 1, 20));
  await context.say('It worked after all.');
};

export const modelUnavailable: Word = async (context) =>
  failed('model_not_found', `The demo has no model named ${context.prompt.model}.`);

export const refuse: Word = async (context, rest) => {
  if (firstWord(rest)[0] !== 'silently') await context.say('I will not answer that.');
  return { type: 'end', reason: 'refusal' };
};

export const cut: Word = async (context) => {
  await context.say('This answer ends in the middle of a');
  return { type: 'end', reason: 'max_tokens' };
};

export const silent: Word = async (): Promise<End> => ({ type: 'end', reason: 'end_turn' });
