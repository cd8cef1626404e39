// limit: 240s
/** `turnout org events --follow`: nothing is lost or given twice, and it ends with whoever reads it. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TURNOUT } from '../../contract/cli.js';
import { begin, closeAll, events, five, follow, later, notice, options, writer } from './kit.js';

test.after(closeAll);

test('a follower gives what there is, then what comes, then the next run’s events', async () => {
  const { made } = await five('live', 'run_cccccccccccccccc');
  const store = await writer();
  const follower = follow('live');
  for (let n = 1; n <= 5; n++) assert.is((await follower.next())['msg'], `n${n}`);
  store.append(made.run_id, { seq: 6, event: notice('n6') });
  await store.commit();
  const sixth = await follower.next();
  assert.is(sixth['msg'], 'n6');
  const next = begin(store, 'live', 'run_dddddddddddddddd', later());
  store.append(next.made.run_id, { seq: 1, event: notice('next') });
  await store.commit();
  assert.equal((await follower.next())['run'], next.run);
  follower.child.kill('SIGTERM');
  assert.is(await follower.ended, 0);
  const again = follow('live', '--since', String(sixth['id']));
  assert.is((await again.next())['msg'], 'next');
  again.child.kill('SIGINT');
  assert.is(await again.ended, 0);
});

test('a follower ends when its reader or its parent is gone', async () => {
  const unread = follow('live');
  await unread.next();
  unread.child.stdout?.destroy();
  assert.is(await unread.ended, 0);
  // A parent that is killed without a word, and whose output somebody else reads.
  const script = `const{spawn}=require('node:child_process');
    spawn(process.execPath,${JSON.stringify([TURNOUT, 'org', 'events', 'live', '--follow'])},{stdio:['ignore','inherit','inherit']});
    setInterval(()=>{},1e6)`;
  const parent = spawn(process.execPath, ['-e', script], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: parent.stdout });
  const seen = lines[Symbol.asyncIterator]();
  await seen.next();
  const closed = new Promise((resolve) => lines.on('close', resolve));
  parent.kill('SIGKILL');
  // Its stdout closes when the follower, the last that holds it, is gone.
  await closed;
});

test('20,000 events and 100 reconnects: each id once, in order', async () => {
  const store = await writer();
  const { made, run } = begin(store, 'many', 'run_eeeeeeeeeeeeeeee');
  let written = 0;
  const add = async (count: number) => {
    for (let n = 0; n < count; n++) {
      written += 1;
      store.append(made.run_id, { seq: written, event: notice(`n${written}`) });
    }
    await store.commit();
  };
  await add(1000);
  const seen: string[] = [];
  for (let round = 0; round < 100; round++) {
    const since = seen.at(-1);
    const follower = follow('many', ...(since === undefined ? [] : ['--since', since]));
    await add(190);
    // Stopped in the middle of what it has to give.
    const most = round < 99 ? 150 : 20_000 - seen.length;
    for (let n = 0; n < most && seen.length < 20_000; n++) seen.push(String((await follower.next())['id']));
    follower.child.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    await follower.ended;
  }
  assert.is(written, 20_000);
  assert.equal(
    seen,
    events('many', '--run', run).map(({ id }) => id),
  );
  assert.is(new Set(seen).size, 20_000);
});

test.run();
