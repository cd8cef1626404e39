import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { KeyError, readKeys } from '../../../src/serve/listen/keys.js';

const SECRET = 'secret-secret-secret';

function fault(line: string): string {
  try {
    readKeys(line);
  } catch (error) {
    if (error instanceof KeyError) return error.message;
    throw error;
  }
  return '';
}

test('a key may be limited behind its secret', () => {
  assert.equal(
    readKeys(`a key ${SECRET} concurrency=3 budget=2.5\n# no key\nb guest ${SECRET}2`).map(
      ({ principal }) => principal,
    ),
    [
      { name: 'a', kind: 'key', limits: { concurrency: 3, budgetUsd: 2.5 } },
      { name: 'b', kind: 'guest' },
    ],
  );
});

test('a limit that is not one is refused, and the line is not shown', () => {
  for (const rule of ['concurrency=0', 'concurrency=x', 'budget=0', 'budget=-1', 'budget=1e3', 'more']) {
    assert.match(fault(`a key ${SECRET} ${rule}`), /^line 1: behind the secret/);
    assert.not.match(fault(`a key ${SECRET} ${rule}`), /secret-secret/);
  }
});

test.run();
