/** `--require-mcp` on claude, opencode and others: the prompt waits until they have told how every server is. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import gemini from '../../runners/gemini/index.js';
import kilo from '../../runners/kilo.js';
import kimi from '../../runners/kimi.js';
import opencode from '../../runners/opencode.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import type { McpServer, TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { admit } from '../../src/turn/admission.js';
import { play } from './acp-play.js';
import { HELLO, written } from './claude-lines.js';
import { hearAll, lines, machine, request } from './drive.js';

const status = (...mcpServers: JsonObject[]): JsonObject => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: 'turnout-servers', response: { mcpServers } },
});
const asks = (actions: readonly Action[]) => written(actions).map((line) => line['type']);
const ready = (actions: readonly Action[]) =>
  actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'ready' ? [action.event.mcpServers] : [],
  )[0];

test('claude: asked again while a server is being connected, and the prompt follows what it said', () => {
  const turn = claude.converse(request({ requireMcp: 'all' }), machine());
  const begun = hearAll(turn, [{ type: 'spawned' }, ...lines(HELLO)]);
  assert.equal(asks(begun), ['control_request', 'control_request'], 'hello and the question, no prompt');
  const pending = hearAll(turn, lines(status({ name: 'files', status: 'pending' })));
  assert.equal(pending, [{ do: 'wake', afterMs: 200 }]);
  assert.equal(asks(turn.hear({ type: 'woken' })), ['control_request']);
  const settled = hearAll(
    turn,
    lines(status({ name: 'files', status: 'failed', error: 'ENOENT' }, { name: 'turnout' })),
  );
  assert.equal(ready(settled)?.[0], { name: 'files', status: 'failed', reason: 'ENOENT' });
  assert.equal(asks(settled), []);
  assert.equal(asks(turn.hear({ type: 'woken' })), ['user']);
});

test('claude: a turn that is ended by what was said sends no prompt', () => {
  const turn = claude.converse(request({ requireMcp: ['files'] }), machine());
  hearAll(turn, [{ type: 'spawned' }, ...lines(HELLO, status({ name: 'files', status: 'failed' }))]);
  turn.hear({ type: 'stop', cause: 'error' });
  assert.equal(turn.hear({ type: 'woken' }), []);
});

const SERVERS = ['files', 'notes'].map(
  (name): McpServer => ({ name, type: 'stdio', command: '/bin/server', args: [], env: {} }),
);
const UNAVAILABLE =
  'timestamp=2026-11-30T23:22:01.274Z level=WARN run=68e85507 message="server unavailable" key=notes type=local status=needs_auth';
const MODE: JsonObject = {
  configOptions: [
    {
      id: 'mode',
      category: 'mode',
      type: 'select',
      currentValue: 'turnout',
      options: [{ value: 'turnout', name: 't' }],
    },
  ],
};

test('opencode: a server that its log names is missing, the others are ready, and the prompt waits for that', () => {
  const asked = play(opencode.converse(request({ requireMcp: 'all', mcpServers: SERVERS }), machine()));
  asked.hear({ type: 'stderr', text: UNAVAILABLE });
  asked.open(MODE);
  assert.equal(ready(asked.actions), [
    { name: 'files', status: 'ready' },
    { name: 'notes', status: 'needs_auth' },
  ]);
  assert.is(asked.count('session/prompt'), 0);
  asked.hear({ type: 'woken' });
  assert.is(asked.count('session/prompt'), 1);
});

test('opencode: a turn that is ended by what was said sends no prompt', () => {
  const asked = play(opencode.converse(request({ requireMcp: 'all', mcpServers: SERVERS }), machine()));
  asked.open(MODE);
  asked.hear({ type: 'stop', cause: 'error' });
  asked.hear({ type: 'woken' });
  assert.is(asked.count('session/prompt'), 0);
});

test('kilo: its log names what is missing, as that of the program it grew out of', () => {
  const asked = play(kilo.converse(request({ requireMcp: 'all', mcpServers: SERVERS }), machine()));
  asked.hear({ type: 'stderr', text: UNAVAILABLE.replace('needs_auth', 'failed') });
  asked.open(MODE);
  assert.equal(
    ready(asked.actions)?.map(({ status }) => status),
    ['ready', 'failed'],
  );
});

test('an agent whose log says nothing of its servers tells that they are unknown', () => {
  const asked = play(kimi.converse(request({ mcpServers: SERVERS }), machine()));
  asked.open();
  assert.equal(
    ready(asked.actions)?.map(({ status }) => status),
    ['unknown', 'unknown'],
  );
});

const LOG = '[2026-12-01T06:43:09.371Z] [LOG] ';
const ANSWERED = `${LOG}Registering notification handlers for server 'files'. Capabilities: { tools: {} }`;
const FAILED = `${LOG}[MCP error] Error during discovery for MCP server 'notes': spawn /no/such ENOENT`;

test('gemini: the prompt waits until its log has told of every server, and of none of another name', () => {
  const asked = play(gemini.converse(request({ requireMcp: 'all', mcpServers: SERVERS }), machine()));
  asked.hear({ type: 'stderr', text: ANSWERED });
  asked.open();
  assert.is(ready(asked.actions), undefined, 'nothing is said while one is unknown');
  assert.ok(asked.actions.some((action) => action.do === 'phase' && action.phase === 'servers'));
  asked.hear({ type: 'stderr', text: FAILED.replace('notes', 'others') });
  assert.is(ready(asked.actions), undefined);
  asked.hear({ type: 'stderr', text: FAILED });
  assert.equal(ready(asked.actions), [
    { name: 'files', status: 'connected' },
    { name: 'notes', status: 'failed', reason: 'spawn /no/such ENOENT' },
  ]);
  assert.is(asked.count('session/prompt'), 0);
  asked.hear({ type: 'woken' });
  assert.is(asked.count('session/prompt'), 1);
});

test('gemini: what its log says is heard through the file, and only where servers must be ready', () => {
  const log = (changes: Partial<TurnRequest>) => {
    const answer = gemini.invoke(request(changes), machine());
    return isRefusal(answer) ? undefined : answer.log?.lines;
  };
  const waiting = log({ requireMcp: ['files'] });
  for (const line of [ANSWERED, FAILED]) {
    assert.is(waiting?.test(line), true, line);
    assert.is(log({})?.test(line), false, line);
  }
  assert.is(waiting?.test(`${LOG}Scheduling MCP context refresh...`), false);
  assert.is(waiting?.test('[2026-12-01T06:43:09.371Z] [WARN] Attempt 1 failed with status 429. Retrying'), true);
});

test('gemini: refused where its log goes elsewhere, and where it can list no servers', () => {
  const of = (changes: Partial<TurnRequest>, names: readonly string[] = []) =>
    isRefusal(gemini.invoke(request(changes), machine({ envNames: new Set(names) })));
  assert.is(of({ requireMcp: ['files'] }), false);
  assert.is(of({ requireMcp: ['files'] }, ['GEMINI_DEBUG_LOG_FILE']), true);
  assert.is(of({}, ['GEMINI_DEBUG_LOG_FILE']), false);
  assert.is(of({ requireMcp: 'all', settings: ['user'] }), true);
  assert.is(of({ requireMcp: ['files'], settings: ['user'] }), false);
});

test('a runtime that does not tell refuses it before anything is started', () => {
  const answer = admit(kimi, request({ requireMcp: 'all' }), { root: false, allowRoot: false });
  assert.is(answer.refuse, 'unsupported');
});

test.run();
