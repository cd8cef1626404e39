import { connect } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import WebSocket from 'ws';
import { OWNER } from '../../../src/contract/principal.js';
import { keyring } from '../../../src/serve/listen/keys.js';
import type { Surface, Wire } from '../../../src/serve/listen/surface.js';
import { tickets } from '../../../src/serve/listen/tickets.js';
import { opsSurface } from '../../../src/serve/ops/surface.js';
import { stage } from '../../runs/fake-turn.js';
import { head, raw, site, statusOf, TOKEN } from './raw.js';

const guard = {
  identify: keyring([{ secret: TOKEN, principal: OWNER }]),
  hosts: [],
  anyAddress: false,
  origins: ['https://app.test'],
};
const desk = tickets(30_000);

interface Heard {
  surface: Surface;
  wires: Wire[];
  closed: number;
}

/** Echoes with the caller's name; its refusals are all 403. */
function echo(): Heard {
  const heard: Heard = {
    wires: [],
    closed: 0,
    surface: {
      name: 'echo',
      under: ['/api'],
      problem: ({ message }) => ({ status: 403, body: { denied: message } }),
      routes: [],
      sockets: [
        {
          path: '/api/ws',
          most: 1000,
          evidence: ({ query }) => desk.redeem(query.get('ticket') ?? ''),
          protocol: (offered) => (offered.length === 0 ? null : offered.includes('v1') ? 'v1' : false),
          open({ principal, ending }, wire) {
            heard.wires.push(wire);
            ending.addEventListener('abort', () => wire.send('bye'));
            return {
              message: (text) => wire.send(`${principal.name}: ${text}`),
              closed: () => {
                heard.closed += 1;
              },
            };
          },
        },
      ],
    },
  };
  return heard;
}

const open = (url: string, protocols: string[] = [], headers: Record<string, string> = {}) =>
  new WebSocket(url.replace('http', 'ws'), protocols, { headers });
const bearer = { authorization: `Bearer ${TOKEN}` };

/** @returns the status that the upgrade was refused with, or what came first */
function outcome(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(String(response.statusCode)));
    socket.on('open', () => socket.send('hi'));
    socket.on('message', (data) => {
      resolve(`${data.toString()} ${socket.protocol}`);
      socket.close();
    });
    socket.on('error', () => {});
  });
}

test('a socket is opened with a token or a ticket, once, and knows whom it is from', async () => {
  const { surface } = echo();
  const on = await site({ guard, surfaces: [surface] });
  const ws = on.url('/api/ws');
  assert.is(await outcome(open(ws, [], bearer)), 'owner: hi ');
  assert.is(await outcome(open(ws, ['other', 'v1'], bearer)), 'owner: hi v1');
  const ticket = desk.issue({ name: 'ann', kind: 'key' });
  assert.is(await outcome(open(`${ws}?ticket=${ticket}`)), 'ann: hi ');
  assert.is(await outcome(open(`${ws}?ticket=${ticket}`)), '403');
  await on.open.close();
});

test('the guard stands before every upgrade', async () => {
  const { surface, wires } = echo();
  const on = await site({ guard, surfaces: [surface, opsSurface({ core: stage().core })] });
  const ws = on.url('/api/ws');
  assert.is(await outcome(open(ws)), '403');
  assert.is(await outcome(open(ws, ['v2'], bearer)), '403');
  assert.is(await outcome(open(ws, [], { ...bearer, origin: 'https://evil.test' })), '403');
  assert.is(await outcome(open(ws, [], { ...bearer, host: 'evil.test' })), '403');
  assert.is(await outcome(open(on.url('/api/other'), [], bearer)), '403');
  assert.is(await outcome(open(on.url('/elsewhere'))), '401');
  assert.is(await outcome(open(on.url('/elsewhere'), [], bearer)), '404');
  assert.is(wires.length, 0);
  const other = raw(on.open.port, head('GET /health', { Connection: 'Upgrade', Upgrade: 'h2c' }));
  assert.is(statusOf(await other.answer), 400);
  await on.open.close();
});

test('a message too large, binary data and a caller that breaks off end their own socket alone', async () => {
  const heard = echo();
  const on = await site({ guard, surfaces: [heard.surface] });
  const ends = (send: (socket: WebSocket) => void) =>
    new Promise<number>((resolve) => {
      const socket = open(on.url('/api/ws'), [], bearer);
      socket.on('open', () => send(socket));
      socket.on('close', resolve);
    });
  assert.is(await ends((socket) => socket.send('x'.repeat(1001))), 1009);
  assert.is(await ends((socket) => socket.send(Buffer.from([1]))), 1003);
  assert.is(await ends((socket) => socket.terminate()), 1006);
  assert.is(await outcome(open(on.url('/api/ws'), [], bearer)), 'owner: hi ');
  while (heard.closed < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  heard.wires[0]?.send('to nobody');
  await on.open.close();
});

test('at the end of the server open sockets are told, and closed', async () => {
  const { surface } = echo();
  const on = await site({ guard, surfaces: [surface] });
  const socket = open(on.url('/api/ws'), [], bearer);
  await new Promise((resolve) => socket.on('open', resolve));
  const last = new Promise<string>((resolve) => socket.on('message', (data) => resolve(data.toString())));
  const code = new Promise<number>((resolve) => socket.on('close', resolve));
  const closed = on.open.close();
  assert.is(await outcome(open(on.url('/api/ws'), [], bearer)), '403');
  on.open.release();
  assert.equal([await last, await code], ['bye', 1001]);
  await closed;
});

test('a caller that vanished without a word is noticed by its missing pong', async () => {
  const heard = echo();
  const on = await site({ guard, surfaces: [heard.surface], pingMs: 50 });
  const silent = connect(on.open.port, '127.0.0.1');
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  silent.write(head('GET /api/ws', upgrade));
  silent.resume();
  silent.on('error', () => {});
  await new Promise<void>((resolve) => silent.on('close', () => resolve()));
  while (heard.closed < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  await on.open.close();
});

test.run();
