import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runsOf, transcriptOf } from '../../src/runs/history.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { run, session } from './samples.js';

test('a fork has what its parent said up to the moment of the fork, and nothing later', () => {
  const store = memoryStore();
  store.putSession(session('parent', { created_at: 1 }));
  store.putSession(session('fork', { created_at: 20, parent: 'parent' }));
  const told = (id: string, at: number) =>
    store.putRun(
      run(id, { session_id: 'parent', status: 'completed', created_at: at, ended_at: at, text: `of ${id}` }),
    );
  told('before', 10);
  told('same', 20);
  told('after', 21);
  assert.equal(
    transcriptOf(store, 'fork').map(({ text }) => text),
    ['prompt of before', 'of before', 'prompt of same', 'of same'],
  );
  assert.equal(
    runsOf(store, 'fork').map(({ run_id }) => run_id),
    ['before', 'same'],
  );
});

test.run();
