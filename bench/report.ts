/** The figures as a table for the terminal and as docs/performance.md. */

import { cpus, totalmem } from 'node:os';
import { type Figure, isMet } from './figure.js';

function verdict(figure: Figure): string {
  if (figure.value === null) return 'SKIPPED';
  const met = isMet(figure);
  if (met === null) return '';
  return met ? 'met' : 'NOT MET';
}

export function forTerminal(figures: readonly Figure[]): string {
  return figures
    .map((figure) =>
      [
        `${verdict(figure).padEnd(8)} ${figure.what}`,
        `${''.padEnd(9)}${figure.shown}${figure.target === undefined ? '' : `   (${figure.target})`}`,
        ...(figure.note === undefined ? [] : [`${''.padEnd(9)}${figure.note}`]),
      ].join('\n'),
    )
    .join('\n');
}

function machine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, ${memory}, ${process.platform} ${process.arch}`;
}

/** @param tried what is written by hand */
export function asPage(figures: readonly Figure[], runs: number, date: Date, tried: string): string {
  const rows = figures.map(({ note = '', ...figure }) =>
    [figure.what, figure.shown, figure.target ?? '', verdict(figure), note].join(' | '),
  );
  return `# Performance

<!-- Written by \`npm run bench\`; the part below the table comes from bench/tried.md. -->

A host starts turnout for every turn, so most figures are ratios to what cannot be avoided: \`node -e 0\`, the same program
run alone, the same bytes only split and parsed. Both sides are measured in turns in one run, medians of at least ${runs}.

Measured on ${date.toISOString().slice(0, 10)} with Node ${process.version} on ${machine()}.

| what | measured | target | | beside it |
|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}

${tried.trim()}
`;
}
