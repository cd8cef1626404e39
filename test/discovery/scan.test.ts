import { readdir } from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { diskFiles } from '../../src/discovery/files.js';
import { scan } from '../../src/discovery/scan.js';
import type { Runner } from '../../src/runner/runner.js';
import { link, packageJson, program, sample, windowsPlaces, withMachine } from './lay-out.js';

const INSTALLED = {
  'bin/turnout-sample': link('../lib/node_modules/@acme/sample/cli.js'),
  'lib/node_modules/@acme/sample/cli.js': program('#!/bin/sh\ntouch "$(dirname "$0")/ran"\necho 9.9.9\n'),
  'lib/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.3.0'),
};

test('an entry tells everything a host reads, in the words of the contract', () =>
  withMachine(INSTALLED, async (m) => {
    const { v, agents } = await scan([sample()], { places: m.places({ env: { PATH: m.at('bin') } }) });
    assert.is(v, 1);
    assert.equal(agents, [
      {
        id: 'sample',
        installed: true,
        binary: m.at('bin/turnout-sample'),
        version: '1.3.0',
        version_source: 'package.json',
        newer_than_tested: true,
        tested_versions: ['1.2.3'],
        install_hint: 'npm install -g @acme/sample',
        install: { kind: 'npm', packages: ['@acme/sample'] },
        login_hint: 'turnout-sample login',
        transport: 'jsonl',
        streams_incrementally: true,
        full_access: true,
        access_modes: ['scoped', 'full'],
        access_gaps: { scoped: ['read_outside'], full: [] },
        confinement: { scoped: 'program', full: 'none' },
        caller_tools: true,
        caller_tools_with_full_access: true,
        tool_transport: 'mcp',
        parallel_calls: true,
        tool_result_limit: 40_000,
        native_sandbox: 'restricted',
        approvals: 'on',
        asks_permission: ['scoped'],
        asks_questions: false,
        sandbox_modes: ['read-only', 'full'],
        sandbox_mode_reports: {
          'read-only': { native_sandbox: 'read-only', approvals: 'off' },
          full: { native_sandbox: 'restricted', approvals: 'on' },
        },
        tool_activity_fidelity: 'full',
        resume: true,
        effort: false,
        max_turns: false,
        reports_cost: true,
        silent_retries: false,
        untold_stop_reasons: ['refusal'],
        prompt_in_argv: false,
        settings_loaded: ['AGENTS.md'],
        init_target: null,
        execution_supported: true,
      },
    ]);
  }));

test('what is not installed is listed with nulls, and left out with installed', () =>
  withMachine({}, async (m) => {
    const { agents } = await scan([sample()], { places: m.places() });
    const [entry] = agents;
    assert.equal(
      [entry?.installed, entry?.binary, entry?.version, entry?.version_source, entry?.newer_than_tested],
      [false, null, null, null, null],
    );
    assert.equal((await scan([sample()], { places: m.places(), installed: true })).agents, []);
  }));

test('what was passed over on the way to a program stands in its entry', () =>
  withMachine({ ...INSTALLED, 'dead/turnout-sample': link('gone') }, async (m) => {
    const places = m.places({ env: { PATH: `${m.at('dead')}:${m.at('bin')}` } });
    const [entry] = (await scan([sample()], { places })).agents;
    assert.is(entry?.binary, m.at('bin/turnout-sample'));
    assert.match(entry?.notes?.join('\n') ?? '', 'is a link to a file that does not exist');
  }));

test('why an override can not be used stands in the entry', () =>
  withMachine({}, async (m) => {
    const places = m.places({ env: { SAMPLE_CLI_BIN: m.at('gone') } });
    const [entry] = (await scan([sample()], { places })).agents;
    assert.is(entry?.installed, false);
    assert.match(entry?.notes?.join('\n') ?? '', /SAMPLE_CLI_BIN is set to .*gone/);
  }));

test('without full access there are no caller tools under it, and without a tool transport none at all', () =>
  withMachine({}, async (m) => {
    const report = { native_sandbox: 'restricted', approvals: 'off', gaps: [] } as const;
    const runners = [sample({ access: { read: report } }), sample({ toolTransport: 'none' })];
    const { agents } = await scan(runners, { places: m.places() });
    assert.equal(
      agents.map((one) => [one.full_access, one.caller_tools, one.caller_tools_with_full_access]),
      [
        [false, true, false],
        [true, false, false],
      ],
    );
  }));

test('a built-in runtime is listed only with all', () =>
  withMachine({}, async (m) => {
    const runners = [sample(), sample({ id: 'demo', builtin: true, bins: [], packages: [] })];
    const places = m.places({ turnout: ['/node', '/turnout.js'] });
    assert.equal(
      (await scan(runners, { places })).agents.map((one) => one.id),
      ['sample'],
    );
    const all = (await scan(runners, { places, all: true })).agents;
    assert.equal(
      all.map((one) => [one.id, one.builtin, one.installed]),
      [
        ['sample', undefined, false],
        ['demo', true, true],
      ],
    );
  }));

test('no program is run without probe, and with it only one whose files do not tell', () =>
  withMachine({ ...INSTALLED, 'bin/turnout-other': program('#!/bin/sh\necho "other 4.5.6"\n') }, async (m) => {
    const runners = [sample(), sample({ id: 'other', bins: ['turnout-other'], packages: [] })];
    const places = m.places({ env: { PATH: m.at('bin') } });
    const read = (await scan(runners, { places })).agents;
    assert.equal(
      read.map((one) => [one.version, one.version_source]),
      [
        ['1.3.0', 'package.json'],
        [null, 'not-probed'],
      ],
    );
    const probed = (await scan(runners, { places, probe: true })).agents;
    assert.equal(
      probed.map((one) => [one.version, one.version_source]),
      [
        ['1.3.0', 'package.json'],
        ['4.5.6', 'exec'],
      ],
    );
    assert.not.ok((await readdir(m.at('bin'))).includes('ran'));
    assert.not.ok((await readdir(m.at('lib/node_modules/@acme/sample'))).includes('ran'));
  }));

test('a program that gives no version when probed is still installed, and a note says so', () =>
  withMachine({ 'bin/turnout-sample': program('#!/bin/sh\nexit 1\n') }, async (m) => {
    const { agents } = await scan([sample()], { places: m.places({ env: { PATH: m.at('bin') } }), probe: true });
    assert.equal([agents[0]?.installed, agents[0]?.version, agents[0]?.version_source], [true, null, 'not-probed']);
    assert.match(agents[0]?.notes?.join('\n') ?? '', 'printed no version');
  }));

test('a runner that throws becomes an entry that says so, and the others are scanned', () =>
  withMachine(INSTALLED, async (m) => {
    const broken: Runner = {
      ...sample({ id: 'broken' }),
      get bins(): readonly string[] {
        throw new Error('no bins here');
      },
    };
    const { agents } = await scan([broken, sample()], { places: m.places({ env: { PATH: m.at('bin') } }) });
    assert.equal(
      agents.map((one) => [one.id, one.installed]),
      [
        ['broken', false],
        ['sample', true],
      ],
    );
    assert.match(agents[0]?.notes?.join('\n') ?? '', 'no bins here');
    assert.is(agents[0]?.execution_supported, false);
  }));

test('a Windows stub that can not be resolved is installed but not runnable, and says what to do', async () => {
  const places = windowsPlaces({ 'C:\\t\\turnout-sample.cmd': 'call who-knows' }, { Path: 'C:\\t' });
  const [entry] = (await scan([sample()], { places })).agents;
  assert.equal([entry?.installed, entry?.execution_supported], [true, false]);
  assert.match(entry?.execution_unsupported_reason ?? '', 'SAMPLE_CLI_BIN');
});

test('a runtime that is known but can not be run says why and offers no sandbox', () =>
  withMachine({}, async (m) => {
    const [entry] = (await scan([sample({ unsupported: 'it has no headless mode' })], { places: m.places() })).agents;
    assert.equal(
      [entry?.execution_supported, entry?.execution_unsupported_reason, entry?.sandbox_modes],
      [false, 'it has no headless mode', []],
    );
  }));

test('each folder is listed once, however many programs are sought', () =>
  withMachine({ 'a/x': program(), 'b/x': program() }, async (m) => {
    const listed: string[] = [];
    const disk = diskFiles('linux');
    const files = {
      ...disk,
      names(folder: string) {
        listed.push(folder);
        return disk.names(folder);
      },
    };
    const runners = Array.from({ length: 30 }, (_, at) => sample({ id: `agent${at}`, bins: [`turnout-agent-${at}`] }));
    const { agents } = await scan(runners, { places: m.places({ env: { PATH: `${m.at('a')}:${m.at('b')}` }, files }) });
    assert.is(agents.length, 30);
    assert.ok(listed.includes(m.at('a')));
    assert.is(listed.length, new Set(listed).size);
  }));

test('a folder that never answers costs the scan its limit and no more, and its runtimes say so', () =>
  withMachine(INSTALLED, async (m) => {
    const disk = diskFiles('linux');
    let gaveUp = 0;
    const files = {
      ...disk,
      names: (folder: string) => (folder === m.at('dead') ? new Promise<null>(() => {}) : disk.names(folder)),
    };
    const runners = Array.from({ length: 20 }, (_, at) => sample({ id: `agent${at}`, bins: [`turnout-agent-${at}`] }));
    const places = m.places({ env: { PATH: `${m.at('dead')}:${m.at('bin')}` }, files });
    const { agents } = await scan(runners, { places, limitMs: 50, stuck: () => gaveUp++ });
    assert.is(gaveUp, 20);
    assert.equal(
      agents.map(({ id, installed }) => [id, installed]),
      runners.map(({ id }) => [id, false]),
    );
    for (const { notes } of agents) assert.match(String(notes), /given up after 0.05 s: a folder .* does not answer/);
  }));

test('a scan leaves the machine as it was', () =>
  withMachine(INSTALLED, async (m) => {
    const before = (await readdir(m.root, { recursive: true })).sort();
    await scan([sample()], { places: m.places({ env: { PATH: m.at('bin') } }) });
    assert.equal((await readdir(m.root, { recursive: true })).sort(), before);
  }));

test.run();
