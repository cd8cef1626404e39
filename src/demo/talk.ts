/** Words that only talk. */

import { count, firstWord, leadingJson } from './script.js';
import type { ScriptContext } from './script-context.js';
import type { Word } from './words.js';

const LONG_DELTAS = 1024;
const LONG_DELTA = 64;
const BIG_DELTA = 64 * 1024;
const MIB = 1024 * 1024;

/** Numbered lines of 64 characters, so that a gap or a repetition shows. */
function longLine(n: number): string {
  return (
    `${String(n).padStart(5, '0')} the quick brown fox jumps over the lazy dog again `.padEnd(LONG_DELTA - 1, '.') +
    '\n'
  );
}

export const long: Word = async (context) => {
  for (let i = 0; i < LONG_DELTAS; i++) {
    await context.say(longLine(i));
    if (i % 64 === 63) await context.pause(1);
  }
};

const UNICODE = [
  'Zażółć gęślą jaźń. ',
  '日本語の文章。 ',
  'שלום עולם ',
  'नमस्ते ',
  '👩🏽‍🚀👨‍👩‍👧‍👦🇪🇺 ',
  'e\u0301 \u200B\uFEFF ',
  'line\u2028separator\u2029paragraph ',
  'tab\tquote"backslash\\ ',
  '𝒳🦊𐍈.',
];

export const unicode: Word = async (context) => {
  for (const piece of UNICODE) await context.say(piece);
};

/** How long to think, by `--effort`. */
const THOUGHTS: Readonly<Record<string, number>> = { off: 0, low: 1, medium: 2, high: 4, xhigh: 6, max: 8 };

export const think: Word = async (context) => {
  const thoughts = THOUGHTS[context.prompt.effort ?? 'medium'] ?? 2;
  for (let i = 1; i <= thoughts; i++) await context.think(`Thought ${i}: is it forty-two? `);
  await context.say('It is ');
  await context.say('forty-two.');
};

export const say: Word = async (context, rest) => context.say(rest);

export const slow: Word = async (context, rest) => {
  const deltas = count(rest, 10, 10_000);
  for (let i = 1; i <= deltas; i++) {
    await context.say(`${i} `);
    await context.pause(100);
  }
  await context.say('done.');
};

/** Characters of 1, 2, 3 and 4 bytes at 59 bytes a period, so that a cut at a round number of bytes often hits an inside. */
const BIG_PATTERN = 'abcdefghijklmnopqrstuvwxyz012345 żó €€ 🦊🦊🦊 .';

function bigText(bytes: number): string {
  const size = new TextEncoder().encode(BIG_PATTERN).length;
  const text = BIG_PATTERN.repeat(Math.floor(bytes / size));
  return text + '.'.repeat(bytes - Math.floor(bytes / size) * size);
}

export const big: Word = async (context, rest) => {
  const mib = count(rest, 1, 64);
  if (/\bone\b/.test(rest)) return context.say(bigText(mib * MIB));
  const piece = bigText(BIG_DELTA);
  for (let i = 0; i < (mib * MIB) / BIG_DELTA; i++) await context.say(piece);
};

export const repeat: Word = async (context) => {
  await context.say('The answer is for');
  const dropped = context.message();
  await context.close();
  await context.send({ type: 'retry', attempt: 1, max: 2, delay_ms: 10, reason: 'other' });
  await context.pause(10);
  await context.say('The answer is ', { replaces: dropped });
  await context.say('forty-two.', { replaces: dropped });
};

export const remember: Word = async (context) => {
  if (context.history.length === 0) return context.say('This is the first prompt of the session.');
  await context.say(`Earlier prompts: ${context.history.length}`);
  for (const [i, text] of context.history.entries()) await context.say(`\n${i + 1}. ${text}`);
};

export const system: Word = async (context) =>
  context.say(
    context.prompt.system === null ? 'There is no system prompt.' : `System prompt: ${context.prompt.system}`,
  );

const SECRET = /key|token|secret|passw|credential|auth/i;

export const env: Word = async (context, rest) => {
  const [name] = firstWord(rest);
  const value = process.env[name];
  if (value === undefined) return context.say(`${name} is not set.`);
  await context.say(SECRET.test(name) ? `${name} is set (not shown).` : `${name} is set to: ${value}`);
};

/** `json A else B` gives B to the next prompt segment of the session: a host that asks again after a bad answer gets it. */
export const json: Word = async (context, rest) => context.say(leadingJson(rest)?.json ?? rest);

function secondTry(history: readonly string[]): string | undefined {
  const last = history.at(-1)?.trim();
  if (!last?.startsWith('json ')) return undefined;
  const after = leadingJson(last.slice(5).trim())?.rest.trim();
  return after?.startsWith('else ') ? leadingJson(after.slice(5).trim())?.json : undefined;
}

const SHOWN = 200;

/** Answers what is no word of the script. */
export async function answerSegment(context: ScriptContext, text: string): Promise<void> {
  const again = secondTry(context.history);
  if (again !== undefined) return context.say(again);
  const asked = /\bsingle word:?\s+["'`“]?([A-Za-z]+)/i.exec(text)?.[1];
  if (asked !== undefined) return context.say(asked);
  const points = Array.from(text.slice(0, SHOWN * 2));
  const quoted = points.length > SHOWN ? `${points.slice(0, SHOWN).join('')}…` : points.join('');
  for (const delta of ['Hello! ', 'This is the demo runtime; ', 'no model is behind it. ', 'You said: ', quoted]) {
    await context.say(delta);
  }
}
