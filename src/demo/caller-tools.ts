/** Words that use tools the caller declared. */

import type { JsonObject } from '../contract/vocabulary.js';
import { parseObject } from '../text/json.js';
import { firstWord, leadingJson } from './script.js';
import type { ScriptContext } from './script-context.js';
import type { Word } from './words.js';

interface Call {
  name: string;
  args: JsonObject;
}

/** Reads `NAME {json} & NAME {json}`; arguments may be left out. */
function readCalls(text: string): Call[] {
  const calls: Call[] = [];
  let rest = text.trim();
  while (rest) {
    const [name, after] = firstWord(rest);
    const value = after.startsWith('{') ? leadingJson(after) : undefined;
    calls.push({ name, args: (value && parseObject(value.json)) ?? {} });
    const joint = /&\s*/.exec(value ? value.rest : after);
    rest = joint ? (value ? value.rest : after).slice(joint.index + joint[0].length) : '';
  }
  return calls;
}

async function run(context: ScriptContext, calls: Call[]): Promise<void> {
  const unknown = calls.filter((call) => !context.prompt.tools.includes(call.name));
  for (const call of unknown) await context.say(`There is no tool named ${call.name}. `);
  const wanted = calls.filter((call) => !unknown.includes(call));
  if (wanted.length === 0) return;
  const answers = await context.want(wanted);
  for (const [i, answer] of answers.entries()) {
    await context.say(`${i > 0 ? '\n' : ''}${wanted[i]?.name} ${answer.ok ? 'answered' : 'failed'}: ${answer.text}`);
  }
}

export const tool: Word = async (context, rest) => run(context, readCalls(rest).slice(0, 1));

export const tools: Word = async (context, rest) => run(context, readCalls(rest));
