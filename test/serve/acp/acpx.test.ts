// limit: 240s
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leftovers, type Place, place } from '../../contract/cli.js';
import { acpx, until } from './acpx.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();

const client = (where: Place) => {
  const found = acpx({ root, cwd: where.cwd, env: where.env, args: ['--runtime', 'demo'] });
  if (!found) console.log('SKIPPED: acpx is not installed; run: npm run lab -- install acpx');
  return found;
};

test('acpx runs a prompt, a tool that is allowed, and one that is not', async () => {
  const where = place();
  const one = client(where);
  if (!one) return;
  const said = await one.run('exec', 'think then say hello from demo');
  assert.equal([said.code, /hello from demo/.test(said.stdout), /end_turn/.test(said.stdout)], [0, true, true]);
  const allowed = await one.run('--approve-all', 'exec', 'write a.txt Hello');
  assert.is(allowed.code, 0, allowed.stderr);
  assert.match(allowed.stdout, 'session/request_permission');
  assert.match(allowed.stdout, `diff ${join(where.cwd, 'a.txt')}`);
  assert.is(readFileSync(join(where.cwd, 'a.txt'), 'utf8'), 'Hello');
  const denied = await one.run('--deny-all', 'exec', 'write b.txt Hello');
  assert.match(denied.stdout, 'not allowed');
  assert.not.ok(existsSync(join(where.cwd, 'b.txt')));
  assert.equal(await leftovers(where.mark), []);
});

test('acpx goes on in a session after its process and ours were gone, and cancels a turn', async () => {
  const where = place();
  const one = client(where);
  if (!one) return;
  const made = await one.run('sessions', 'new');
  assert.match(made.stdout, /ses_[0-9a-f]{32}/);
  await one.run('prompt', 'say the first thing');
  // Its process lives for a second after the last prompt.
  assert.ok(await until(async () => (await one.run('status')).stdout.includes('status: running') === false));
  const again = await one.run('prompt', 'remember');
  assert.match(again.stdout, 'say the first thing');
  const waiting = one.start('prompt', 'say busy then hang');
  assert.ok(await waiting.printed('busy'));
  assert.match((await one.run('cancel')).stdout, 'cancel requested');
  assert.match((await waiting.ended).stdout, 'cancelled');
  assert.match((await one.run('set-mode', 'edit')).stdout, 'mode set: edit');
  assert.equal(await leftovers(where.mark), []);
});

test.run();
