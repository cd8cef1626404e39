/** Keys and pastes of a terminal in raw mode. What Node's readline does not know is read or dropped before it sees it. */

import { emitKeypressEvents, type Key as ReadlineKey } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Edit } from './editor.js';

export type KeyName =
  | 'enter'
  | 'newline'
  | 'tab'
  | 'escape'
  | Edit
  | 'up'
  | 'down'
  | 'interrupt'
  | 'leave'
  | 'suspend'
  | 'search'
  | 'clear'
  | 'image';

export type Press = { kind: 'text'; text: string } | { kind: 'paste'; text: string } | { kind: 'key'; name: KeyName };

const PASTE_BEGINS = '\u001b[200~';
const PASTE_ENDS = '\u001b[201~';
/** Shift+Enter of kitty and of xterm, Alt+Enter: a new line, not the end of the text. */
const NEWLINES = ['\u001b[13;2u', '\u001b[27;2;13~', '\u001b\r'];
/** Reports and keys that readline would let through as text: mouse, focus, CSI u, modifyOtherKeys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is read
const UNKNOWN = /\u001b\[(?:<[\d;]*[Mm]|M[\s\S]{3}|[IO]|\d+(?:;\d+)*u|27(?:;\d+)*~|\?[\d;]*[a-zA-Z])/g;
/** More characters at once than anybody types: a paste into a terminal without bracketed paste. */
const BURST = 16;

const CTRL: Readonly<Record<string, KeyName>> = {
  a: 'home',
  b: 'left',
  c: 'interrupt',
  d: 'leave',
  e: 'end',
  f: 'right',
  j: 'newline',
  k: 'delete-rest',
  l: 'clear',
  n: 'down',
  p: 'up',
  r: 'search',
  u: 'delete-line',
  v: 'image',
  w: 'delete-word',
  z: 'suspend',
};

const PLAIN: Readonly<Record<string, KeyName>> = {
  return: 'enter',
  enter: 'newline',
  tab: 'tab',
  escape: 'escape',
  backspace: 'backspace',
  delete: 'delete',
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  home: 'home',
  end: 'end',
};

const JUMPS: Readonly<Record<string, KeyName>> = {
  left: 'word-left',
  right: 'word-right',
  b: 'word-left',
  f: 'word-right',
  backspace: 'delete-word',
  return: 'newline',
  enter: 'newline',
};

function named(key: ReadlineKey): KeyName | null {
  const { name = '', ctrl, meta } = key;
  if (meta || (ctrl && (name === 'left' || name === 'right'))) return JUMPS[name] ?? null;
  if (ctrl) return CTRL[name] ?? null;
  return PLAIN[name] ?? null;
}

const asPasted = (text: string): string => text.replace(/\r\n?/g, '\n');

/**
 * Hears a terminal until it is told to stop.
 * @param input in raw mode, with bracketed paste switched on
 * @returns a function that stops hearing
 */
export function hearKeys(input: Readable, press: (press: Press) => void): () => void {
  const decoder = new StringDecoder('utf8');
  const known = new PassThrough();
  emitKeypressEvents(known);
  known.on('keypress', (text: string | undefined, key: ReadlineKey) => {
    const name = named(key);
    if (name !== null) return press({ kind: 'key', name });
    if (text !== undefined && !key.ctrl && !key.meta && text >= ' ' && text !== '\u007f') press({ kind: 'text', text });
  });
  let pasted: string | null = null;
  const typed = (text: string) => {
    if (text === '\u001b') return press({ kind: 'key', name: 'escape' });
    let rest = text;
    for (const newline of NEWLINES) rest = rest.replaceAll(newline, '\n');
    rest = rest.replace(UNKNOWN, '');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a text that holds a line end, and no other key
    if (rest.length > BURST && /[\r\n]./.test(rest) && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(rest)) {
      return press({ kind: 'paste', text: asPasted(rest) });
    }
    if (rest !== '') known.write(rest);
  };
  const hear = (bytes: Buffer) => {
    let text = decoder.write(bytes);
    while (text !== '') {
      if (pasted === null) {
        const begins = text.indexOf(PASTE_BEGINS);
        typed(begins < 0 ? text : text.slice(0, begins));
        if (begins < 0) return;
        pasted = '';
        text = text.slice(begins + PASTE_BEGINS.length);
      }
      const whole: string = pasted + text;
      const ends = whole.indexOf(PASTE_ENDS);
      if (ends < 0) {
        pasted = whole;
        return;
      }
      pasted = null;
      press({ kind: 'paste', text: asPasted(whole.slice(0, ends)) });
      text = whole.slice(ends + PASTE_ENDS.length);
    }
  };
  input.on('data', hear);
  return () => {
    input.off('data', hear);
    known.removeAllListeners();
  };
}
