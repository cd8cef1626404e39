/** What watchers are told. */

import * as assert from 'uvu/assert';
import { start } from '../fake-turn.js';
import { type On, OWNER, type Test, until } from './worlds.js';

export function feeds(test: Test, on: On): void {
  test('changes of all runs can be watched from a position', () =>
    on(async ({ ports, turns, submit }) => {
      const leave = new AbortController();
      const seen: string[] = [];
      const positions: number[] = [];
      const reading = (async () => {
        for await (const { position, run } of ports.runs.watch({ after: 0, signal: leave.signal }, OWNER)) {
          positions.push(position);
          if (seen.at(-1) !== `${run.prompt} ${run.status}`) seen.push(`${run.prompt} ${run.status}`);
        }
      })();
      const run = await submit('one');
      await until(() => turns.length === 1);
      await until(() => seen.includes('one running'));
      turns[0]?.emit(start);
      turns[0]?.end();
      await until(() => seen.includes('one completed'));
      leave.abort();
      await reading;
      assert.equal(
        [...positions].sort((a, b) => a - b),
        positions,
      );
      await submit('two');
      const again = new AbortController();
      for await (const change of ports.runs.watch({ after: positions.at(-1) ?? 0, signal: again.signal }, OWNER)) {
        assert.is(change.run.prompt, 'two');
        again.abort();
      }
      const first = new AbortController();
      for await (const change of ports.runs.watch({ after: 0, signal: first.signal }, OWNER)) {
        assert.equal([change.run.run_id, change.run.status], [run.run_id, 'completed']);
        first.abort();
      }
    }));

  test('a session can be followed, also what others begin in it, from a cursor', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit('one');
      const seen: string[] = [];
      let cursor = '';
      async function read(signal: AbortSignal, after?: string): Promise<void> {
        const how = { signal, ...(after === undefined ? {} : { after }) };
        for await (const news of ports.sessions.follow(run.session_id, how, OWNER)) {
          if ('run' in news) seen.push(`${news.run.prompt} ${news.run.status === 'completed' ? 'over' : 'on'}`);
          else cursor = news.cursor;
          if ('entry' in news) seen.push(news.entry.event.type);
        }
      }
      const leave = new AbortController();
      const reading = read(leave.signal);
      await until(() => turns.length === 1);
      turns[0]?.emit(start);
      turns[0]?.end();
      await until(() => seen.includes('one over'));
      await submit('two', { conversation: { kind: 'continue', id: run.session_id } });
      await until(() => turns.length === 2);
      turns[1]?.emit(start);
      await until(() => seen.length === 6);
      assert.equal(seen, ['one on', 'start', 'done', 'one over', 'two on', 'start']);
      leave.abort();
      await reading;
      seen.length = 0;
      const again = new AbortController();
      const more = read(again.signal, cursor);
      await until(() => seen.length === 1);
      turns[1]?.end();
      await until(() => seen.includes('two over'));
      assert.equal(seen, ['two on', 'done', 'two over']);
      again.abort();
      await more;
    }));
}
