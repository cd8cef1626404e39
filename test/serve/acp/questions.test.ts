// limit: 120s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { begin, choose, closeAll, edit, prompt, said } from './editor.js';

test.after.each(closeAll);

const FORMS = { elicitation: { form: {} } };

test('a client that shows forms gets the question as one, and the answer reaches the agent', async () => {
  const forms: unknown[] = [];
  const editor = await edit({
    capabilities: FORMS,
    fill: (form) => {
      forms.push(form);
      return { action: 'accept', content: { q0: 'green', q1: ['a'], q1_other: 'z' } };
    },
  });
  const session = await begin(editor);
  await prompt(editor, session, 'question Which colour? red | green & several other Which letters? a | b');
  assert.match(said(editor), /You answered: .*green.*a.*z/s);
  assert.is(forms.length, 1);
  const form = JSON.parse(JSON.stringify(forms[0]));
  assert.equal([form.mode, form.sessionId, typeof form.toolCallId], ['form', session, 'string']);
  assert.equal(Object.keys(form.requestedSchema.properties), ['q0', 'q1', 'q1_other']);
  assert.equal(form.requestedSchema.properties.q0.oneOf, [
    { const: 'red', title: 'red' },
    { const: 'green', title: 'green' },
  ]);
  assert.equal(editor.questions, []);
  await editor.quit();
});

test('without forms a single choice is a permission question; a yes to it is its answer', async () => {
  const editor = await edit({
    permit: async ({ options }) => {
      const green = options.find(({ name }) => name === 'green');
      return { outcome: green ? { outcome: 'selected', optionId: green.optionId } : { outcome: 'cancelled' } };
    },
  });
  const session = await begin(editor);
  await prompt(editor, session, 'question Which colour? red | green');
  assert.match(said(editor), /You answered: .*green/);
  assert.is(editor.questions[0]?.toolCall.title, 'Which colour?');
  await editor.quit();
});

for (const [what, asked] of [
  ['a secret', 'question secret What is the password?'],
  ['free text, without forms', 'question What is your name?'],
] as const) {
  test(`${what} is declined: the turn does not wait`, async () => {
    const editor = await edit({ permit: choose('allow_once'), capabilities: asked.includes('secret') ? FORMS : {} });
    const session = await begin(editor);
    await prompt(editor, session, asked);
    assert.match(said(editor), 'Nobody answered my question');
    assert.equal(editor.questions, []);
    await editor.quit();
  });
}

test('a form that is dismissed, or filled in with what was not offered, declines', async () => {
  for (const content of [null, { q0: 'purple' }]) {
    const editor = await edit({
      capabilities: FORMS,
      fill: () => (content === null ? { action: 'cancel' } : { action: 'accept', content }),
    });
    const session = await begin(editor);
    await prompt(editor, session, 'question Which colour? red | green');
    assert.match(said(editor), 'Nobody answered my question');
    await editor.quit();
  }
});

test.run();
