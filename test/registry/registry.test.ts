import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { byId, nearest, runners } from '../../src/registry/registry.js';
import { sample } from '../discovery/lay-out.js';

const some = [
  sample({ id: 'claude' }),
  sample({ id: 'codex', aliases: ['kimi'] }),
  sample({ id: 'kimi', aliases: ['kimicode'] }),
  sample({ id: 'opencode' }),
  sample({ id: 'pi', aliases: ['pi-rpc'] }),
];

test('a runner is found by its id and by its alias; an id wins over an alias', () => {
  assert.is(byId('claude', some)?.id, 'claude');
  assert.is(byId('kimicode', some)?.id, 'kimi');
  assert.is(byId('kimi', some)?.id, 'kimi');
  assert.is(byId('pi-rpc', some)?.id, 'pi');
});

test('nobody answers to another name, not even with other capitals', () => {
  assert.is(byId('gpt', some), null);
  assert.is(byId('Claude', some), null);
});

test('near names: a typo, a swap, other capitals, a beginning, an alias', () => {
  assert.equal(nearest('cluade', some), ['claude']);
  assert.equal(nearest('Claude', some), ['claude']);
  assert.equal(nearest('open', some), ['opencode']);
  assert.equal(nearest('claude-code', some), ['claude']);
  assert.equal(nearest('kimi-code', [sample({ id: 'kimi', aliases: ['kimicode'] })]), ['kimi']);
  assert.is(nearest('codx', some)[0], 'codex');
});

test('a name that is like none has no neighbours', () => {
  assert.equal(nearest('xyzzyplugh', some), []);
  assert.equal(nearest('zz', some), []);
  assert.equal(nearest('', some), []);
});

test('no two built-in runners answer to one name, and each is complete enough to be scanned', () => {
  const names = runners.flatMap((runner) => [runner.id, ...(runner.aliases ?? [])]);
  assert.equal(names, [...new Set(names)]);
  for (const runner of runners) {
    assert.match(runner.id, /^[a-z][a-z0-9-]*$/);
    assert.ok(runner.builtin === true || runner.bins.length > 0, `${runner.id} names no program`);
  }
});

test.run();
