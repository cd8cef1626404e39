import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { pickRuntime } from '../../src/exec/pick-runtime.js';
import { type Machine, plain, program, sample, withMachine } from '../discovery/lay-out.js';

const runners = [
  sample({ id: 'demo', builtin: true, bins: [] }),
  sample({ id: 'one', bins: ['turnout-one'] }),
  sample({ id: 'two', bins: ['turnout-two'], aliases: ['zwei'] }),
  sample({ id: 'three', bins: ['turnout-three'] }),
];

/** What `--runtime auto` picks on a machine whose user has that configuration. */
async function picked(m: Machine, config: object | null = null, known = runners): Promise<string | null> {
  const env = { PATH: m.at('bin'), HOME: m.at('home'), XDG_CONFIG_HOME: m.at('config') };
  if (config !== null) await m.lay({ 'config/turnout/config.json': plain(JSON.stringify(config)) });
  const places = m.places({ env, home: m.at('home'), turnout: ['/node', '/turnout.js'] });
  return (await pickRuntime('auto', known, places))?.runner.id ?? null;
}

test('auto takes the first installed runtime in order', () =>
  withMachine({ 'bin/turnout-two': program(), 'bin/turnout-three': program() }, async (m) => {
    assert.is(await picked(m), 'two');
  }));

test('auto never takes the built-in runtime', () =>
  withMachine({ 'bin/other': program() }, async (m) => {
    assert.is(await picked(m), null);
    assert.is(await picked(m, { runtimes: ['demo'] }), null);
  }));

test("auto prefers the user's `runtimes`, by id or alias, and passes over what is not installed", () =>
  withMachine({ 'bin/turnout-one': program(), 'bin/turnout-two': program() }, async (m) => {
    assert.is(await picked(m, { runtimes: ['three', 'zwei', 'one'] }), 'two');
    assert.is(await picked(m, { runtimes: ['three', 'nobody', 'demo'] }), 'one');
  }));

test('auto passes over a runtime that is not supported', () =>
  withMachine({ 'bin/turnout-one': program() }, async (m) => {
    assert.is(await picked(m, null, [sample({ bins: ['turnout-one'], unsupported: 'no' })]), null);
  }));

test.run();
