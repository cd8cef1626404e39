/** The words a prompt may begin with. `docs/demo.md` shows each with an example. */

import { tool, tools } from './caller-tools.js';
import type { End } from './dialect.js';
import { auth, crash, cut, hang, modelUnavailable, quota, rateLimit, refuse, retry, silent } from './endings.js';
import { ask, native, plan, shell, subagent, write } from './native.js';
import { question } from './questions.js';
import type { ScriptContext } from './script-context.js';
import { big, env, json, long, remember, repeat, say, slow, system, think, unicode } from './talk.js';

/** Plays one step; an end that it gives ends the turn. */
export type Word = (context: ScriptContext, rest: string) => Promise<End | void>;

export const WORDS: ReadonlyMap<string, Word> = new Map([
  ['say', say],
  ['long', long],
  ['unicode', unicode],
  ['think', think],
  ['slow', slow],
  ['big', big],
  ['repeat', repeat],
  ['remember', remember],
  ['system', system],
  ['env', env],
  ['json', json],
  ['shell', native(shell)],
  ['write', native(write)],
  ['ask', native(ask)],
  ['question', question],
  ['plan', native(plan)],
  ['subagent', native(subagent)],
  ['tool', tool],
  ['tools', tools],
  ['hang', hang],
  ['crash', crash],
  ['auth', auth],
  ['quota', quota],
  ['rate-limit', rateLimit],
  ['retry', retry],
  ['model-unavailable', modelUnavailable],
  ['refuse', refuse],
  ['cut', cut],
  ['silent', silent],
]);

export const NAMES: ReadonlySet<string> = new Set(WORDS.keys());
