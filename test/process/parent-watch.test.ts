import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { watchParent } from '../../src/process/parent-watch.js';
import { until } from './survivors.js';

const test = suite('parent watch');

test('tells once that the parent has changed', async () => {
  const child = spawn('true');
  let gone = 0;
  // A parent that is not ours looks like one that has gone.
  watchParent(() => gone++, { parent: child.pid ?? -1, everyMs: 5 });
  const clock = { turns: 0 };
  const timer = setInterval(() => clock.turns++, 5);
  await until('it is told', () => gone > 0);
  const from = clock.turns;
  await until('time for more', () => clock.turns > from + 5);
  clearInterval(timer);
  assert.is(gone, 1);
});

test('is silent while the parent lives, and after it was stopped', async () => {
  let gone = 0;
  const stop = watchParent(() => gone++, { everyMs: 5 });
  watchParent(() => gone++, { parent: -1, everyMs: 5 })();
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  await until('time enough', () => turns > 10);
  clearInterval(timer);
  stop();
  assert.is(gone, 0);
});

test('tells an orphan that its parent is gone', async () => {
  const program = join(process.cwd(), '.build', 'test', 'process', `orphan-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: `import { watchParent } from './src/process/parent-watch.js';
        const wait = setInterval(() => {}, 1000);
        watchParent(() => { console.log('gone'); clearInterval(wait); }, { everyMs: 10 });
        console.log('ready');`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const shell = spawn('sh', ['-c', '"$0" "$1" & read -r word', process.execPath, program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until('it is ready', () => said === 'ready\n');
  shell.kill('SIGKILL');
  await until('it is told', () => said === 'ready\ngone\n');
});

test.run();
