import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSocket, SocketError } from '../../../src/serve/listen/unix.js';
import { opsLines } from '../../../src/serve/ops/surface.js';
import { stage } from '../../runs/fake-turn.js';

const folder = mkdtempSync(join(tmpdir(), 'sock-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const fresh = () => join(folder, `${made++}`, 't.sock');

/** All that comes back until the server closes. */
function client(path: string, ...lines: string[]): { socket: Socket; answer: Promise<string> } {
  const socket = connect(path);
  for (const line of lines) socket.write(`${line}\n`);
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  return { socket, answer };
}

async function refused(path: string): Promise<string> {
  try {
    await openSocket({ session: opsLines({ core: stage().core }, 'unix'), path });
  } catch (error) {
    if (error instanceof SocketError) return error.message;
    throw error;
  }
  return 'not refused';
}

const windows = process.platform === 'win32';

test('several callers at once, each with a session of its own that ends with halt or their end', async () => {
  if (windows) return console.log('SKIPPED: no unix sockets are offered here');
  const { core, turns } = stage();
  const path = fresh();
  const open = await openSocket({ session: opsLines({ core }, 'unix'), path });
  assert.is(lstatSync(path).mode & 0o777, 0o600);
  assert.is(lstatSync(join(path, '..')).mode & 0o777, 0o700);
  const one = client(path, '{"op":"exec","runtime":"test","prompt":"x","cwd":"/"}', '{"op":"halt"}');
  const two = client(path, '{"op":"session"}', '{"op":"halt"}');
  assert.match(await two.answer, /"session: expected the id of a session"[\s\S]*"op":"halt"/);
  turns[0]?.end();
  assert.match(await one.answer, /"exit_code":0\}\n\{"kind":"result","op":"halt"/);
  const three = client(path, '{"op":"ping"}');
  three.socket.end();
  assert.is(await three.answer, '{"kind":"result","op":"ping","ok":true}\n{"kind":"done","exit_code":0}\n');
  await open.close();
  assert.not.ok(existsSync(path));
});

test('a caller that goes away takes its run along', async () => {
  if (windows) return console.log('SKIPPED: no unix sockets are offered here');
  const { core, turns } = stage();
  const path = fresh();
  const open = await openSocket({ session: opsLines({ core }, 'unix'), path });
  const { socket, answer } = client(path, '{"op":"exec","runtime":"test","prompt":"x","cwd":"/"}');
  socket.once('data', () => socket.destroy());
  await answer;
  while (!turns[0]?.calls.includes('cancel')) await new Promise((resolve) => setTimeout(resolve, 2));
  turns[0]?.end(130);
  await open.close();
});

test('the socket of a dead server is replaced; a living one and anything else are left alone', async () => {
  if (windows) return console.log('SKIPPED: no unix sockets are offered here');
  const path = fresh();
  const open = await openSocket({ session: opsLines({ core: stage().core }, 'unix'), path });
  assert.match(await refused(path), 'address in use');
  const file = join(folder, 'file');
  writeFileSync(file, 'precious');
  assert.match(await refused(file), 'is no socket');
  assert.ok(existsSync(file));
  await open.close();

  // A socket that nobody answers: bound by a server whose file was moved away before it closed.
  const dead = join(folder, 'dead');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${dead}.bound`, resolve));
  const { linkSync } = await import('node:fs');
  linkSync(`${dead}.bound`, dead);
  await new Promise((resolve) => server.close(resolve));
  const again = await openSocket({ session: opsLines({ core: stage().core }, 'unix'), path: dead });
  await again.close();
});

test('a server does not remove the socket of another that took its place', async () => {
  if (windows) return console.log('SKIPPED: no unix sockets are offered here');
  const path = fresh();
  const first = await openSocket({ session: opsLines({ core: stage().core }, 'unix'), path });
  rmSync(path);
  const second = await openSocket({ session: opsLines({ core: stage().core }, 'unix'), path });
  await first.close();
  const { socket, answer } = client(path, '{"op":"ping"}');
  socket.end();
  assert.match(await answer, '"ping"');
  await second.close();
});

test('a path that the system would cut, and a folder that can not be written, are refused', async () => {
  if (windows) return console.log('SKIPPED: no unix sockets are offered here');
  assert.match(await refused(join(folder, 'x'.repeat(120))), 'too long');
  if (process.getuid?.() === 0) return;
  const shut = join(folder, 'shut');
  writeFileSync(shut, '');
  chmodSync(shut, 0o500);
  assert.match(await refused(join(shut, 't.sock')), "can't be");
});

test('a request that is not UTF-8 is an error, and the next one is answered', async () => {
  if (windows) return console.log('SKIPPED: no unix sockets are offered here');
  const path = fresh();
  const open = await openSocket({ session: opsLines({ core: stage().core }, 'unix'), path });
  const { socket, answer } = client(path);
  socket.write(
    Buffer.concat([Buffer.from('{"op":"'), Buffer.from([0xff]), Buffer.from('"}\n{"op":"ping","id":null}\n')]),
  );
  socket.end();
  assert.equal((await answer).trim().split('\n'), [
    '{"kind":"error","message":"a request is not valid UTF-8"}',
    '{"kind":"done","exit_code":2}',
    '{"kind":"result","op":"ping","ok":true}',
    '{"kind":"done","exit_code":0}',
  ]);
  await open.close();
});

test.run();
