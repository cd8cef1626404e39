/** `--require-mcp` on claude, opencode and others: the prompt waits until they have told how every server is. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import gemini from '../../runners/gemini/index.js';
import kilo from '../../runners/kilo.js';
import opencode from '../../runners/opencode.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import type { McpServer } from '../../src/runner/request.js';
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

test('an agent whose log says nothing of its servers tells that they are unknown', () => {
  const asked = play(kilo.converse(request({ mcpServers: SERVERS }), machine()));
  asked.open(MODE);
  assert.equal(
    ready(asked.actions)?.map(({ status }) => status),
    ['unknown', 'unknown'],
  );
});

test('a runtime that does not tell refuses it before anything is started', () => {
  const answer = admit(gemini, request({ requireMcp: 'all' }), { root: false, allowRoot: false });
  assert.is(answer.refuse, 'unsupported');
});

test.run();
