/** What the scripted model says. Checks compare with these, so they are shared and never depend on time or chance. */

export const TEXT_DELTAS = ['Hello ', 'from ', 'the ', 'scripted ', 'model.'] as const;
/** Long enough for its first half to be known again. */
export const CUT_DELTAS = ['The first half of an answer, ', 'which is long enough, ', 'and the second.'] as const;
export const TEXT = TEXT_DELTAS.join('');

export const THOUGHTS = ['Let me ', 'think about ', 'this carefully.'] as const;

/** Cut inside a family emoji, a flag, a combining pair and a right-to-left word, never inside a code point. */
export const UNICODE_DELTAS = [
  'emoji \u{1F600} family \u{1F468}\u200D\u{1F469}',
  '\u200D\u{1F467}\u200D\u{1F466} flag \u{1F3F3}',
  '\uFE0F\u200D\u{1F308} CJK \u6F22\u5B57\u304B\u306A\uD55C\uAD6D\uC5B4 combining e',
  '\u0301 a\u0308 RTL \u05E9\u05DC',
  '\u05D5\u05DD \u0639\u0631\u0628\u0649 separators [\u2028] [\u2029] nbsp[\u00A0] ',
  'math \u{1D54F} quotes "\'` back\\slash tab\t newline\n end.',
] as const;
export const UNICODE = UNICODE_DELTAS.join('');

/** About `size` bytes of numbered lines, so that a lost or doubled piece shows at once. */
export function numberedText(size: number): string {
  const lines: string[] = [];
  for (let length = 0, n = 1; length < size; n += 1) {
    const line = `line ${String(n).padStart(7, '0')} the quick brown fox jumps over the lazy dog\n`;
    lines.push(line);
    length += line.length;
  }
  return `${lines.join('')}end of text`;
}

export const LONG = numberedText(200_000);

export function pieces(text: string, size: number): string[] {
  const points = Array.from(text);
  const result: string[] = [];
  for (let at = 0; at < points.length; at += size) result.push(points.slice(at, at + size).join(''));
  return result;
}

export const SIDE_TEXT = 'Lab session';
export const NO_TOOL = 'NO TOOL MATCHED';
export const HANG_DELTA = 'Waiting ';

/** Keys of the usual forms, so that masking can be seen at work. The server's refusals repeat them, as some gateways do. */
export const KEYS = {
  openai: 'sk-lab0123456789abcdefghijklmnopqrstuvwxyzABCD',
  anthropic: 'sk-ant-api03-lab0123456789abcdefghijklmnopqrstuvwxyzABCD',
  gemini: 'AIzaSyLab0123456789abcdefghijklmnopqrst',
} as const;
