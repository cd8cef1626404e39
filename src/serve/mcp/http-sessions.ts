/** Sessions of clients of the handshake revisions: closed when nobody has used them for a while, or when there are too many. */

import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

type Transport = Pick<WebStandardStreamableHTTPServerTransport, 'close' | 'handleRequest'>;

const IDLE_MS = 60 * 60 * 1000;
const LOOK_MS = 60 * 1000;
const MOST = 1000;

interface Entry {
  transport: Transport;
  used: number;
  /** Responses that are open. */
  open: number;
}

export interface SessionTable {
  put(id: string, transport: Transport): void;
  get(id: string): Transport | null;
  drop(id: string): void;
  /** A request of this session is being answered. @param until is given what to call at its end */
  use(id: string, until: (done: () => void) => void): void;
  close(): Promise<void>;
}

export function sessionTable(limits: { idleMs: number; most: number } = { idleMs: IDLE_MS, most: MOST }): SessionTable {
  const all = new Map<string, Entry>();
  const end = (entry: Entry) => void entry.transport.close().catch(() => {});
  const idle = () => [...all.values()].filter(({ open }) => open === 0).sort((a, b) => a.used - b.used);
  const timer = setInterval(() => {
    const before = Date.now() - limits.idleMs;
    for (const entry of idle()) if (entry.used < before) end(entry);
  }, LOOK_MS);
  timer.unref();
  return {
    put(id, transport) {
      const [oldest] = all.size >= limits.most ? idle() : [];
      if (oldest) end(oldest);
      all.set(id, { transport, used: Date.now(), open: 0 });
    },
    get: (id) => all.get(id)?.transport ?? null,
    drop: (id) => void all.delete(id),
    use(id, until) {
      const entry = all.get(id);
      if (!entry) return;
      entry.open += 1;
      until(() => {
        entry.open -= 1;
        entry.used = Date.now();
      });
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...all.values()].map(({ transport }) => transport.close().catch(() => {})));
    },
  };
}
