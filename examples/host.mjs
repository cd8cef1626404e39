// A host in Node: hands one tool to an agent, runs it when asked, prints the answer.
//   node examples/host.mjs demo 'tool add {"a":2,"b":3}'
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [runtime = 'demo', prompt = 'tool add {"a":2,"b":3}'] = process.argv.slice(2);
const turnout = (process.env.TURNOUT ?? 'turnout').split(' ');
const handlers = { add: ({ a, b }) => `${a + b}` };
const dir = mkdtempSync(join(tmpdir(), 'host-'));
const tools = join(dir, 'tools.json');
const number = { type: 'number' };
const schema = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
writeFileSync(tools, JSON.stringify([{ name: 'add', description: 'Adds two numbers.', schema }]));

const args = ['agent', 'exec', '--runtime', runtime, '--prompt', prompt, '--tools', 'stdio', '--tools-file', tools];
const child = spawn(turnout[0], [...turnout.slice(1), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
process.on('SIGINT', () => child.stdin.write('{"v":1,"type":"cancel"}\n'));
for await (const line of createInterface({ input: child.stdout })) {
  const event = JSON.parse(line);
  if (event.type === 'tool_call') {
    let ok = true;
    let text;
    try {
      text = await handlers[event.name](event.args);
    } catch (error) {
      [ok, text] = [false, String(error)];
    }
    child.stdin.write(`${JSON.stringify({ v: 1, type: 'tool_result', id: event.id, ok, result: { text } })}\n`);
  } else if (event.type === 'assistant') process.stdout.write(event.text);
  else if (event.type === 'error') console.error(`${event.code}: ${event.message}`);
  else if (event.type === 'done') process.exitCode = event.exit_code;
}
console.log();
rmSync(dir, { recursive: true });
