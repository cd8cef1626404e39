import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { start } from './agent.js';

const test = suite('programs that give way');

test('a program of a server has a lower priority than the server, and so has what it starts', async () => {
  const script = 'read -r _; sh -c "echo \\$\\$; read -r _"';
  const agent = await start(['/bin/sh', '-c', script], { stdin: 'hold', background: true });
  const { pid } = agent.running;
  assert.ok(getPriority(pid) > getPriority(), `${getPriority(pid)}`);
  agent.running.write('go\n');
  while (agent.lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.is(getPriority(Number(agent.lines[0])), getPriority(pid));
  const file = `/proc/${pid}/autogroup`;
  const group = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // Others may not set it more often than ten times a second.
  if (group !== '' && process.getuid?.() === 0) assert.match(group, /nice [1-9]/);
  assert.equal(await agent.end(), []);
});

test('the program of a turn of its own does not give way', async () => {
  const agent = await start(['/bin/sh', '-c', 'read -r _'], { stdin: 'hold' });
  assert.is(getPriority(agent.running.pid), getPriority());
  assert.equal(await agent.end(), []);
});

test.run();
