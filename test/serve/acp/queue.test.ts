// limit: 120s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leftovers } from '../../contract/cli.js';
import { begin, closeAll, type Editor, edit, failed, prompt, said } from './editor.js';

test.after.each(closeAll);

const busy = (update: { sessionUpdate: string }) => update.sessionUpdate === 'agent_message_chunk';

/** Resolves when the agent has seen what was sent before. */
const arrived = (editor: Editor) => editor.agent.request('session/list', {});

test('prompts that come while one is answered wait, and are answered in the order they came', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const order: string[] = [];
  const all = ['slow 3', 'say second', 'say third'].map((text) =>
    prompt(editor, session, text).then(({ stopReason }) => order.push(`${text} ${stopReason}`)),
  );
  await Promise.all(all);
  assert.equal(order, ['slow 3 end_turn', 'say second end_turn', 'say third end_turn']);
  assert.match(said(editor), /second.*third/s);
  await prompt(editor, session, 'remember');
  assert.match(said(editor), 'say third');
  await editor.quit();
});

test('calling off ends the prompt that runs and those that wait, which never ran', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const running = prompt(editor, session, 'say busy then hang');
  await editor.update(busy);
  const held = prompt(editor, session, 'say never');
  await arrived(editor);
  await editor.agent.notify('session/cancel', { sessionId: session });
  assert.equal([(await running).stopReason, (await held).stopReason], ['cancelled', 'cancelled']);
  await prompt(editor, session, 'remember');
  assert.not.match(said(editor), 'say never');
  await editor.quit();
  assert.equal(await leftovers(editor.place.mark), []);
});

test('a prompt that waits is called off alone, at once; the one that runs goes on', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const running = prompt(editor, session, 'say busy then hang');
  await editor.update(busy);
  const stop = new AbortController();
  const params = { sessionId: session, prompt: [{ type: 'text' as const, text: 'say never' }] };
  const held = editor.agent.request('session/prompt', params, { cancellationSignal: stop.signal });
  const last = prompt(editor, session, 'say last');
  await arrived(editor);
  stop.abort();
  assert.is(JSON.parse(JSON.stringify(await held)).stopReason, 'cancelled');
  await editor.agent.notify('session/cancel', { sessionId: session });
  assert.equal([(await running).stopReason, (await last).stopReason], ['cancelled', 'cancelled']);
  await editor.quit();
});

test('closing a session answers the prompts that wait', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const running = prompt(editor, session, 'say busy then hang');
  await editor.update(busy);
  const held = prompt(editor, session, 'say never');
  await editor.agent.request('session/close', { sessionId: session });
  assert.equal([(await running).stopReason, (await held).stopReason], ['cancelled', 'cancelled']);
  await editor.quit();
});

test('words for the turn that runs reach it where the runtime takes them; else they are refused with what to do', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const answer = JSON.parse(JSON.stringify(editor.raw[0]?.['result']));
  assert.equal(answer._meta, { steering: { supported: true } });
  const steer = (text: string) =>
    editor.agent.request<unknown>('_session/steering', { sessionId: session, prompt: [{ type: 'text', text }] });
  assert.match((await failed(steer('go left'))).message, 'send it as one');
  const running = prompt(editor, session, 'slow 20');
  await editor.update(busy);
  assert.equal(await steer('go left'), { outcome: 'injected' });
  await running;
  assert.match(said(editor), 'go left');
  await editor.quit();
});

test('a login is offered to clients with the older mark of terminals too, and for auto', async () => {
  const methods = async (args: string[]) => {
    const editor = await edit({ args, capabilities: { _meta: { 'terminal-auth': true } } });
    await editor.quit();
    return JSON.parse(JSON.stringify(editor.raw[0]?.['result'])).authMethods;
  };
  const [claude] = await methods(['--runtime', 'claude']);
  assert.equal([claude.id, claude.type, claude.args], ['login', 'terminal', ['--setup']]);
  const [auto] = await methods([]);
  assert.equal([auto.id, auto.type, auto.args], ['login', 'terminal', ['--setup']]);
});

test.run();
