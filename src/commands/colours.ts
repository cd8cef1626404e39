/** Whether a terminal wants colours: NO_COLOR (no-color.org) says no, then FORCE_COLOR yes, 0 and false no. */
export function wantsColours(stream: { isTTY?: boolean }): boolean {
  const forced = process.env['FORCE_COLOR'];
  if (forced !== undefined && !process.env['NO_COLOR']) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}
