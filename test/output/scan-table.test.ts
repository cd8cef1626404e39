import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ScanEntry } from '../../src/contract/scan.js';
import { scanTable } from '../../src/output/scan-table.js';

function entry(changes: Partial<ScanEntry>): ScanEntry {
  return {
    id: 'agent',
    installed: true,
    binary: '/bin/agent',
    version: '1.2.3',
    version_source: 'package.json',
    newer_than_tested: false,
    tested_versions: ['1.2.3'],
    install_hint: 'npm install -g agent',
    install: { kind: 'manual' },
    login_hint: null,
    transport: 'acp',
    streams_incrementally: true,
    full_access: false,
    access_modes: ['scoped', 'read'],
    access_gaps: {},
    confinement: {},
    caller_tools: true,
    caller_tools_with_full_access: false,
    tool_transport: 'mcp',
    parallel_calls: false,
    tool_result_limit: null,
    native_sandbox: 'none',
    approvals: 'on',
    asks_permission: ['scoped'],
    asks_questions: false,
    sandbox_modes: [],
    sandbox_mode_reports: {},
    tool_activity_fidelity: 'full',
    resume: true,
    effort: false,
    max_turns: false,
    reports_cost: false,
    silent_retries: false,
    untold_stop_reasons: [],
    prompt_in_argv: false,
    settings_loaded: [],
    init_target: null,
    execution_supported: true,
    ...changes,
  };
}

const table = (...agents: ScanEntry[]) => scanTable({ v: 1, agents }, false).trimEnd().split('\n');

test('a row says what is installed, what it may be told and where it is', () => {
  assert.equal(table(entry({}), entry({ id: 'longer-name', installed: false, binary: null, version: null })), [
    'RUNTIME      VERSION  ACCESS       TOOLS  PROGRAM',
    'agent        1.2.3    scoped read  mcp    /bin/agent',
    'longer-name  -        scoped read  mcp    not installed: npm install -g agent',
  ]);
});

test('an unknown version is not made up', () => {
  assert.match(table(entry({ version: null }))[1] ?? '', /^agent +unknown/);
});

test('remarks stand under their row', () => {
  const lines = table(
    entry({ version: '2.0.0', newer_than_tested: true, notes: ['a stub of volta'] }),
    entry({ id: 'off', execution_supported: false, execution_unsupported_reason: 'needs an account' }),
  );
  assert.is(lines[2], '  newer than any version tested (1.2.3)');
  assert.is(lines[3], '  a stub of volta');
  assert.match(lines[4] ?? '', /^off +1\.2\.3 +- /);
  assert.is(lines[5], '  needs an account');
});

test('a path can’t steer the terminal', () => {
  assert.match(table(entry({ binary: '/tmp/\u001b[2Jx\u202e' }))[1] ?? '', /\/tmp\/\?\[2Jx\?$/);
});

test('colours are for terminals', () => {
  assert.ok(scanTable({ v: 1, agents: [entry({})] }, true).startsWith('\u001b[1mRUNTIME'));
});

test('nothing installed is said in words', () => {
  assert.match(table()[1] ?? '', /^No runtime is installed/);
});

test.run();
