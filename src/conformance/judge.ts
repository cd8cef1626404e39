/** What scenarios are written with: calls of the program, and what is looked for in what it printed. */

import type { JsonObject } from '../contract/vocabulary.js';
import { str } from '../text/json.js';
import type { Call, Outcome, Subject } from './subject.js';

const TOOLS = JSON.stringify(
  ['create_nodes', 'lookup'].map((name) => ({
    ...{ name, description: `The tool ${name}.` },
    inputSchema: { type: 'object', properties: { count: { type: 'number' } } },
    input_schema: { type: 'object', properties: { count: { type: 'number' } } },
  })),
);

export const turn = ({ runtime }: Subject, prompt: string, ...more: string[]): string[] => {
  return ['agent', 'exec', '--runtime', runtime, '--prompt', prompt, ...more];
};
export const withTools = (subject: Subject, prompt: string, react: Call['react'], ...more: string[]): Call => ({
  args: [...turn(subject, prompt, '--tools', 'stdio', ...more), '--tools-file'],
  file: TOOLS,
  stdin: 'open',
  ...(react ? { react } : {}),
});
export const result = (id: unknown, text: string, ok = true): JsonObject => {
  return { v: 1, type: 'tool_result', id: String(id), ok, result: { text } };
};
export const of = (outcome: Outcome, type: string): JsonObject[] =>
  outcome.events.filter((event) => event['type'] === type);

/** The first of these that does not hold. */
export function first(...rules: (readonly [holds: boolean, fault: string])[]): string | null {
  return rules.find(([holds]) => !holds)?.[1] ?? null;
}
export const exits = ({ code }: Outcome, wanted: number) =>
  [code === wanted, `exits with ${code}, not ${wanted}`] as const;
export const fails = (outcome: Outcome, code: string) => {
  const codes = of(outcome, 'error').map((event) => event['code']);
  return [codes.includes(code), `has no error ${code} (${codes.join(', ') || 'none at all'})`] as const;
};
export const says = (outcome: Outcome, words: string) => {
  const text =
    str(of(outcome, 'result')[0], 'text') ??
    of(outcome, 'assistant')
      .map((one) => one['text'])
      .join('');
  return [text.includes(words), `does not say “${words}” but “${text.slice(0, 80)}”`] as const;
};
export const noResult = (outcome: Outcome) =>
  [of(outcome, 'result').length === 0, 'has a result all the same'] as const;
