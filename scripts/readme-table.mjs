// Writes the table of runtimes in README.md from the runners' own data. With --check it only says whether that is due.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptBy, keptInWords } from './kept-by.mjs';
import { loadRunners, root } from './load-runners.mjs';

const BEGIN = '<!-- runtimes: written by scripts/readme-table.mjs -->';
const END = '<!-- /runtimes -->';

const yes = (value) => (value ? 'yes' : '–');
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

function row(runner) {
  const program = runner.builtin ? 'built in' : runner.bins.map((bin) => `\`${bin}\``).join(', ');
  const modes = runner.unsupported
    ? 'not run'
    : keptBy(runner)
        .map(({ mode }) => mode)
        .join(', ');
  return [
    `\`${runner.id}\``,
    program,
    runner.transport,
    modes,
    keptInWords(runner),
    runner.toolTransport === 'none' ? '–' : runner.toolTransport,
    yes(runner.streamsIncrementally),
    yes(runner.resume),
    yes(runner.reportsCost),
    runner.testedVersions.at(-1) ?? '–',
  ].map(cell);
}

const HEAD = [
  'runtime',
  'program',
  'transport',
  'access modes',
  'kept by',
  'your tools',
  'streams',
  'resume',
  'cost',
  'tested with',
];

function table(runners) {
  const lines = [HEAD, HEAD.map(() => '---'), ...runners.map(row)].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

const path = join(root, 'README.md');
const readme = readFileSync(path, 'utf8');
const from = readme.indexOf(BEGIN);
const to = readme.indexOf(END);
if (from < 0 || to < from) throw new Error(`README.md has no ${BEGIN} … ${END}`);
const next = `${readme.slice(0, from)}${BEGIN}\n${table(await loadRunners())}\n${readme.slice(to)}`;
if (process.argv.includes('--check')) {
  if (next !== readme) {
    console.error('The table of runtimes in README.md is not up to date. Run: node scripts/readme-table.mjs');
    process.exitCode = 1;
  }
} else if (next !== readme) writeFileSync(path, next);
