// limit: 180s
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { leftovers, place, type RunOptions, run } from '../../contract/cli.js';
import { begin, closeAll, edit, failed, prompt } from './editor.js';

test.after.each(closeAll);

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'i',
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
};
const acp = (options: RunOptions = {}) => run(['acp', '--runtime', 'demo', '--store', 'memory'], options);
const answerTo = (id: string | number) => (message: JsonObject) => message['id'] === id;
const code = (message: JsonObject) => JSON.parse(JSON.stringify(message)).error?.code;

test('garbage, batches and wrong parameters are answered, and the connection lives on', async () => {
  const running = acp();
  running.send('this is no JSON');
  running.send('[]');
  running.send({ jsonrpc: '2.0', id: 1, method: 'session/list', params: {} });
  running.send(INITIALIZE);
  await running.event(answerTo('i'));
  running.send({ jsonrpc: '2.0', id: 2, method: 'session/new', params: { cwd: 7 } });
  running.send({ jsonrpc: '2.0', id: 3, method: 'no/such/method', params: {} });
  running.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'nobody' } });
  running.send({ jsonrpc: '2.0', id: 4, method: 'session/list', params: {} });
  await running.event(answerTo(4));
  running.closeStdin();
  running.watch();
  const ended = await running.ended;
  assert.equal([ended.code, ended.late], [0, false]);
  const codes = ended.events.map(code);
  assert.equal(codes.slice(0, 3), [-32700, -32600, -32600]);
  assert.equal(
    [2, 3, 4].map((id) => code(ended.events.find(answerTo(id)) ?? {})),
    [-32602, -32601, undefined],
  );
  for (const line of ended.lines) assert.is(JSON.parse(line).jsonrpc, '2.0');
});

test('a message that is too large fails alone: other prompts go on', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const other = await begin(editor);
  const going = prompt(editor, session, 'slow 5');
  await editor.update((update) => update.sessionUpdate === 'agent_message_chunk');
  const refused = await failed(prompt(editor, other, 'x'.repeat(64 * 1024 * 1024)));
  assert.is(refused.code, -32600);
  assert.is((await going).stopReason, 'end_turn');
  assert.is((await prompt(editor, other, 'say on')).stopReason, 'end_turn');
  const { code: exit, stderr } = await editor.quit();
  assert.equal([exit, stderr], [0, '']);
});

test('a later version of the protocol is answered with the one we speak', async () => {
  const running = acp();
  running.send({ ...INITIALIZE, params: { protocolVersion: 9, clientCapabilities: {} } });
  const answer = await running.event(answerTo('i'));
  assert.is(JSON.parse(JSON.stringify(answer)).result.protocolVersion, 1);
  running.closeStdin();
  await running.ended;
});

test('the end of input in the middle of a turn ends everything in a second, with an answer', async () => {
  for (const work of ['say busy then hang', 'say busy then hang hard', 'say busy then shell sleep 60']) {
    const editor = await edit({ args: ['--runtime', 'demo', '--access', 'full', '--allow-root'] });
    const waiting = prompt(editor, await begin(editor), work);
    await editor.update((update) => update.sessionUpdate === 'agent_message_chunk');
    const at = performance.now();
    editor.running.closeStdin();
    editor.running.watch();
    assert.is((await waiting).stopReason, 'cancelled', work);
    const { code: exit, late } = await editor.running.ended;
    assert.equal([exit, late], [0, false], work);
    // Twice the second that is promised.
    assert.ok(performance.now() - at < 2000, `${work}: ${performance.now() - at} ms`);
    assert.equal(await leftovers(editor.place.mark), []);
  }
});

test('a client that closes everything in the middle of a turn, or a signal, ends it too', async () => {
  for (const leave of ['close', 'signal'] as const) {
    const editor = await edit();
    prompt(editor, await begin(editor), 'say busy then hang').catch(() => {});
    await editor.update((update) => update.sessionUpdate === 'agent_message_chunk');
    if (leave === 'signal') editor.running.child.kill('SIGTERM');
    else {
      editor.running.child.stdout?.destroy();
      editor.running.closeStdin();
    }
    editor.running.watch();
    const exit = await new Promise((resolve) => editor.running.child.once('exit', resolve));
    assert.is(exit, 0, leave);
    assert.equal(await leftovers(editor.place.mark), []);
  }
});

test('a slow reader gets everything', async () => {
  const running = acp({ read: false });
  running.send(INITIALIZE);
  const lines: JsonObject[] = [];
  let rest = '';
  const out = running.child.stdout;
  out?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      const message = JSON.parse(line);
      lines.push(message);
      if (message.id === 'i')
        running.send({
          jsonrpc: '2.0',
          id: 1,
          method: 'session/new',
          params: { cwd: running.place.cwd, mcpServers: [] },
        });
      const text = [{ type: 'text', text: 'big 6' }];
      if (message.id === 1)
        running.send({
          jsonrpc: '2.0',
          id: 2,
          method: 'session/prompt',
          params: { sessionId: message.result.sessionId, prompt: text },
        });
      if (message.id === 2) running.closeStdin();
    }
    out.pause();
    setTimeout(() => out.resume(), 2);
  });
  await new Promise((resolve) => running.child.once('close', resolve));
  const said = lines.map((line) => JSON.parse(JSON.stringify(line)).params?.update?.content?.text ?? '').join('');
  assert.is(Buffer.byteLength(said), 6 * 1024 * 1024);
});

test('a name that no runtime has is wrong usage, before anything is said', async () => {
  const { code: exit, lines, stderr } = await run(['acp', '--runtime', 'claud'], { stdin: 'closed' }).ended;
  assert.equal([exit, lines], [2, []]);
  assert.match(stderr, 'Did you mean claude?');
  const bad = await run(['acp', '--settings', 'none,user'], { stdin: 'closed' }).ended;
  assert.equal([bad.code, bad.lines], [2, []]);
});

test('--check tells whether it would work', async () => {
  const where = place();
  const good = await run(['acp', '--runtime', 'demo', '--check'], { stdin: 'closed', place: where }).ended;
  assert.is(good.code, 0);
  assert.match(good.lines.join('\n'), 'Demo, built in');
  assert.ok(existsSync(join(where.env['XDG_STATE_HOME'] ?? '', 'turnout', 'acp.db')));
  const bad = await run(['acp', '--runtime', 'codex', '--check'], { stdin: 'closed', place: where }).ended;
  assert.is(bad.code, 1);
  assert.match(bad.lines.join('\n'), 'not installed');
});

test('--setup tells how to log in where nobody can type', async () => {
  const none = await run(['acp', '--runtime', 'demo', '--setup'], { stdin: 'closed' }).ended;
  assert.equal([none.code, none.lines], [0, ['Demo needs no login.']]);
  const missing = await run(['acp', '--runtime', 'codex', '--setup'], { stdin: 'closed' }).ended;
  assert.is(missing.code, 1);
});

test.run();
