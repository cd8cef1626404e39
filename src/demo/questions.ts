/** The word that asks a person something. */

import type { JsonObject } from '../contract/vocabulary.js';
import { count, firstWord } from './script.js';
import type { Word } from './words.js';

/** Words in front of the question that change how it is asked. */
const HOW = ['several', 'other', 'secret', 'required'] as const;

interface Asked {
  questions: JsonObject[];
  timeoutMs: number | undefined;
}

/** Reads `[several] [other] [secret] [required] [within MS] TEXT? red | green & TEXT?`. */
function readAsked(text: string): Asked {
  let timeoutMs: number | undefined;
  const questions = text.split(' & ').map((part, index): JsonObject => {
    let rest = part.trim();
    const how = new Set<string>();
    for (;;) {
      const [word, after] = firstWord(rest);
      if (word === 'within') {
        const [ms, more] = firstWord(after);
        timeoutMs = count(ms, 1000, 3_600_000);
        rest = more;
        continue;
      }
      if (!HOW.some((one) => one === word)) break;
      how.add(word);
      rest = after;
    }
    const mark = rest.indexOf('?') + 1;
    const question = (mark > 0 ? rest.slice(0, mark) : rest).trim() || 'Go on?';
    const values =
      mark > 0
        ? rest
            .slice(mark)
            .split('|')
            .map((one) => one.trim())
        : [];
    const choices = values.filter((one) => one !== '').map((value) => ({ value }));
    return {
      id: `q${index}`,
      question,
      ...(choices.length > 0 ? { choices } : {}),
      ...(how.has('several') ? { multi_select: true } : {}),
      ...(how.has('other') ? { other: true } : {}),
      ...(how.has('secret') ? { secret: true } : {}),
      ...(how.has('required') ? { required: true } : {}),
    };
  });
  return { questions, timeoutMs };
}

export const question: Word = async (context, rest) => {
  const { questions, timeoutMs } = readAsked(rest || 'Which colour? red | green | blue');
  const id = context.tool();
  await context.send({ type: 'tool_start', id, message: context.message(), name: 'ask_user', input: { questions } });
  const answers = await context.askUser(id, questions, timeoutMs);
  const shown = Object.entries(answers ?? {}).map(([key, answer]) => `${key}: ${[answer].flat().join(', ')}`);
  const output = answers === null ? 'Nobody answered.' : shown.join('; ');
  await context.send({ type: 'tool_end', id, ok: answers !== null, output });
  await context.close();
  await context.say(answers === null ? 'Nobody answered my question.' : `You answered: ${output}.`);
};
