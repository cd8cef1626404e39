import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { finish, stage, text } from './stage.js';

test('a call of kind task is told as a subagent where the runtime tells none', async () => {
  for (const tellsSubagents of [false, true]) {
    const on = await stage({ runner: { tellsSubagents } });
    const input = { subagent_type: 'explore', prompt: 'look' };
    on.act(
      { do: 'say', event: { type: 'tool_activity', phase: 'start', id: 't1', name: 'Task', kind: 'task', input } },
      { do: 'say', event: { type: 'tool_activity', phase: 'end', id: 't1', ok: true, output: 'found' } },
      text('done'),
      finish,
    );
    on.exit();
    await on.turn.done;
    const told = on.events.flatMap((event) => (event.type === 'subagent' ? [event] : []));
    assert.equal(
      told.map((event) => [event.phase, event.subagent_type, event.status, event.summary]),
      tellsSubagents
        ? []
        : [
            ['started', 'explore', undefined, undefined],
            ['finished', undefined, 'completed', 'found'],
          ],
    );
    if (!tellsSubagents)
      assert.equal(on.types().slice(1, 5), ['tool_activity', 'subagent', 'tool_activity', 'subagent']);
  }
});

test.run();
