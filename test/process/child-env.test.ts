import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ChildEnvOptions, childEnv, turnoutDepth } from '../../src/process/child-env.js';

const test = suite('child environment');
const OURS = { TURNOUT: '1', TURNOUT_TURN: 't1', TURNOUT_DEPTH: '1' };
const make = (changes: Partial<ChildEnvOptions>) =>
  childEnv({
    ambient: {},
    scrub: [],
    foreignKeys: [],
    set: {},
    explicit: {},
    turnId: 't1',
    platform: 'linux',
    ...changes,
  });

test('ambient variables pass, and ours are added', () => {
  assert.equal(make({ ambient: { HOME: '/h', EMPTY: '', GONE: undefined } }), { HOME: '/h', EMPTY: '', ...OURS });
});

test('names and patterns are scrubbed, from the beginning of a name only', () => {
  const ambient = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'x', CLAUDE: 'stays', MY_CLAUDE_CODE_X: 'stays' };
  assert.equal(make({ ambient, scrub: ['CLAUDECODE', 'CLAUDE_CODE_*'] }), {
    CLAUDE: 'stays',
    MY_CLAUDE_CODE_X: 'stays',
    ...OURS,
  });
});

test("other vendors' keys are left out", () => {
  assert.equal(make({ ambient: { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }, foreignKeys: ['OPENAI_*'] }), {
    ANTHROPIC_API_KEY: 'b',
    ...OURS,
  });
});

test('proxies and CAs stay whatever is scrubbed', () => {
  const ambient = {
    https_proxy: 'p',
    HTTP_PROXY: 'q',
    NO_PROXY: 'r',
    NODE_EXTRA_CA_CERTS: '/ca',
    SSL_CERT_FILE: '/ssl',
    OTHER: 'x',
  };
  const { OTHER: _, ...kept } = ambient;
  assert.equal(make({ ambient, scrub: ['*'] }), { ...kept, ...OURS });
});

test('set wins over ambient and removes with null; what the caller gave wins over both and is never scrubbed', () => {
  const made = make({
    ambient: { A: 'ambient', B: 'ambient', C: 'ambient', HTTPS_PROXY: 'p' },
    scrub: ['E_*'],
    foreignKeys: ['KEY'],
    set: { A: 'set', B: null, D: 'set', E_X: 'set', HTTPS_PROXY: null },
    explicit: { B: 'explicit', D: 'explicit', KEY: 'explicit' },
  });
  assert.equal(made, { A: 'set', B: 'explicit', C: 'ambient', D: 'explicit', E_X: 'set', KEY: 'explicit', ...OURS });
});

test('the marker and the depth cannot be given from outside', () => {
  const made = make({
    ambient: { TURNOUT_TURN: 'outer' },
    set: { TURNOUT_TURN: null },
    explicit: { TURNOUT_TURN: 'forged', TURNOUT_DEPTH: '9', TURNOUT: '0' },
  });
  assert.equal(made, OURS);
});

test('the depth counts up, and nonsense counts as outside', () => {
  assert.is(make({ ambient: { TURNOUT_DEPTH: '2' } })['TURNOUT_DEPTH'], '3');
  for (const text of ['', '-1', 'x', '1.5', '9999999999']) assert.is(turnoutDepth({ TURNOUT_DEPTH: text }), 0);
  assert.is(turnoutDepth({}), 0);
});

test('on Windows names are the same in any case, and the last spelling stands', () => {
  const made = make({
    platform: 'win32',
    ambient: { Path: 'C:\\a', ClaudeCode: '1', Http_Proxy: 'p' },
    scrub: ['CLAUDECODE', 'HTTP_*'],
    set: { PATH: 'C:\\b' },
  });
  assert.equal(made, {
    PATH: 'C:\\b',
    Http_Proxy: 'p',
    NoDefaultCurrentDirectoryInExePath: '1',
    PYTHONUTF8: '1',
    ...OURS,
  });
  const python = make({ platform: 'win32', ambient: { PythonUtf8: '0' } });
  assert.equal([python['PYTHONUTF8'], python['PythonUtf8']], [undefined, '0']);
  assert.equal(make({ ambient: { Path: 'a' }, set: { PATH: 'b' } }), { Path: 'a', PATH: 'b', ...OURS });
});

test.run();
