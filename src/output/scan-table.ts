/** `turnout agent scan` for people: a table, with what a person should know under its row. */

import { styleText } from 'node:util';
import type { Scan, ScanEntry } from '../contract/scan.js';
import { textTable } from './text-table.js';

type Cell = string;

const HEAD: readonly Cell[] = ['RUNTIME', 'VERSION', 'ACCESS', 'TOOLS', 'PROGRAM'];

/** Paths and versions come from the disk: what would move the cursor of a terminal is shown as `?`. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');

function program(entry: ScanEntry): Cell {
  if (entry.builtin) return 'built in';
  return entry.installed ? (entry.binary ?? '') : `not installed: ${entry.install_hint}`;
}

function version(entry: ScanEntry): Cell {
  if (entry.builtin || !entry.installed) return '-';
  return entry.version ?? 'unknown';
}

function cells(entry: ScanEntry): Cell[] {
  const access = entry.execution_supported ? entry.access_modes.join(' ') : '-';
  return [entry.id, version(entry), access, entry.tool_transport, program(entry)].map(printable);
}

function notes(entry: ScanEntry): string[] {
  if (!entry.installed) return (entry.notes ?? []).map(printable);
  const found = [...(entry.notes ?? [])];
  if (entry.execution_unsupported_reason) found.unshift(entry.execution_unsupported_reason);
  if (entry.known_bad !== undefined) found.unshift(`this version is known not to work: ${entry.known_bad}`);
  if (entry.newer_than_tested) found.unshift(`newer than any version tested (${entry.tested_versions.join(', ')})`);
  return found.map(printable);
}

/** @param colours whether the reader is a terminal that wants them */
export function scanTable(scan: Scan, colours: boolean): string {
  const style = (how: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(how, text, { validateStream: false }) : text;
  const rows = scan.agents.map((entry) => ({ entry, cells: cells(entry) }));
  const [head = '', ...table] = textTable([HEAD, ...rows.map((row) => row.cells)]).split('\n');
  const lines = [style('bold', head)];
  for (const [index, row] of rows.entries()) {
    const line = table[index] ?? '';
    lines.push(row.entry.installed ? line : style('dim', line));
    for (const note of notes(row.entry)) lines.push(style('yellow', `  ${note}`));
  }
  if (rows.length === 0) lines.push('No runtime is installed. `turnout agent scan` shows how to install one.');
  return `${lines.join('\n')}\n`;
}
