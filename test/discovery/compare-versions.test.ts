import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { compareVersions, newerThanTested, newestFirst } from '../../src/discovery/compare-versions.js';

test('numbers are compared as numbers, part by part', () => {
  assert.ok((compareVersions('2.10.0', '2.9.9') ?? 0) > 0);
  assert.ok((compareVersions('v1.2', '1.2.1') ?? 0) < 0);
  assert.is(compareVersions('1.2.0', '1.2'), 0);
});

test('a pre-release comes before its release, and its parts are ordered', () => {
  assert.ok((compareVersions('1.0.0-rc.2', '1.0.0') ?? 0) < 0);
  assert.ok((compareVersions('1.0.0-rc.10', '1.0.0-rc.9') ?? 0) > 0);
  assert.ok((compareVersions('1.0.0-rc', '1.0.0-rc.1') ?? 0) < 0);
  assert.ok((compareVersions('1.0.0-1', '1.0.0-beta') ?? 0) < 0);
});

test('dates and build numbers are versions too', () => {
  assert.ok((compareVersions('2026.1.5-abc123', '2025.12.31-fff') ?? 0) > 0);
  assert.ok((compareVersions('0.0.1790712063', '0.0.1790142911-g7618fb') ?? 0) > 0);
});

test('what is no version can not be compared', () => {
  assert.is(compareVersions('latest', '1.0.0'), null);
});

test('newer than tested means newer than every tested version', () => {
  assert.is(newerThanTested('1.3.0', ['1.2.3', '1.2.9']), true);
  assert.is(newerThanTested('1.2.5', ['1.2.3', '1.2.9']), false);
  assert.is(newerThanTested('1.2.9', ['1.2.9']), false);
});

test('newer than tested is unknown without a version or without a tested one', () => {
  assert.is(newerThanTested(null, ['1.0.0']), null);
  assert.is(newerThanTested('1.0.0', []), null);
  assert.is(newerThanTested('nightly', ['1.0.0']), null);
});

test('the newest folder comes first, words last', () => {
  assert.equal(newestFirst(['v9.0.0', 'system', 'v22.1.0', 'v20.11.1']), ['v22.1.0', 'v20.11.1', 'v9.0.0', 'system']);
});

test.run();
