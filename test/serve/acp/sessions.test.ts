// limit: 300s
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type {
  NewSessionRequest,
  SessionConfigOption,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk/unstable';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leftovers, place } from '../../contract/cli.js';
import { survivors } from '../../process/survivors.js';
import { begin, choose, closeAll, edit, failed, ofKind, prompt, said } from './editor.js';

test.after.each(closeAll);

const where = (cwd: string): NewSessionRequest => ({ cwd, mcpServers: [] });
const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const valuesOf = (option: SessionConfigOption | undefined) =>
  option?.type === 'select' ? option.options.flatMap((one) => ('value' in one ? [one.value] : [])) : [];
const currents = (options: readonly SessionConfigOption[] | null | undefined) =>
  Object.fromEntries((options ?? []).map((one) => [one.id, one.currentValue]));

test('a session is loaded after a restart: its history is told again, and the runtime remembers', async () => {
  const home = place();
  const before = await edit({ place: home, permit: choose('allow_once') });
  const session = await begin(before);
  await prompt(before, session, 'think then say first then write a.txt A');
  await prompt(before, session, 'shell ls');
  const live = before.updates.filter(({ update }) => update.sessionUpdate !== 'available_commands_update');
  await before.quit();

  const after = await edit({ place: home });
  const list = await after.agent.request('session/list', { cwd: home.cwd });
  assert.equal(
    list.sessions.map(({ sessionId, cwd, title }) => ({ sessionId, cwd, title })),
    [{ sessionId: session, cwd: home.cwd, title: 'think then say first then write a.txt A' }],
  );
  const loaded = await after.agent.request('session/load', { sessionId: session, ...where(home.cwd) });
  assert.is(loaded.modes?.currentModeId, 'scoped');
  assert.equal(
    ofKind(after, 'user_message_chunk').map(({ content }) => content),
    [
      { type: 'text', text: 'think then say first then write a.txt A' },
      { type: 'text', text: 'shell ls' },
    ],
  );
  assert.is(said(after), said(before));
  assert.is(said(after, session, 'agent_thought_chunk'), said(before, session, 'agent_thought_chunk'));
  const calls = (updates: typeof live) =>
    updates.map(({ update }) => update).filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'));
  assert.equal(calls(after.updates), calls(live));
  const told = after.updates.length;
  await prompt(after, session, 'remember');
  assert.match(said({ ...after, updates: after.updates.slice(told) }), 'shell ls');
  await after.quit();
});

test('resume goes on without telling the history', async () => {
  const home = place();
  const before = await edit({ place: home });
  const session = await begin(before);
  await prompt(before, session, 'say first');
  await before.quit();
  const after = await edit({ place: home });
  await after.agent.request('session/resume', { sessionId: session, ...where(home.cwd) });
  assert.equal([ofKind(after, 'user_message_chunk'), said(after)], [[], '']);
  await prompt(after, session, 'remember');
  assert.match(said(after), 'say first');
  await after.quit();
});

test('a prompt with attachments is told again as it was written', async () => {
  const home = place();
  const before = await edit({ place: home });
  const session = await begin(before);
  const blocks = [
    { type: 'text' as const, text: 'say ' },
    { type: 'resource_link' as const, uri: 'file:///a/b.txt', name: 'b.txt' },
  ];
  await before.agent.request('session/prompt', { sessionId: session, prompt: blocks });
  await before.quit();
  const after = await edit({ place: home });
  await after.agent.request('session/load', { sessionId: session, ...where(home.cwd) });
  assert.equal(
    ofKind(after, 'user_message_chunk').map(({ content }) => content),
    blocks,
  );
  await after.quit();
});

test('a fork knows what was said; the original goes on by itself, and may be deleted', async () => {
  const editor = await edit();
  const session = await begin(editor);
  await prompt(editor, session, 'say forty-two');
  const fork = await editor.agent.request('session/fork', { sessionId: session, cwd: editor.place.cwd });
  assert.is.not(fork.sessionId, session);
  await prompt(editor, fork.sessionId, 'system');
  assert.match(said(editor, fork.sessionId), 'forty-two');
  await editor.agent.request('session/delete', { sessionId: session });
  const { sessions } = await editor.agent.request('session/list', {});
  assert.equal(
    sessions.map(({ sessionId }) => sessionId),
    [fork.sessionId],
  );
  await editor.agent.request('session/close', { sessionId: fork.sessionId });
  await editor.agent.request('session/load', { sessionId: fork.sessionId, ...where(editor.place.cwd) });
  assert.equal(
    ofKind(editor, 'user_message_chunk').map(({ content }) => (content.type === 'text' ? content.text : '')),
    ['say forty-two', 'system'],
  );
  await editor.quit();
});

test('closing ends a turn and frees the session; deleting what is not there succeeds', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const waiting = prompt(editor, session, 'say busy then hang');
  await editor.update((update) => update.sessionUpdate === 'agent_message_chunk');
  await editor.agent.request('session/close', { sessionId: session });
  assert.is((await waiting).stopReason, 'cancelled');
  assert.match((await failed(prompt(editor, session, 'hello'))).message, 'load or resume');
  assert.equal(await editor.agent.request('session/delete', { sessionId: 'nothing' }), {});
  await editor.quit();
  assert.equal(await leftovers(editor.place.mark), []);
});

test('modes are the access mode that the runtime has, and they hold', async () => {
  const editor = await edit();
  const opened = await editor.agent.request('session/new', where(editor.place.cwd));
  const root = process.getuid?.() === 0;
  assert.equal(
    opened.modes?.availableModes.map(({ id }) => id),
    ['scoped', 'none', 'read', 'edit', 'edit-unasked', ...(root ? [] : ['full'])],
  );
  const { sessionId } = opened;
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'edit' });
  assert.is(currents(ofKind(editor, 'config_option_update').at(-1)?.configOptions)['mode'], 'edit');
  await prompt(editor, sessionId, 'write a.txt A');
  assert.equal(editor.questions, []);
  assert.ok(existsSync(join(editor.place.cwd, 'a.txt')));
  await editor.agent.request('session/set_config_option', { sessionId, configId: 'mode', value: 'read' });
  assert.is(ofKind(editor, 'current_mode_update').at(-1)?.currentModeId, 'read');
  await prompt(editor, sessionId, 'write b.txt B');
  assert.not.ok(existsSync(join(editor.place.cwd, 'b.txt')));
  assert.is((await failed(editor.agent.request('session/set_mode', { sessionId, modeId: 'wild' }))).code, -32602);
  await editor.quit();
});

test('what was chosen is there after a restart', async () => {
  const home = place();
  const before = await edit({ place: home });
  const { sessionId, configOptions } = await before.agent.request('session/new', where(home.cwd));
  assert.equal(currents(configOptions), { mode: 'scoped', model: '_default', effort: '_default', runtime: 'demo' });
  const model = valuesOf(configOptions?.find(({ id }) => id === 'model')).at(-1) ?? '';
  const set = (configId: string, value: string) =>
    before.agent.request('session/set_config_option', { sessionId, configId, value });
  await set('mode', 'edit');
  await set('effort', 'off');
  assert.is(currents((await set('model', model)).configOptions)['model'], model);
  await prompt(before, sessionId, 'think');
  assert.is(said(before, sessionId, 'agent_thought_chunk'), '');
  for (const [option, value] of [
    ['model', 'none-such'],
    ['effort', 'huge'],
    ['colour', 'red'],
    ['runtime', 'claude'],
  ] as const)
    assert.ok((await failed(set(option, value))).message.length > 0, option);
  await before.quit();
  const after = await edit({ place: home });
  const again = await after.agent.request('session/resume', { sessionId, ...where(home.cwd) });
  assert.equal(currents(again.configOptions), { mode: 'edit', model, effort: 'off', runtime: 'demo' });
  await after.quit();
});

test('another agent takes over with what was said, and keeps the session when it is loaded again', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: the stand-in for an agent is a shell script');
  const home = place();
  const bin = join(home.cwd, '..', 'bin');
  mkdirSync(bin);
  const agent = join(root, 'fixtures/bin/speaks-acp.js');
  writeFileSync(join(bin, 'goose'), `#!/bin/sh\nexec '${process.execPath}' '${agent}'\n`, { mode: 0o755 });
  home.env['PATH'] = `${bin}${delimiter}${home.env['PATH']}`;
  const editor = await edit({ place: home, permit: choose('allow_once') });
  const { sessionId, configOptions } = await editor.agent.request('session/new', where(home.cwd));
  assert.ok(valuesOf(configOptions?.find(({ id }) => id === 'runtime')).includes('goose'));
  await prompt(editor, sessionId, 'say forty-two');
  const set: SetSessionConfigOptionRequest = { sessionId, configId: 'runtime', value: 'goose' };
  const changed = await editor.agent.request('session/set_config_option', set);
  assert.is(currents(changed.configOptions)['runtime'], 'goose');
  const before = editor.updates.length;
  await prompt(editor, sessionId, 'go on');
  const heard = said({ ...editor, updates: editor.updates.slice(before) });
  assert.match(heard, /asked: [\s\S]*<user>\nsay forty-two\n<\/user>[\s\S]*go on/);
  await editor.quit();
  const again = await edit({ place: home });
  const loaded = await again.agent.request('session/load', { sessionId, ...where(home.cwd) });
  assert.is(currents(loaded.configOptions)['runtime'], 'goose');
  assert.match(said(again), 'forty-two');
  await again.quit();
});

test('two processes share the sessions; what one of them left open when it died is told as interrupted', async () => {
  const home = place();
  const [one, two] = [await edit({ place: home }), await edit({ place: home })];
  const session = await begin(one);
  const busy = prompt(one, session, 'say busy then hang');
  busy.catch(() => {});
  await one.update((update) => update.sessionUpdate === 'agent_message_chunk');
  await two.agent.request('session/resume', { sessionId: session, ...where(home.cwd) });
  assert.match((await failed(prompt(two, session, 'hello'))).message, 'another process');
  one.running.child.kill('SIGKILL');
  await one.running.ended;
  assert.is((await prompt(two, session, 'say on')).stopReason, 'end_turn');
  await two.quit();
  assert.equal(await leftovers(home.mark), []);
});

test('the list is for a folder, by pages', async () => {
  const editor = await edit();
  const other = join(editor.place.cwd, 'other');
  mkdirSync(other);
  await prompt(editor, await begin(editor), 'say here');
  await prompt(editor, await begin(editor, { cwd: other }), 'say there');
  await begin(editor);
  const { sessions } = await editor.agent.request('session/list', { cwd: other });
  assert.equal(
    sessions.map(({ title, cwd }) => [title, cwd]),
    [['say there', other]],
  );
  assert.is((await editor.agent.request('session/list', {})).sessions.length, 2);
  assert.is((await failed(editor.agent.request('session/list', { cursor: 'x' }))).code, -32602);
  await editor.quit();
});

test('sessions of an unknown id, in no folder, or with servers that are no servers are refused', async () => {
  const editor = await edit();
  const load = editor.agent.request('session/load', { sessionId: 'ses_x', ...where(editor.place.cwd) });
  assert.is((await failed(load)).code, -32002);
  assert.is((await failed(prompt(editor, 'ses_x', 'hello'))).code, -32002);
  assert.is((await failed(begin(editor, { cwd: 'relative' }))).code, -32602);
  assert.is((await failed(begin(editor, { cwd: '/nowhere/at/all' }))).code, -32602);
  const twice = { name: 'x', command: 'x', args: [], env: [] };
  assert.is((await failed(begin(editor, { mcpServers: [twice, twice] }))).code, -32602);
  const session = await begin(editor, { mcpServers: [twice] });
  assert.match((await failed(prompt(editor, session, 'hello'))).message, 'loads no MCP servers');
  await editor.quit();
  const without = await edit({ args: ['--runtime', 'demo', '--no-client-mcp'] });
  const deaf = await begin(without, { mcpServers: [twice] });
  assert.is((await prompt(without, deaf, 'hello')).stopReason, 'end_turn');
  await without.quit();
});

test('later prompts of a session go to the same program, until the session is closed', async () => {
  const editor = await edit();
  const sessionId = await begin(editor);
  for (let i = 0; i < 3; i++) await prompt(editor, sessionId, 'env TURNOUT_TURN');
  const [first = '', ...rest] = said(editor).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  assert.equal(rest, [first, first]);
  const marker = { name: 'TURNOUT_TURN', value: first };
  assert.is(survivors(marker).length, 1);
  await editor.agent.request('session/close', { sessionId });
  assert.equal(survivors(marker), []);
  await editor.quit();
});

test.run();
