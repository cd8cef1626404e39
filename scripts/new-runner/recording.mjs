// A recording of a turn of the template's program, with the events that the template makes of it.

const NOTE =
  'Written with the template of the runner, for the lines that it knows. Put recordings of the real program in its place.';

const SESSION = 's-1';
const LINES = [
  { type: 'session', id: SESSION },
  { type: 'message', text: 'Hello there: é漢🎉.' },
  { type: 'of-a-newer-version' },
  { type: 'end' },
];

/** @param {string} id of the runner */
export function meta(id) {
  return `${JSON.stringify({ program: id, version: null, recorded: false, note: NOTE }, null, 2)}\n`;
}

/** @param {string} id of the runner */
export function recording(id) {
  const path = `/usr/local/bin/${id}`;
  const request = {
    runtime: id,
    prompt: 'hello',
    system: null,
    model: null,
    effort: null,
    cwd: '/project',
    resume: null,
    access: 'scoped',
    sandbox: null,
    sandboxFallback: 'fail',
    allowBashPrefix: [],
    approvals: 'deny',
    toolsOn: false,
    tools: [],
    toolTimeoutMs: 120_000,
    maxTurns: null,
    budgetUsd: null,
    settings: [],
    mcpServers: [],
    outputSchema: null,
  };
  const machine = {
    program: { path, args: [], found: path, real: path, version: null, variant: null },
    platform: 'linux',
    uid0: false,
    home: '/home/user',
    envNames: ['HOME', 'PATH'],
    turnout: ['node', 'turnout.js'],
    ids: {
      session: '11111111-1111-4111-8111-111111111111',
      turn: '22222222-2222-4222-8222-222222222222',
      nonce: '0123456789ab',
    },
    mcpBridge: null,
  };
  const event = (t, value) => ({ t, k: 'event', event: { v: 1, ...value } });
  const out = (t, value) => ({ t, k: 'out', line: JSON.stringify(value) });
  const [session, message, newer, end] = LINES;
  const start = {
    type: 'start',
    runtime: id,
    runtime_version: null,
    cwd: '/project',
    pid: 1,
    child_pid: 2,
    access: 'scoped',
    access_gaps: ['read_outside', 'write', 'shell', 'network'],
    native_sandbox: 'none',
    approvals: 'off',
    asks_permission: false,
    settings_loaded: ['user', 'project'],
    credential: { kind: 'unknown' },
    confinement: { by: 'program', network: 'open' },
    streams_incrementally: false,
  };
  const text = message.text;
  const figures = { input_tokens: null, output_tokens: null, cost_usd: null };
  const lines = [
    { t: 0, k: 'request', request, limits: { timeoutMs: 0, idleMs: 0, startupMs: 0 } },
    { t: 0, k: 'machine', machine },
    event(0, start),
    { t: 0, k: 'feed', text: 'hello' },
    out(10, session),
    event(10, { type: 'session', session_id: SESSION }),
    out(20, message),
    event(20, { type: 'assistant', text, message_id: 'm1' }),
    out(30, newer),
    out(40, end),
    event(40, {
      type: 'result',
      subtype: 'success',
      is_error: false,
      stop_reason: 'end_turn',
      text,
      output: text,
      ...figures,
    }),
    { t: 50, k: 'exit', code: 0, signal: null, files: {} },
    event(50, { type: 'done', exit_code: 0, stop_reason: 'end_turn', duration_ms: 50 }),
  ];
  return lines.map((line) => `${JSON.stringify({ turn: '22222222', ...line })}\n`).join('');
}

/** @param {string} id a program that speaks the template's lines, to try a runner with before the real one is there */
export function standIn(id) {
  const [session, message, , end] = LINES;
  return `#!/usr/bin/env node
// Speaks as ${id} would, so that the runner can be tried without it: reads its prompt from stdin.
if (process.argv.includes('--version')) {
  console.log('${id} 1.0.0');
} else {
  let prompt = '';
  for await (const part of process.stdin.setEncoding('utf8')) prompt += part;
  const say = (line) => console.log(JSON.stringify(line));
  say(${JSON.stringify(session)});
  if (prompt.includes('without a key')) say({ type: 'error', kind: 'auth', message: 'no key' });
  else {
    say({ ...${JSON.stringify(message)}, text: \`You said: \${prompt}\` });
    say(${JSON.stringify(end)});
  }
}
`;
}
