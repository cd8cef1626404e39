// limit: 120s
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { begin, choose, closeAll, edit, ofKind, prompt } from './editor.js';

test.after.each(closeAll);

test('Edit writes unasked, and asks before it runs a command', async () => {
  const editor = await edit({ permit: choose('allow_once') });
  const session = await begin(editor);
  await editor.agent.request('session/set_mode', { sessionId: session, modeId: 'edit' });
  await prompt(editor, session, 'write a.txt A');
  assert.ok(existsSync(join(editor.place.cwd, 'a.txt')));
  assert.equal(editor.questions, []);
  await prompt(editor, session, 'shell touch b.txt');
  assert.equal(
    editor.questions.map(({ toolCall }) => toolCall.rawInput),
    [{ command: 'touch b.txt' }],
  );
  assert.ok(existsSync(join(editor.place.cwd, 'b.txt')));
  await editor.quit();
});

test('Edit without questions refuses the command, and is there after a restart', async () => {
  const editor = await edit({ permit: choose('allow_once') });
  const session = await begin(editor);
  await editor.agent.request('session/set_mode', { sessionId: session, modeId: 'edit-unasked' });
  assert.equal(
    ofKind(editor, 'current_mode_update').map(({ currentModeId }) => currentModeId),
    ['edit-unasked'],
  );
  await prompt(editor, session, 'write a.txt A then shell touch b.txt');
  assert.equal(
    ['a.txt', 'b.txt'].map((name) => existsSync(join(editor.place.cwd, name))),
    [true, false],
  );
  assert.equal(editor.questions, []);
  await editor.quit();
  const after = await edit({ place: editor.place });
  const opened = await after.agent.request('session/resume', {
    sessionId: session,
    cwd: editor.place.cwd,
    mcpServers: [],
  });
  assert.is(opened.modes?.currentModeId, 'edit-unasked');
  await after.quit();
});

test('Read only changes nothing and asks nothing', async () => {
  const editor = await edit({ permit: choose('allow_once') });
  const session = await begin(editor);
  await editor.agent.request('session/set_mode', { sessionId: session, modeId: 'read' });
  await prompt(editor, session, 'write a.txt A');
  assert.equal([existsSync(join(editor.place.cwd, 'a.txt')), editor.questions], [false, []]);
  await editor.quit();
});

test.run();
