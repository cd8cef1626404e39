/** `--listen` and `--port` of the HTTP transport. */

export interface Address {
  host: string;
  port: number;
}

export const PORT = 8889;

/** @returns null when the text is no `host:port` */
export function readAddress(text: string): Address | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]/]*)):(\d{1,5})$/i.exec(text);
  if (!found) return null;
  const port = Number(found[3]);
  const host = found[1] ?? found[2] ?? '';
  return port > 65_535 ? null : { host: host === '' ? '127.0.0.1' : host, port };
}

export const shownAddress = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
