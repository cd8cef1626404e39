/** An event as the line that hosts read. */

import type { Event } from '../contract/event.js';

const ESCAPE = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * JSON and a newline. U+2028 and U+2029 are escaped because some readers take them for line ends; a lone surrogate
 * becomes U+FFFD because strict parsers (serde_json, for one) refuse the escape that JSON.stringify makes of it.
 */
export function eventLine(event: Event): string {
  let line = JSON.stringify(event);
  if (line.includes('\u2028')) line = line.replaceAll('\u2028', '\\u2028');
  if (line.includes('\u2029')) line = line.replaceAll('\u2029', '\\u2029');
  if (line.includes('\\ud')) line = line.replace(ESCAPE, (found) => (found.length > 2 ? '\ufffd' : found));
  return `${line}\n`;
}
