/** Whether a terminal wants colours (no-color.org). */
export function wantsColours(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}
