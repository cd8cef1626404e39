/** From the request to the end of a run. */

import * as assert from 'uvu/assert';
import { says, settled, start } from '../fake-turn.js';
import { entries, type On, OWNER, reaches, reason, status, type Test, until } from './worlds.js';

export function lifecycle(test: Test, on: On): void {
  test('a run goes from queued to completed and keeps what it said', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit('hello', { metadata: { job: '7' } });
      assert.equal([run.status, run.principal, run.surface, run.metadata], ['queued', 'owner', 'test', { job: '7' }]);
      await until(() => turns.length === 1);
      await reaches(ports, run, 'running');
      turns[0]?.emit(start);
      turns[0]?.emit(says('Hi '));
      turns[0]?.emit(says('there'));
      turns[0]?.end();
      const ended = await ports.runs.ended(run.run_id, OWNER);
      assert.equal([ended.status, ended.text, ended.last_seq, ended.exit_code], ['completed', 'Hi there', 4, 0]);
      const seen = await entries(ports, run.run_id);
      assert.equal(
        seen.map(({ seq, event }) => [seq, event.type]),
        [
          [1, 'start'],
          [2, 'assistant'],
          [3, 'assistant'],
          [4, 'done'],
        ],
      );
      assert.is((await entries(ports, run.run_id, 3)).length, 1);
      assert.is(await reason(entries(ports, run.run_id, 5)), 'bad-request');
    }));

  test('the status is final before anybody can read `done`', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit();
      await until(() => turns.length === 1);
      turns[0]?.emit(start);
      let seen = '';
      const reading = (async () => {
        for await (const one of ports.log.follow(run.run_id, { after: 0, follow: true }, OWNER))
          if ('entry' in one && one.entry.event.type === 'done') seen = await status(ports, run);
      })();
      turns[0]?.end(1);
      await reading;
      assert.is(seen, 'failed');
    }));

  test('cancel belongs to one run, and does nothing once it is over', () =>
    on(async ({ ports, turns, submit }) => {
      const [one, two] = [await submit(), await submit()];
      await until(() => turns.length === 2);
      await ports.runs.send(one.run_id, { type: 'cancel' }, OWNER);
      await reaches(ports, one, 'stopping');
      await reaches(ports, two, 'running');
      assert.equal([turns[0]?.calls, turns[1]?.calls], [['cancel'], []]);
      turns[0]?.end(130);
      assert.is((await ports.runs.ended(one.run_id, OWNER)).status, 'cancelled');
      assert.is((await ports.runs.send(one.run_id, { type: 'cancel' }, OWNER)).did, false);
    }));

  test('a turn that ends well in the race with a cancel is completed', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit();
      await until(() => turns.length === 1);
      await ports.runs.send(run.run_id, { type: 'cancel' }, OWNER);
      turns[0]?.end(0);
      assert.is((await ports.runs.ended(run.run_id, OWNER)).status, 'completed');
    }));

  test('what the end of the server takes along is interrupted, also in its stream', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit();
      await until(() => turns.length === 1);
      ports.cancelAll('shutdown');
      turns[0]?.end(130);
      const ended = await ports.runs.ended(run.run_id, OWNER);
      assert.equal([ended.status, ended.ended_by, ended.stop_reason], ['interrupted', 'shutdown', 'interrupted']);
    }));

  test('a drained process takes nothing more and waits for what runs', () =>
    on(async ({ ports, turns, submit }) => {
      await submit();
      await until(() => turns.length === 1);
      let over = false;
      const drained = ports.drain().then(() => {
        over = true;
      });
      assert.is(await reason(submit()), 'draining');
      await settled();
      assert.is(over, false);
      turns[0]?.end();
      await drained;
    }));
}
