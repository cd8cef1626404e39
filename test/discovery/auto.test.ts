import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { pickAuto } from '../../src/discovery/auto.js';
import { program, sample, withMachine } from './lay-out.js';

const runners = [
  sample({ id: 'demo', builtin: true, bins: [] }),
  sample({ id: 'one', bins: ['turnout-one'] }),
  sample({ id: 'two', bins: ['turnout-two'], aliases: ['zwei'] }),
  sample({ id: 'three', bins: ['turnout-three'] }),
];

test('the first installed runtime in order, never the built-in one', () =>
  withMachine({ 'bin/turnout-two': program(), 'bin/turnout-three': program() }, async (m) => {
    const places = m.places({ env: { PATH: m.at('bin') }, turnout: ['/node', '/turnout.js'] });
    assert.is((await pickAuto(runners, places, []))?.id, 'two');
  }));

test("the user's list comes first, by id or alias; what is not installed is passed over", () =>
  withMachine({ 'bin/turnout-one': program(), 'bin/turnout-two': program() }, async (m) => {
    const places = m.places({ env: { PATH: m.at('bin') } });
    assert.is((await pickAuto(runners, places, ['three', 'zwei', 'one']))?.id, 'two');
    assert.is((await pickAuto(runners, places, ['three', 'nobody', 'demo']))?.id, 'one');
  }));

test('a runtime that can not be run is passed over; none installed is null', () =>
  withMachine({ 'bin/turnout-one': program() }, async (m) => {
    const places = m.places({ env: { PATH: m.at('bin') } });
    assert.is(await pickAuto([sample({ bins: ['turnout-one'], unsupported: 'no' })], places, []), null);
    assert.is(await pickAuto([sample({ bins: ['turnout-none'] })], places, []), null);
  }));

test.run();
