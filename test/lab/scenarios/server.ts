import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Bench } from '../harness/bench.js';
import { TEXT } from '../model/texts.js';
import type { Scenario } from './scenario.js';

type Line = Record<string, unknown>;

const TOKEN = 'lab-token';
const LIMIT = '60s';

interface Server {
  child: ChildProcess;
  url: string;
}

/** Starts `turnout agent serve` over HTTP in the surroundings of a user who is logged in. */
function start(bench: Bench): Promise<Server> {
  const argv = ['agent', 'serve', '--transport', 'http', '--port', '0', '--store', 'memory', '--auth-token', TOKEN];
  const child = spawn(process.execPath, [join(bench.root, 'bin', 'turnout.js'), ...argv], {
    cwd: bench.folder,
    env: bench.env(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let told = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      const url = /listening on (http:\/\/\S+\/v1\/agent)\n/.exec(told)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
    child.once('exit', () => reject(new Error(`the server ended: ${told}`)));
  });
}

/** One request; every line of its answer is told as it comes. */
async function ask(server: Server, request: object, onLine: (line: Line) => void = () => {}): Promise<Line[]> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const lines: Line[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    const whole = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = whole.pop() ?? '';
    for (const text of whole) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      onLine(line);
    }
  }
  return lines;
}

const eventOf = (line: Line): Line =>
  typeof line.event === 'object' && line.event !== null ? (line.event as Line) : {};
const resultOf = (lines: readonly Line[]): Line => lines.find((line) => line.kind === 'result') ?? {};

function request(bench: Bench, order: string): Record<string, unknown> {
  const { runtime } = bench;
  const { model } = bench.recipe;
  return { op: 'exec', runtime, model, cwd: bench.folder, timeout: LIMIT, prompt: `SCENARIO:${order}\n(server-end)` };
}

export const serverScenarios: readonly Scenario[] = [
  {
    name: 'server',
    title: 'the same turn over the HTTP server: text, caller tools, cancel',
    named: true,
    needs: 'agent-serve',
    smoke: true,
    async run(bench) {
      const server = await start(bench);
      try {
        const told = await ask(server, request(bench, 'text'));
        const types = told.filter((line) => line.kind === 'event').map((line) => eventOf(line).type);
        bench.check('text', resultOf(told).text === TEXT, `result: ${JSON.stringify(resultOf(told)).slice(0, 300)}`);
        bench.check('order', types[0] === 'start' && types.at(-1) === 'done', types.join(' '));

        const tools = [{ name: 'look_up', description: 'Looks a word up.', schema: { type: 'object' } }];
        let run: unknown;
        const called = await ask(server, { ...request(bench, 'tool look_up {"word":"a"}'), tools }, (line) => {
          run ??= line.run_id;
          const event = eventOf(line);
          if (event.type === 'tool_call')
            void ask(server, { op: 'tool_result', run_id: run, call_id: event.id, result: 'found over http' });
        });
        bench.check(
          'tools',
          String(resultOf(called).text).includes('found over http') && resultOf(called).exit_code === 0,
          `result: ${JSON.stringify(resultOf(called)).slice(0, 300)}`,
        );

        let hanging: unknown;
        const cancelled = await ask(server, request(bench, 'hang'), (line) => {
          hanging ??= line.run_id;
          if (eventOf(line).type === 'start') void ask(server, { op: 'cancel', run_id: hanging });
        });
        bench.check(
          'cancel',
          resultOf(cancelled).status === 'cancelled',
          JSON.stringify(resultOf(cancelled)).slice(0, 300),
        );
      } finally {
        const ended = new Promise((resolve) => server.child.once('exit', resolve));
        server.child.kill('SIGTERM');
        await ended;
      }
    },
  },
];
