import type { Asked, Said } from './types.js';

/** What the newest prompt orders, and how far the conversation has come since. */
export interface Directive {
  name: string;
  rest: string;
  /** The whole message, for keys and counts. */
  prompt: string;
  /** Tool rounds answered since the prompt. */
  rounds: number;
  /** The tool results of the newest round. */
  results: Said[];
  /** User texts that came after the prompt: steering, or a request to repair an answer. */
  later: string[];
  /** Earlier user texts that carried an order of their own. */
  before: string[];
}

const pattern = /SCENARIO:([\w-]+)[ \t]*([^\r\n]*)/;

/** How our auditor's prompt begins, and the verdict that the model gives. */
const AUDIT = /^Judge a change that another agent made\./m;
const ACCEPT = JSON.stringify({ verdict: 'accept', findings: [] });

/** Programs put their own notes into user messages, or in front of them, wrapped in tags; they are no one's words. */
function isNote(text: string): boolean {
  return /^\s*</.test(text) && text.replaceAll(/<([\w-]+)[^>]*>[\s\S]*?<\/\1>/g, '').trim() === '';
}

/** A request beside the conversation (a title, a summary, a classifier) must not run the scenario a second time. */
export function isSideRequest(asked: Asked): boolean {
  if (asked.tools.some((tool) => tool.fence === undefined)) return false;
  const instructions = `${asked.system.slice(0, 3000)}\n${(asked.said.at(-1)?.text ?? '').slice(0, 3000)}`;
  return /\b(title generator|generate a (short |brief |concise )*title|(short|concise) title|summari[sz]e (this|the) conversation|thread title|session title|next_speaker|conversation title|naming a coding session|write the title)\b/i.test(
    instructions,
  );
}

export function readDirective(asked: Asked): Directive | undefined {
  const said = asked.said;
  const at = said.findLastIndex((message) => message.role === 'user' && pattern.test(message.text));
  const prompt = said[at]?.text;
  const match = prompt === undefined ? null : pattern.exec(prompt);
  if (prompt === undefined || match === null) return undefined;
  // The task that an auditor is shown is not its own.
  const [name = '', rest = ''] = AUDIT.test(prompt) ? ['json', `valid ${ACCEPT}`] : match.slice(1);
  const after = said.slice(at + 1);
  let rounds = 0;
  for (const [n, message] of after.entries()) {
    if (message.role === 'tool' && after[n - 1]?.role !== 'tool') rounds += 1;
  }
  const lastOther = after.findLastIndex((message) => message.role === 'assistant');
  const results = after.filter((message, n) => message.role === 'tool' && (n > lastOther || lastOther < 0));
  return {
    name,
    rest: rest.trim(),
    prompt,
    rounds,
    results: results.length > 0 ? results : after.filter((message) => message.role === 'tool').slice(-1),
    later: after.filter((message) => message.role === 'user' && !isNote(message.text)).map((message) => message.text),
    before: said
      .slice(0, at)
      .filter((message) => message.role === 'user' && pattern.test(message.text))
      .map((message) => pattern.exec(message.text)?.[0] ?? ''),
  };
}
