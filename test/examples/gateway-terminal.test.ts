// limit: 120s
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { place } from '../contract/cli.js';
import { type Server, serve } from '../serve/server.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';
const TOKEN = 's3cret-s3cret';
let server: Server;
const open: ChildProcess[] = [];
test.before(async () => {
  const args = ['--transport', 'http', '--port', '0', '--store', 'memory', '--gateway-runtime', 'demo'];
  server = await serve(args, place({ TURNOUT_TOKEN: TOKEN }));
});
test.after(async () => {
  for (const child of open) child.kill();
  await server.stop();
});

interface Person {
  type(line: string): void;
  sees(text: string): Promise<void>;
  shown(): string;
}

function terminal(): Person {
  const script = join(root, 'examples', 'gateway-terminal', 'terminal.mjs');
  const child = spawn(process.execPath, [script, `${server.at.replace('http', 'ws')}/api/ws`], {
    env: { PATH: process.env['PATH'], TURNOUT_TOKEN: TOKEN },
  });
  open.push(child);
  let seen = '';
  let heard = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
      heard();
    });
  return {
    type: (line) => void child.stdin.write(`${line}\n`),
    shown: () => seen,
    async sees(text) {
      while (!seen.includes(text)) await new Promise<void>((resolve) => (heard = resolve));
    },
  };
}

test('a terminal attaches to a session that runs, and either of two answers what is asked', async () => {
  const first = terminal();
  await first.sees('idle)');
  first.type('ask');
  await first.sees('? shell make deploy  (once, session, deny)');
  const second = terminal();
  await second.sees('? shell make deploy');
  await second.sees('waiting)');
  second.type('once');
  await first.sees('(the question was settled: resolved)');
  for (const one of [first, second]) await one.sees('The answer was: allow_once.');
  first.type('question Whose name? & Which colour? red | green');
  await first.sees('? Which colour?  (red, green)');
  first.type('Ada');
  first.type('green');
  for (const one of [first, second]) await one.sees('q0: Ada');
  second.type('hang');
  await first.sees('Waiting…');
  first.type('/stop');
  for (const one of [first, second]) await one.sees('(interrupted)');
  assert.is(first.shown().split('The answer was').length, 2);
});

test.run();
