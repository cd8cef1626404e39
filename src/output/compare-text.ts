/** Results beside each other for people: each answer as it comes, stacked, then a table of all. */

import { addKnown } from '../text/json.js';
import { harmless, oneLine } from '../text/printable.js';
import { dollars, duration, localTime, tokens } from './figures.js';
import { textTable } from './text-table.js';

interface Shown {
  n: number;
  runtime: string;
  model: string | null;
  status: string;
  error: { code: string; message: string; hint: string | null; resets_at: string | null } | null;
  output: string | null;
  duration_ms: number;
  usage: { input_tokens: number | null; output_tokens: number | null };
  cost_usd: number | null;
  history_id: string | null;
  diff: {
    files: readonly { path: string; added: number | null; removed: number | null }[];
    added: number;
    removed: number;
  } | null;
  check: { exit_code: number | null } | null;
}

/** Lines of an answer, and files of a change, that are shown at once. */
const MOST_LINES = 20;
const MOST_FILES = 12;

const who = ({ runtime, model }: Shown): string => oneLine(model === null ? runtime : `${runtime} ${model}`);
const result = ({ status, error }: Shown): string => (error === null ? status : error.code);

function checkWord({ check }: Shown): string {
  if (check === null) return '-';
  if (check.exit_code === 0) return 'ok';
  return check.exit_code === null ? 'stopped' : `exit ${check.exit_code}`;
}

/** One result: what it cost, the head of the answer, and which files changed. */
export function comparedText(one: Shown, bold: (text: string) => string): string {
  const { input_tokens, output_tokens } = one.usage;
  const figures = [
    result(one),
    duration(one.duration_ms),
    `${tokens(input_tokens)} in, ${tokens(output_tokens)} out`,
    one.cost_usd === null ? 'cost unknown' : dollars(one.cost_usd),
  ];
  const lines = one.output === null ? [] : harmless(one.output).trimEnd().split('\n');
  const rest = lines.length - MOST_LINES;
  const more = one.history_id === null ? '' : `: turnout history show ${one.history_id}`;
  const files = one.diff?.files ?? [];
  return [
    `${bold(`${one.n} ${who(one)}`)} · ${figures.join(' · ')}`,
    ...(one.error === null ? [] : [`error: ${oneLine(one.error.message)}`]),
    ...(one.error?.hint ? [`Try: ${oneLine(one.error.hint)}`] : []),
    ...lines.slice(0, MOST_LINES),
    ...(rest > 0 ? [`(${rest} more lines${more})`] : []),
    ...files
      .slice(0, MOST_FILES)
      .map(
        ({ path, added, removed }) => `  ${oneLine(path)}  ${added === null ? 'binary' : `+${added} -${removed ?? 0}`}`,
      ),
    ...(files.length > MOST_FILES ? [`  and ${files.length - MOST_FILES} more files`] : []),
    '',
    '',
  ].join('\n');
}

/** @param checked whether there was a check */
export function comparisonTable(all: readonly Shown[], checked: boolean): string {
  const rows = all.map((one) => [
    String(one.n),
    who(one),
    one.error?.resets_at ? `${result(one)}, back ${localTime(one.error.resets_at)}` : result(one),
    duration(one.duration_ms),
    tokens(addKnown(one.usage.input_tokens, one.usage.output_tokens)),
    one.cost_usd === null ? 'unknown' : dollars(one.cost_usd),
    one.diff === null ? '-' : String(one.diff.files.length),
    one.diff === null ? '-' : `+${one.diff.added} -${one.diff.removed}`,
    ...(checked ? [checkWord(one)] : []),
  ]);
  const head = ['#', 'RUNTIME', 'RESULT', 'TIME', 'TOKENS', 'COST', 'FILES', 'LINES', ...(checked ? ['CHECK'] : [])];
  return textTable([head, ...rows]) + sameFiles(all);
}

/** Files that more than one of them changed. */
function sameFiles(all: readonly Shown[]): string {
  const by = new Map<string, number[]>();
  for (const { n, diff } of all) for (const { path } of diff?.files ?? []) by.set(path, [...(by.get(path) ?? []), n]);
  const shared = [...by].filter(([, numbers]) => numbers.length > 1);
  if (shared.length === 0) return '';
  return `Changed by several: ${shared.map(([path, numbers]) => `${oneLine(path)} (${numbers.join(', ')})`).join(', ')}\n`;
}
