/** The address of an engine as people may see it: without user, password and options. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'the engine';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
