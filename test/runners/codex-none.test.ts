/** `--access none` on codex: what a thread is opened with, and who is refused. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/codex/index.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { obj, parseObject } from '../../src/text/json.js';
import { hearAll, lines, machine, request } from './drive.js';

const written = (actions: readonly Action[]): JsonObject[] =>
  actions
    .map((action) => (action.do === 'write' ? parseObject(action.line) : undefined))
    .filter((one) => one !== undefined);

/** Brings a conversation to the point where it opens its thread. */
function toThread(changes: Partial<TurnRequest>, config: JsonObject = {}): { talk: Conversation; params: JsonObject } {
  const talk = runner.converse(request(changes), machine());
  hearAll(talk, [{ type: 'spawned' }, ...lines({ id: 1, result: { codexHome: '/home/user/.codex' } })]);
  const account = { id: 2, result: { account: null, requiresOpenaiAuth: false } };
  const opened = written(hearAll(talk, lines(account, { id: 3, result: { config, origins: {} } })));
  return {
    talk,
    params:
      obj(
        opened.find(({ method }) => method === 'thread/start'),
        'params',
      ) ?? {},
  };
}

const argv = (changes: Partial<TurnRequest>, on: Partial<Machine>): string => {
  const answer = runner.invoke(request(changes), machine(on));
  return isRefusal(answer) ? `refused: ${answer.refuse}` : answer.argv.join(' ');
};

test('at none a thread has no environment, no tool of its own and none of the servers of the user', () => {
  const config = { mcp_servers: { mine: { command: 'x' } } };
  const changes = { access: 'none', settings: ['user'] } as const;
  const { params, talk } = toThread(changes, config);
  assert.equal(params['environments'], []);
  assert.is(obj(params, 'config', 'features')?.['shell_tool'], false);
  assert.equal(obj(params, 'config', 'tools', 'update_plan'), { enabled: false });
  assert.equal(obj(params, 'config', 'mcp_servers', 'mine'), { enabled: false });
  const opened = (environments: Json) => ({
    id: 4,
    result: {
      thread: { id: 't', environments },
      sandbox: { type: 'readOnly' },
      activePermissionProfile: { id: 'turnout' },
    },
  });
  const begun = written(hearAll(talk, lines(opened([]))));
  assert.equal(
    obj(
      begun.find(({ method }) => method === 'turn/start'),
      'params',
    )?.['environments'],
    [],
  );
  // A thread that keeps an environment has not understood.
  for (const kept of [null, [{ environmentId: 'local' }]]) {
    const [end] = hearAll(toThread(changes).talk, lines(opened(kept))).slice(-1);
    assert.ok(end?.do === 'finish' && !end.outcome.ok && end.outcome.code === 'unsupported');
  }
  assert.not.ok('environments' in toThread({ access: 'read' }).params);
});

test('at none an older codex, and one of unknown version that continues a session, are refused', () => {
  const of = (version: string | null) => ({ program: { ...machine().program, version } });
  const none = { access: 'none' } as const;
  assert.is(argv(none, of('0.170.9')), 'refused: unsupported');
  assert.match(argv(none, of('0.171.0')), 'app-server');
  assert.match(argv(none, of(null)), 'app-server');
  assert.is(argv({ ...none, resume: 't' }, of(null)), 'refused: unsupported');
  assert.match(argv({ ...none, resume: 't' }, of('0.172.0')), 'app-server');
});

test.run();
