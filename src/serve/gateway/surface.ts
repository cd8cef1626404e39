/** The gateway over WebSocket at `/api/ws`, and the tickets that let a page in without a token in its address. */

import type { Core } from '../../runs/core.js';
import type { Out } from '../listen/lines.js';
import type { ProblemCode } from '../listen/problem.js';
import type { OtherEvidence, Surface, Wire } from '../listen/surface.js';
import { tickets } from '../listen/tickets.js';
import { type GatewayOptions, gateway } from './gateway.js';
import { peer } from './peer.js';

/** The one subprotocol, and what stands before a ticket that comes as one. */
const PROTOCOL = 'hermes-gateway-v1';
const TICKET = 'hermes-gateway-ticket.';
const TICKET_MS = 30_000;
/** A prompt with pictures. */
const MOST_MESSAGE = 32 * 1024 * 1024;
/** The original answers all of these with one status. */
const HIDDEN: ReadonlySet<ProblemCode> = new Set(['unauthorized', 'not-found']);
/** Bytes that may wait for a client before it is told nothing more, and before nothing more is read of it. */
const HIGH = 256 * 1024;
const MOST_WAITING = 8 * 1024 * 1024;
/** Milliseconds between two looks at what waits. */
const LOOK_MS = 10;

/** A socket as lines go to it. */
function wireOut(wire: Wire, gone: AbortSignal): Out {
  return {
    get closed() {
      return gone.aborted;
    },
    write: (line) => wire.send(line.endsWith('\n') ? line.slice(0, -1) : line),
    async ready() {
      while (wire.waiting > HIGH && !gone.aborted) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
  };
}

const offered = (header: string | undefined): string[] => (header ?? '').split(',').map((one) => one.trim());

export function gatewaySurface(core: Core, options: GatewayOptions): Surface {
  const shared = gateway(core, options);
  const open = tickets(TICKET_MS);

  /** A ticket counts once, wherever it stands. */
  const evidence: OtherEvidence = ({ query, headers }, identify) => {
    const token = query.get('token');
    if (token !== null) return identify(token);
    const protocols = offered(headers['sec-websocket-protocol']);
    const inProtocol = protocols.filter((one) => one.startsWith(TICKET));
    const ticket =
      query.get('ticket') ?? (protocols.includes(PROTOCOL) && inProtocol.length === 1 ? inProtocol[0] : null);
    return ticket == null ? null : open.redeem(ticket.startsWith(TICKET) ? ticket.slice(TICKET.length) : ticket);
  };

  return {
    name: 'gateway',
    under: ['/api'],
    problem: ({ status, code, message }) => ({
      status: HIDDEN.has(code) ? 403 : status,
      body: { error: { code, message } },
    }),
    routes: [
      {
        method: 'POST',
        path: '/api/auth/ws-ticket',
        auth: 'key',
        body: { types: ['application/json'], most: 1024 },
        handle: ({ principal }) => Response.json({ ticket: open.issue(principal), expires_in: TICKET_MS / 1000 }),
      },
    ],
    sockets: [
      {
        path: '/api/ws',
        evidence,
        binary: true,
        most: MOST_MESSAGE,
        // A ticket is never sent back. Others may be offered: older servers looked at none.
        protocol: (protocols) => (protocols.includes(PROTOCOL) ? PROTOCOL : null),
        open({ principal }, wire) {
          const left = new AbortController();
          const out = wireOut(wire, left.signal);
          const one = peer({ gateway: shared, caller: { principal, surface: 'gateway' }, out, heartbeat: true });
          let paused = false;
          return {
            message(text) {
              one.accept(text);
              if (paused || !(one.full || wire.waiting > MOST_WAITING)) return;
              paused = true;
              wire.pause();
              void one.room().then(() => {
                paused = false;
                wire.resume();
              });
            },
            closed() {
              left.abort();
              one.gone();
            },
          };
        },
      },
    ],
  };
}
