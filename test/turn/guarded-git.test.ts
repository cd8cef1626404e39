/** Every runner in every mode: what steers git is not written because a mode, a sandbox or an earlier yes lets files be written. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runners } from '../../src/registry/registry.js';
import type { Action } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { stage } from './stage.js';

const STEERING = [
  '/project/.git/config',
  '/project/.git/hooks/pre-commit',
  '/project/sub/.git/info/attributes',
  '/project/.gitattributes',
  '/project/bare/HEAD',
  'a/../.git/config',
];
/** The modes that are walls or questions, and the sandbox that lets scoped write. */
function turnsOf(runner: Runner): Partial<TurnRequest>[] {
  const modes = (['none', 'scoped', 'read', 'edit'] as const).filter((mode) => runner.access[mode] !== undefined);
  const writable = runner.sandbox['workspace-write'] !== undefined;
  return [
    ...modes.map((access) => ({ access })),
    ...(writable ? [{ access: 'scoped', sandbox: 'workspace-write' } as const] : []),
  ];
}
const writing = (key: string, file_path: string): Action => ({
  do: 'ask',
  key,
  question: { name: 'Write', kind: 'write', input: { file_path, content: 'x' } },
});
const decided = (heard: Awaited<ReturnType<typeof stage>>['heard']) =>
  heard.flatMap((one) => (one.type === 'decision' ? [one.choice] : []));

test('without a person they are denied', async () => {
  let asked = 0;
  for (const { id, access, sandbox, ...rest } of runners.filter(({ unsupported }) => unsupported === undefined)) {
    for (const request of turnsOf({ id, access, sandbox, ...rest })) {
      const on = await stage({ request, runner: { id, access, sandbox } });
      STEERING.forEach((path, index) => {
        on.act(writing(`q${index}`, path));
      });
      const what = `${id} ${JSON.stringify(request)}`;
      assert.equal(
        decided(on.heard),
        STEERING.map(() => 'deny'),
        what,
      );
      asked++;
      on.exit();
      await on.turn.done;
    }
  }
  assert.ok(asked > 50, `${asked} turns`);
});

test('a person who allowed files for the session is asked about them again', async () => {
  const on = await stage({ request: { access: 'scoped', approvals: 'stdio' } });
  on.act(writing('first', '/project/a.txt'));
  on.turn.frame({ v: 1, type: 'permission_result', id: 'pr_1', choice: 'allow_session' });
  on.act(writing('second', '/project/b.txt'));
  assert.equal(decided(on.heard), ['allow_once', 'allow_once']);
  assert.is(on.events.filter(({ type }) => type === 'permission_request').length, 1);
  on.act(writing('third', '/project/.git/config'));
  assert.is(decided(on.heard).length, 2, 'no answer without a person');
  assert.is(on.events.filter(({ type }) => type === 'permission_request').length, 2);
  on.exit();
  await on.turn.done;
});

test.run();
