/** Variables for the runtime. Values are never shown in messages: they may be keys. */

import type { Kind } from './kinds.js';
import type { Place } from './place.js';

type Env = Readonly<Record<string, string>>;

function checkName(name: string, at: Place): string {
  if (name === '' || /[=\s\0]/.test(name)) throw at.fault('form', 'the name of a variable is empty or has blanks');
  return name;
}

function checkValue(name: string, value: unknown, at: Place): string {
  if (typeof value !== 'string') throw at.fault('type', `expected a string as the value of ${name}`);
  if (value.includes('\0')) throw at.fault('form', `the value of ${name} holds a NUL character`);
  return value;
}

/** @param line goes in front of what is wrong */
function pair(text: string, at: Place, line = ''): [string, string] {
  const sign = text.indexOf('=');
  if (sign < 0) throw at.fault('form', `${line}expected KEY=VALUE, there is no "="`);
  const name = text.slice(0, sign);
  if (name === '' || /[\s\0]/.test(name)) {
    throw at.fault('form', `${line}the name in front of "=" is empty or has blanks`);
  }
  return [name, checkValue(name, text.slice(sign + 1), at)];
}

/** Pairs on the command line, where the last of a name wins; an object elsewhere. */
export const env: Kind<Env> = {
  text: (text, at) => Object.fromEntries([pair(text, at)]),
  texts: (texts, at) => Object.fromEntries(texts.map((text, index) => pair(text, at.in(index)))),
  value(given, at) {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw at.fault('type', 'expected an object of strings');
    const entries = Object.entries(given).map(([name, value]: [string, unknown]): [string, string] => [
      checkName(name, at),
      checkValue(name, value, at.in(name)),
    ]);
    return Object.fromEntries(entries);
  },
  print: () => null,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

/** `KEY=VALUE` lines; blank lines and lines that begin with `#` are skipped. Quotes belong to the value. */
export function envLines(content: string, at: Place): Env {
  const entries: [string, string][] = [];
  for (const [index, raw] of content.split('\n').entries()) {
    const line = raw.replace(/\r$/, '').trimStart();
    if (line === '' || line.startsWith('#')) continue;
    entries.push(pair(line, at, `line ${index + 1}: `));
  }
  return Object.fromEntries(entries);
}
