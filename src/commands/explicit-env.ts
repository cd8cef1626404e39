/** `--env` and `--env-file`: variables for the runtime. Values are never shown in messages: they may be keys. */

import { UsageError } from '../contract/error.js';

function pair(text: string, where: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 0) throw new UsageError(`${where}: expected KEY=VALUE, there is no "="`);
  const key = text.slice(0, at);
  if (key === '' || /[\s\0]/.test(key))
    throw new UsageError(`${where}: the name in front of "=" is empty or has blanks`);
  if (text.includes('\0')) throw new UsageError(`${where}: the value of ${key} holds a NUL character`);
  return [key, text.slice(at + 1)];
}

/** The last of several with the same name wins. */
export function envFromFlags(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, index) => pair(value, `--env (number ${index + 1})`)));
}

/** `KEY=VALUE` lines; blank lines and lines that begin with `#` are skipped. Quotes belong to the value. */
export function envFromFile(content: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [index, raw] of content.split('\n').entries()) {
    const line = raw.replace(/\r$/, '').trimStart();
    if (line === '' || line.startsWith('#')) continue;
    entries.push(pair(line, `--env-file: line ${index + 1}`));
  }
  return Object.fromEntries(entries);
}
