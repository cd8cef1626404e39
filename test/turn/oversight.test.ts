/** What ends a turn from outside the conversation: budgets, servers that are not ready; and what its host reads then. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import type { Action } from '../../src/runner/action.js';
import type { McpServer } from '../../src/runner/request.js';
import { finish, stage, text } from './stage.js';

const of = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type);
const toolStart = (id: string, parent?: string): Action => ({
  do: 'say',
  event: {
    type: 'tool_activity',
    phase: 'start',
    id,
    name: 'Bash',
    kind: 'shell',
    input: { command: 'ls' },
    ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
  },
});
const toolEnd = (id: string, ok: boolean): Action => ({
  do: 'say',
  event: { type: 'tool_activity', phase: 'end', id, ok, output: 'out' },
});
const spend = (input: number, output: number): Action => ({
  do: 'spend',
  scope: 'delta',
  spent: { input, output, costUsd: null },
});
const ready = (status: string, reason?: string): Action => ({
  do: 'say',
  event: { type: 'ready', mcpServers: [{ name: 'files', status, ...(reason === undefined ? {} : { reason }) }] },
});
const SERVER: McpServer = { name: 'files', type: 'stdio', command: 'files', args: [], env: {} };

test('--budget-tokens counts both directions and ends the turn as budget', async () => {
  const on = await stage({ request: { budgetTokens: 100 } });
  on.act(text('a'), spend(60, 40));
  assert.equal(of(on.events, 'error'), [], 'exactly the budget is within it');
  on.act(spend(1, 0));
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.is(of(on.events, 'error')[0]?.code, 'budget');
  assert.match(of(on.events, 'error')[0]?.message ?? '', '101 tokens');
});

test('a token budget that could not be checked is told', async () => {
  const on = await stage({ request: { budgetTokens: 100 } });
  on.act(text('a'), finish);
  on.exit(0);
  assert.is(await on.turn.done, 0);
  assert.match(of(on.events, 'status')[0]?.message ?? '', '--budget-tokens was not checked');
});

test('--max-tool-calls counts the calls of subagents and of the caller’s tools', async () => {
  const on = await stage({ request: { maxToolCalls: 2 } });
  on.act(toolStart('t1'), toolStart('t2', 't1'));
  assert.is(on.heard.at(-1)?.type, 'line');
  on.act(toolStart('t3', 't1'));
  assert.is(on.heard.at(-1)?.type, 'stop');
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.match(of(on.events, 'error')[0]?.message ?? '', '--max-tool-calls');
});

test('a call that the end of a turn cuts short is cancelled, however its program words it', async () => {
  const on = await stage({ request: { maxTurns: 1 } });
  on.act(toolStart('t1'), toolEnd('t1', false), toolStart('t2'));
  on.act(toolEnd('t2', false));
  on.exit(0);
  await on.turn.done;
  const ends = of(on.events, 'tool_activity').filter((event) => event.phase === 'end');
  assert.equal(
    ends.map((event) => event.phase === 'end' && event.cancelled === true),
    [false, true],
  );
});

test('a required server that has failed ends the turn before the model speaks, with the reason', async () => {
  const on = await stage({ request: { mcpServers: [SERVER], requireMcp: ['files'] } });
  on.act(ready('failed', 'spawn files ENOENT'));
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.is(of(on.events, 'error')[0]?.code, 'mcp-failed');
  assert.match(of(on.events, 'error')[0]?.message ?? '', 'files (failed: spawn files ENOENT)');
  assert.equal(of(on.events, 'assistant'), []);
});

test('all means every server that was brought or loaded; one that is not there has failed', async () => {
  const fine = await stage({ request: { mcpServers: [SERVER], requireMcp: 'all' } });
  fine.act(ready('connected'), text('a'), finish);
  fine.exit(0);
  assert.is(await fine.turn.done, 0);
  const missing = await stage({ request: { mcpServers: [{ ...SERVER, name: 'other' }], requireMcp: 'all' } });
  missing.act(ready('connected'));
  missing.exit(0);
  assert.is(await missing.turn.done, 1);
  assert.match(of(missing.events, 'error')[0]?.message ?? '', 'other (not loaded)');
});

test('a model that begins before its program has told of required servers has no turn', async () => {
  const on = await stage({ request: { mcpServers: [SERVER], requireMcp: 'all' } });
  on.act(text('a'));
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.is(of(on.events, 'error')[0]?.code, 'mcp-failed');
});

test('whatever closes a call of a turn that is ending, its host reads one text', async () => {
  for (const close of ['withdraw', 'stdin', 'end'] as const) {
    const on = await stage({
      request: { toolsOn: true },
      toolbox: { declared: (n) => n, names: () => ['t'], violation: () => null },
    });
    on.act({ do: 'call', key: 'k', name: 't', args: {} });
    on.turn.cancel();
    if (close === 'withdraw') on.act({ do: 'withdraw', key: 'k' });
    if (close === 'stdin') on.turn.stdinClosed();
    on.exit(0);
    await on.turn.done;
    assert.equal(
      of(on.events, 'tool_result').map(({ result }) => result.text),
      ['ERROR: exec terminated'],
      close,
    );
  }
});

test('a program that only complains on stderr tells its cause, but not once it has worked', async () => {
  const silent = await stage();
  silent.handlers.stderr('2026-11-30T10:00:00Z ERROR You have hit your usage limit.');
  silent.exit(1);
  await silent.turn.done;
  assert.is(of(silent.events, 'error')[0]?.code, 'quota');
  const worked = await stage();
  worked.act(toolStart('t1'));
  worked.handlers.stderr('Error: You have hit your usage limit.');
  worked.exit(1);
  await worked.turn.done;
  assert.is(of(worked.events, 'error')[0]?.code, 'runner-error');
});

test('a limit that was hit says when it ends', async () => {
  const on = await stage();
  const outcome = { ok: false, code: 'quota', message: 'no more', resetsAt: 1_796_041_288_000 } as const;
  on.act({ do: 'finish', outcome });
  on.exit(0);
  await on.turn.done;
  assert.is(of(on.events, 'error')[0]?.resets_at, '2026-11-30T12:21:28.000Z');
});

test.run();
