// Writes dist/man/turnout.1 from oclif.manifest.json: what `turnout COMMAND --help` says, on one page for `man turnout`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const EXITS = [
  ['0', 'answered, done'],
  ['1', 'failed'],
  ['2', 'wrong usage, or nothing was started'],
  ['124', 'out of time'],
  ['130', 'cancelled'],
];
const VARIABLES = [
  ['ID_CLI_BIN', 'the program of a runtime, such as CLAUDE_CLI_BIN'],
  ['TURNOUT_CONFINE', 'the default of --confine'],
  ['NO_COLOR', 'no colours'],
  ['TURNOUT_SCREEN_READER', '1: chat prints lines alone'],
  ['TURNOUT_REDUCED_MOTION', '1: chat shows no spinner'],
];
const FILES = [
  ['~/.config/turnout/config.json', 'your settings (turnout config)'],
  ['turnout.config.json', "a project's settings"],
  ['~/.local/state/turnout', 'what is kept: history, sessions, private copies, the runs of a server'],
];

/** Text as roff: a backslash, a dash, and a dot or quote at the begin of a line mean something there. */
const unicode = (char) => `\\[u${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/[^ -~\n]/gu, unicode);
const bold = (text) => `\\fB${roff(text)}\\fR`;
const item = (name, text) => `.TP\n${name}\n${roff(text)}\n`;
const named = (text) => text.replaceAll('<%= config.bin %>', 'turnout');

function flagLine([name, { char, type, helpValue, summary = '' }]) {
  const value = type === 'option' ? ` \\fI${roff(String(helpValue ?? 'VALUE'))}\\fR` : '';
  return item(`${char ? `${bold(`-${char}`)}, ` : ''}${bold(`--${name}`)}${value}`, summary);
}

function section([id, { summary = '', description = '', usage, flags = {}, examples = [] }]) {
  const words = `turnout ${id.replaceAll(':', ' ')}`;
  const shown = Object.entries(flags).filter(([, flag]) => !flag.hidden);
  return [
    `.SS ${bold(words)}\n${roff(summary)}\n`,
    usage ? `.PP\n${bold(`turnout ${[usage].flat()[0]}`)}\n` : '',
    description ? `.PP\n${roff(named(description)).replaceAll('\n\n', '\n.PP\n')}\n` : '',
    ...shown.map(flagLine),
    ...(examples.length > 0
      ? [`.PP\nExamples:\n.PP\n.nf\n${examples.map((one) => roff(named(one))).join('\n')}\n.fi\n`]
      : []),
  ].join('');
}

/** @param {string} root the project folder, with oclif.manifest.json */
export function writeMan(root) {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
  // The commands of people come first.
  const first = ['run', 'chat', 'compare', 'history', 'config', 'agent'];
  const rank = (id) => (first.indexOf(id.split(':')[0]) + first.length + 1) % (first.length + 1);
  const order = (a, b) => rank(a[0]) - rank(b[0]) || a[0].localeCompare(b[0]);
  const all = Object.entries(commands)
    .filter(([, { hidden }]) => !hidden)
    .sort(order);
  const page = [
    `.TH TURNOUT 1 "" "turnout ${version}"\n`,
    `.SH NAME\nturnout \\- run any coding agent on your machine\n`,
    '.SH SYNOPSIS\n\\fBturnout\\fR \\fICOMMAND\\fR [\\fIFLAG\\fR...]\n',
    `.SH DESCRIPTION\n${roff(description)}\n`,
    `.SH COMMANDS\n${all.map(section).join('')}`,
    `.SH EXIT STATUS\n${EXITS.map(([code, text]) => item(bold(code), text)).join('')}`,
    `.SH ENVIRONMENT\n${VARIABLES.map(([name, text]) => item(bold(name), text)).join('')}`,
    `.SH FILES\n${FILES.map(([name, text]) => item(`\\fI${roff(name)}\\fR`, text)).join('')}`,
  ].join('');
  mkdirSync(join(root, 'dist', 'man'), { recursive: true });
  writeFileSync(join(root, 'dist', 'man', 'turnout.1'), page);
}
