import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type CompatTable, knownBad, testedVersions } from '../../src/discovery/compat.js';

const table: CompatTable = {
  claude: {
    '2.0.0': { verdict: 'tested', note: '' },
    '2.1.0': { verdict: 'bad', note: 'failed: text' },
  },
};

test('a version that the lab passed counts as tested beside those of the runner', () => {
  assert.equal(testedVersions('claude', ['1.0.0', '2.0.0'], table), ['1.0.0', '2.0.0']);
  assert.equal(testedVersions('claude', ['1.0.0'], table), ['1.0.0', '2.0.0']);
  assert.equal(testedVersions('codex', ['1.0.0'], table), ['1.0.0']);
});

test('a version that failed in the lab is known to be bad, with what failed; an unknown version is not', () => {
  assert.is(knownBad('claude', '2.1.0', table), 'failed: text');
  assert.is(knownBad('claude', '2.0.0', table), null);
  assert.is(knownBad('claude', null, table), null);
  assert.is(knownBad('codex', '2.1.0', table), null);
});

test.run();
